/** What `changes` found, as patches, words, JSON fields and a page. */

import { join } from 'node:path';
import { deltasOf, has, size } from '../../core/index.js';
import type { Answer, TreeItem } from '../../report/page/data.js';
import type { Output } from '../../run/output.js';
import type { RunFolder } from '../../run/run-folder.js';
import type { Presentation } from '../job.js';
import { shownCode } from '../shown-code.js';
import {
  type Culprit,
  culpritsOf,
  type Patches,
  patchesOf,
  placeOfDelta,
  type Reverted,
  revertOf,
  revertPatch,
  treeOfChanges,
} from './culprits.js';
import { describeCulprits, isSamePlaces, placeOf } from './describe-culprits.js';
import type { Into } from './into.js';
import type { Pair } from './pair.js';
import type { Outcomes } from './search.js';

/** The result for people and programs, with the patches on disk. */
export function presentChanges(found: Outcomes, place: Output, folder: RunFolder): Presentation {
  const { given, history, hierarchy, executed, blamed } = found;
  const patches = patchesIn(found);
  const culprits = culpritsOf(hierarchy, blamed, patches);
  const inside = found.into && insideOf(found.into);
  const files = new Map([...patchFiles(patches), ...(inside ? [inside.patch] : [])]);
  place.write({ files }, folder);
  const output = place.path;
  folder.keepBest({ files });
  return {
    output,
    inWords: true,
    result: [
      ...history.commits.map(({ words }) => words),
      ...describeFound(culprits, found),
      ...(inside?.words ?? []),
    ].join('\n'),
    fields: {
      changed: hierarchy.changes.count,
      suspects: size(executed.suspects),
      culprits,
      revert: isAnswered(found) || hasRevert(found) ? revertIn(found) : [],
      causes: blamed.causes.length,
      widened: blamed.widened,
      minimalRevert: (found.smaller ?? blamed).minimalRevert,
      verified: { culprit: found.alone, revert: found.without },
      ...(found.unsteady.length > 0 ? { unsteady: found.unsteady } : {}),
      patches: [...files.keys()].map(name => join(output, name)),
      passes: found.passes,
      ...(inside ? { into: inside.fields } : {}),
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

/** The smallest revert: by a second look, or found with the causes. */
function revertIn({ smaller, hierarchy, blamed }: Outcomes): readonly Reverted[] {
  if (!smaller) return revertOf(hierarchy, blamed);
  return revertOf(smaller.hierarchy, smaller).map(({ lines: { old, new: now }, ...place }) => {
    const [from, to] = (old ?? []).map(line => smaller.lineInOld(place.file, line));
    return {
      ...place,
      lines: { ...(from && to ? { old: [from, to] as const } : {}), ...(now ? { new: now } : {}) },
    };
  });
}

function patchesIn({ history: { pair }, blamed, smaller }: Outcomes): Patches {
  const patches = patchesOf(pair, blamed);
  return smaller ? { ...patches, revert: revertPatch(pair, smaller) } : patches;
}

/** What was found inside a package: for people, for programs, and as a patch of the package. */
function insideOf({ name, versions, searched, pair, hierarchy, blamed }: Into) {
  const patches = patchesOf(pair, blamed);
  const culprits = blamed.causes.length > 0 ? culpritsOf(hierarchy, blamed, patches) : [];
  const revert = blamed.ended === 'done' ? revertOf(hierarchy, blamed) : [];
  const file = { kind: 'file' as const, bytes: patches.revert };
  return {
    patch: ['package.patch', file] as const,
    words: [
      `inside ${name}: ${versions[1]} is the first bad version of ${searched}, ${versions[0]} is good`,
      ...describeCulprits(culprits, revert, [`package.patch makes ${name}@${versions[1]} pass`]),
    ],
    fields: { package: name, versions, searched, culprits, revert, minimal: blamed.minimal },
  };
}

export const titleOf = ({ titles }: Pair): string => `${titles[0]} → ${titles[1]}: which change broke it`;

/** What was proven, how many changes are left, and the answer in a sentence. */
export function sizesOf(found: Outcomes) {
  const { ended, hierarchy, blamed, history, alone, without, smaller } = found;
  const isProven = alone === 'fail' && without === 'pass';
  const culprits = () => culpritsOf(hierarchy, blamed, patchesOf(history.pair, blamed)).length;
  const deltas = isAnswered(found) ? culprits() : size(blamed.failing);
  const isMinimal = isProven && (!smaller || smaller.minimalRevert.length > 0);
  const minimal = isMinimal ? blamed.minimal : [];
  return {
    minimal,
    proofs: blamed.proofs,
    after: { deltas },
    ...(ended === 'done' ? { sentence: sentenceOf(found, deltas, minimal) } : {}),
  };
}

function sentenceOf(found: Outcomes, count: number, minimal: readonly string[]): string {
  const { hierarchy, alone, without, unsteady } = found;
  const { count: all } = hierarchy.changes;
  const blamed = `${count} of ${all} ${all === 1 ? 'change' : 'changes'} ${count === 1 ? 'is' : 'are'} to blame`;
  if (unsteady.length > 0)
    return `Not verified: ${blamed}, but the test does not always say the same. ${unsteady.join('; ')}.`;
  if (alone !== 'fail' || without !== 'pass')
    return `Not verified: ${blamed} by this strategy, but the outcome of old with them is "${alone}", and of new without them "${without}".`;
  return `Done: ${blamed}. ${claimOf(found, minimal)}`;
}

function claimOf({ smaller, blamed, passes }: Outcomes, minimal: readonly string[]): string {
  const { minimalRevert } = smaller ?? blamed;
  if (minimal.length > 0) return `Proven 1-minimal by ${inWords.format(minimal)}: none of them can be left out.`;
  const sum = (count: (pass: Outcomes['passes'][number]) => number) =>
    passes.reduce((all, pass) => all + count(pass), 0);
  const [tests, unresolved] = [sum(pass => pass.tests), sum(pass => pass.unresolved)];
  const why = `${unresolved} of ${tests} tests could not be built or run`;
  return minimalRevert.length > 0
    ? `The revert is proven 1-minimal by ${inWords.format(minimalRevert)}. The cause is verified, but was not narrowed further: ${why}.`
    : `Verified, but not minimal: these changes depend on each other so much that ${why}.`;
}

function patchFiles({ causes, revert }: Patches) {
  const named = causes.map((bytes, i) => [i === 0 ? 'culprit.patch' : `culprit-${i + 1}.patch`, bytes] as const);
  return new Map(
    [...named, ['revert.patch', revert] as const].map(([name, bytes]) => [name, { kind: 'file' as const, bytes }]),
  );
}

/** `hunk, line and token`. */
const inWords = new Intl.ListFormat('en-GB');

/** What is to blame, for a terminal. */
function describeFound(culprits: readonly Culprit[], found: Outcomes): readonly string[] {
  const { ended, alone, without, history, blamed } = found;
  if (!isAnswered(found)) return rankingOf(found);
  const [old, now] = history.pair.titles;
  const early =
    ended === 'done' ? [] : [`Stopped before smaller parts were searched: this is the answer by ${blamed.level.name}.`];
  return [
    ...early,
    ...describeCulprits(culprits, revertIn(found), [
      without === 'pass'
        ? `revert.patch makes ${now} pass`
        : `not verified: the outcome of ${now} without it is "${without}"`,
      alone === 'fail'
        ? `culprit.patch makes ${old} fail`
        : `not verified: the outcome of ${old} with it is "${alone}"`,
    ]),
  ];
}

/** Whether there is an answer: at the end, or if the search was stopped after a coarser level was proven. */
const isAnswered = ({ ended, blamed }: Outcomes): boolean =>
  ended === 'done' || blamed.ended === 'done' || (blamed.minimal.length > 0 && blamed.causes.length > 0);

/** A revert of more changes than this is not listed if the search was stopped. */
const mostNamed = 64;
/** How many of the likeliest changes are named if the search was stopped. */
const mostRanked = 8;

/** The search was stopped: the likeliest changes of those that are left, with the evidence against them. */
function rankingOf(found: Outcomes): readonly string[] {
  const { left, ranked } = suspectsIn(found);
  return [
    ...(hasRevert(found) ? knownRevert(found.blamed) : []),
    `Not narrowed down yet: ${left} changes are left. The likeliest so far:`,
    ...ranked.map(({ score, where, reason }) => `  ${score}  ${where}: ${reason}`),
  ];
}

function suspectsIn({ blamed, hierarchy, executed }: Outcomes) {
  const { suspects, weights } = executed;
  const left = [...deltasOf(blamed.failing)].filter(delta => delta < hierarchy.changes.count);
  const score = (delta: number) => (has(suspects, delta) ? 1 : 0.1) * (weights?.[delta] ?? 1);
  const ranked = [...left].sort((a, b) => score(b) - score(a) || a - b).slice(0, mostRanked);
  return {
    left: left.length,
    ranked: ranked.map(delta => ({
      score: score(delta).toFixed(1),
      where: whereIs(hierarchy, delta),
      reason: reasonOf(delta, executed),
    })),
  };
}

const whereIs = (hierarchy: Outcomes['hierarchy'], delta: number): string => {
  const place = placeOfDelta(hierarchy, delta);
  return place ? placeOf(place) : hierarchy.changes.describe(delta);
};

/** The revert is found before the cause, and is worth knowing without it. */
const hasRevert = ({ blamed: { back }, hierarchy }: Outcomes): boolean =>
  size(back) > 0 && size(back) < Math.min(hierarchy.changes.count, mostNamed);

const knownRevert = ({ level, back }: Outcomes['blamed']): readonly string[] => [
  'New passes without these; whether fewer are enough is not known yet:',
  ...level.changes(back).map(({ label }) => `  ${label}`),
];

/** Why a change is suspected, and how much. */
function reasonOf(delta: number, { suspects, weights }: Outcomes['executed']): string {
  if (!has(suspects, delta)) return 'the test does not run it';
  if (!weights) return 'nothing is known about it';
  return (weights[delta] ?? 1) >= closeBy
    ? 'the two runs part here, or the failure names a line close by'
    : 'the test runs it';
}

/** From this weight on, a change is near a line that distinguishes the two runs. */
const closeBy = 5;

/** What the page begins with: the commits, the smallest revert, the cause, and a patch for each. */
function answerOf(culprits: readonly Culprit[], found: Outcomes, patches: Patches): Answer {
  const { history, alone, without } = found;
  const [old, now] = history.pair.titles;
  const commits = history.commits.map(({ words }) => words);
  const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
  const [first] = patches.causes;
  if (!isAnswered(found) || !first) return { places: [], commits, suspects: suspectsIn(found).ranked };
  const revert = revertIn(found);
  const isNeeded = ({ role }: Culprit) => role === 'needed';
  const shown = (place: Reverted, cause = 1) => ({
    where: placeOf(place),
    code: shownCode(place.excerpt).join('\n'),
    cause,
  });
  return {
    commits,
    revert: isSamePlaces(revert, culprits) ? [] : revert.map(place => shown(place)),
    places: culprits.filter(culprit => !isNeeded(culprit)).map(culprit => shown(culprit, culprit.cause)),
    needed: culprits.filter(isNeeded).map(placeOf),
    patches: [
      { name: 'revert.patch', text: textOf(patches.revert), effect: effectOf(without === 'pass', `makes ${now} pass`) },
      { name: 'culprit.patch', text: textOf(first), effect: effectOf(alone === 'fail', `makes ${old} fail`) },
    ],
  };
}

const effectOf = (isVerified: boolean, effect: string): string => `${effect}${isVerified ? '' : ' (not verified)'}`;

function treeOf({ history, hierarchy, blamed, executed }: Outcomes): readonly TreeItem[] {
  const tree = treeOfChanges(
    hierarchy,
    blamed,
    delta => has(executed.suspects, delta),
    delta => reasonOf(delta, executed),
  );
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
