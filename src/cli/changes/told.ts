import { join } from 'node:path';
import { has, size } from '../../core/index.js';
import type { TreeItem } from '../../report/page/data.js';
import type { JobContext, JobResult } from '../job.js';
import { type Culprit, culpritsOf, type Patches, patchesOf, treeOfChanges } from './culprits.js';
import type { Outcomes, Wanted } from './search.js';

/** Says what came of it: the patches on disk, the terminal, the page, the line of JSON. */
export function told(found: Outcomes, { output: place, counter }: Wanted, context: JobContext): JobResult {
  const { folder, see, seconds } = context;
  const { ended, given, history, hierarchy, executed, blamed, first } = found;
  const patches = patchesOf(history.pair, blamed);
  const culprits = culpritsOf(hierarchy, blamed, patches);
  const isProven = found.alone === 'fail' && found.without === 'pass';
  const files = patchFiles(patches);
  const done = ended === 'done';
  place.write({ files }, folder);
  const output = place.path;
  folder.keepBest({ files });
  const blamedCount = done ? culprits.length : size(blamed.failing);
  see({
    type: 'ended',
    ended,
    minimal: isProven ? blamed.minimal : [],
    size: { deltas: blamedCount },
    counts: counter.counts,
    seconds: seconds(),
  });
  const text = [...history.commits.map(({ words }) => words), ...inWords(culprits, found)].join('\n');
  const paths = [...files.keys()].map(name => join(output, name));
  const page = {
    title: `${given.titles[0]} → ${given.titles[1]}: which change broke it`,
    output,
    tree: treeOf(found),
  };
  return {
    ended,
    ending: { output, result: text },
    json: {
      job: 'changes',
      ended,
      minimal: isProven ? blamed.minimal : [],
      ...counter.counts,
      seconds: Number(seconds().toFixed(3)),
      before: { deltas: hierarchy.changes.count },
      after: { deltas: blamedCount },
      output,
      run: folder.path,
      signature: first.signature?.text ?? first.described,
      changed: hierarchy.changes.count,
      suspects: size(executed.dubious),
      culprits,
      causes: blamed.causes.length,
      widened: blamed.widened,
      verified: { culprit: found.alone, revert: found.without },
      patches: paths,
      passes: found.passes,
      versions: history.pair.titles,
      ...(history.commits.length > 0 ? { commits: history.commits, searched: history.searched } : {}),
    },
    page,
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
