/** What `changes` found, as patches, words, JSON fields and a page. */

import { join } from 'node:path';
import { has, size } from '../../core/index.js';
import type { Answer, TreeItem } from '../../report/page/data.js';
import type { Output } from '../../run/output.js';
import type { RunFolder } from '../../run/run-folder.js';
import type { Presentation } from '../job.js';
import { type Culprit, culpritsOf, type Patches, patchesOf, treeOfChanges } from './culprits.js';
import type { Pair } from './pair.js';
import type { Outcomes } from './search.js';

/** The result for people and programs, with the patches on disk. */
export function presentChanges(found: Outcomes, place: Output, folder: RunFolder): Presentation {
  const { given, history, hierarchy, executed, blamed } = found;
  const patches = patchesOf(history.pair, blamed);
  const culprits = culpritsOf(hierarchy, blamed, patches);
  const files = patchFiles(patches);
  place.write({ files }, folder);
  const output = place.path;
  folder.keepBest({ files });
  return {
    output,
    result: [...history.commits.map(({ words }) => words), ...inWords(culprits, found)].join('\n'),
    fields: {
      changed: hierarchy.changes.count,
      suspects: size(executed.dubious),
      culprits,
      causes: blamed.causes.length,
      widened: blamed.widened,
      verified: { culprit: found.alone, revert: found.without },
      patches: [...files.keys()].map(name => join(output, name)),
      passes: found.passes,
      versions: history.pair.titles,
      ...(history.commits.length > 0 ? { commits: history.commits, searched: history.searched } : {}),
    },
    page: {
      title: titleOf(given),
      output,
      tree: treeOf(found),
      answer: answerOf(culprits, found, patches),
    },
  };
}

export const titleOf = ({ titles }: Pair): string => `${titles[0]} → ${titles[1]}: which change broke it`;

/** What was proven, and how many changes are left. */
export function sizesOf({ ended, hierarchy, blamed, history, alone, without }: Outcomes) {
  const isProven = alone === 'fail' && without === 'pass';
  const culprits = () => culpritsOf(hierarchy, blamed, patchesOf(history.pair, blamed)).length;
  return {
    minimal: isProven ? blamed.minimal : [],
    after: { deltas: ended === 'done' ? culprits() : size(blamed.failing) },
  };
}

function patchFiles({ causes, revert }: Patches) {
  const named = causes.map((bytes, i) => [i === 0 ? 'culprit.patch' : `culprit-${i + 1}.patch`, bytes] as const);
  return new Map(
    [...named, ['revert.patch', revert] as const].map(([name, bytes]) => [name, { kind: 'file' as const, bytes }]),
  );
}

/** What is to blame, for a terminal. */
function inWords(
  culprits: readonly Culprit[],
  { ended, blamed, alone, without, history }: Outcomes,
): readonly string[] {
  if (ended !== 'done') return [`Not narrowed down yet: ${size(blamed.failing)} changes are left.`];
  const lines: string[] = [];
  const several = blamed.causes.length > 1;
  for (const [i, culprit] of culprits.entries()) {
    const together = culprits[i - 1]?.cause === culprit.cause;
    const lead = together ? 'together with' : several && culprit.cause > 1 ? 'and, enough by itself,' : 'to blame:';
    lines.push(`${lead} ${where(culprit)}`);
    const code = culprit.code.split('\n').filter(line => line !== '');
    lines.push(...code.slice(0, 12).map(line => `  ${line}`));
    if (code.length > 12) lines.push(`  … ${code.length - 12} more lines`);
  }
  const [old, now] = history.pair.titles;
  lines.push(
    alone === 'fail'
      ? `culprit.patch makes ${old} fail`
      : `not verified: applied to ${old} alone it comes out as "${alone}"`,
    without === 'pass' ? `revert.patch makes ${now} pass` : `not verified: ${now} without it comes out as "${without}"`,
  );
  return lines;
}

function where({ file, lines, change }: Culprit): string {
  const [at, version] = lines.new ? [lines.new, ''] : [lines.old, ' (in old)'];
  if (!at) return change;
  return at[0] === at[1] ? `${file}:${at[0]}${version}` : `${file}:${at[0]}–${at[1]}${version}`;
}

/** What the page begins with: the lines, the commits, and the patches to copy. */
function answerOf(
  culprits: readonly Culprit[],
  { ended, history, alone, without }: Outcomes,
  patches: Patches,
): Answer {
  const [old, now] = history.pair.titles;
  const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
  const [first] = patches.causes;
  if (ended !== 'done' || !first) return { places: [], commits: history.commits.map(({ words }) => words) };
  return {
    commits: history.commits.map(({ words }) => words),
    places: culprits.map(culprit => ({ where: where(culprit), code: culprit.code, cause: culprit.cause })),
    patches: [
      { name: 'culprit.patch', text: textOf(first), effect: effectOf(alone === 'fail', `makes ${old} fail`) },
      { name: 'revert.patch', text: textOf(patches.revert), effect: effectOf(without === 'pass', `makes ${now} pass`) },
    ],
  };
}

const effectOf = (isVerified: boolean, effect: string): string => `${effect}${isVerified ? '' : ' (not verified)'}`;

function treeOf({ history, hierarchy, blamed, executed }: Outcomes): readonly TreeItem[] {
  const tree = treeOfChanges(hierarchy, blamed, delta => has(executed.dubious, delta));
  if (history.commits.length === 0) return tree;
  const others = history.searched - history.commits.length;
  return [
    ...history.commits.map(
      ({ words }, i): TreeItem => ({
        label: words,
        status: 'culprit',
        ...(i === history.commits.length - 1 ? { children: tree } : {}),
      }),
    ),
    ...(others > 0 ? [{ label: `${others} other commits`, status: 'innocent' as const }] : []),
  ];
}
