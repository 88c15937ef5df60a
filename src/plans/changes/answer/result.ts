/** What `changes` found, as patches, words, JSON fields and a page. */

import { join } from 'node:path';
import { has, size } from '../../../core/index.js';
import type { Answer, TreeItem } from '../../../report/page/data.js';
import type { Output } from '../../../run/output.js';
import type { RunFolder } from '../../../run/run-folder.js';
import type { Presentation } from '../../job.js';
import { shownCode } from '../../shown-code.js';
import type { Into } from '../into.js';
import type { Pair } from '../pair.js';
import { composed, inOld } from '../rewritten/in-old.js';
import type { Outcomes } from '../search.js';
import { largeCause, largeRevert } from './cause-in-words.js';
import {
  type Culprit,
  culpritsOf,
  type Patches,
  patchesOf,
  type Reverted,
  revertOf,
  revertPatch,
  treeOfChanges,
} from './culprits.js';
import { describeCulprits, isSamePlaces, placeOf } from './describe-culprits.js';
import { hasRevert, isTooLarge, rankingOf, rankingOfLarge, reasonOf, suspectsIn } from './ranking.js';
import { switchedInWords, switchedTo } from './switched.js';

/** The result for people and programs, with the patches on disk. */
export function presentChanges(found: Outcomes, place: Output, folder: RunFolder): Presentation {
  const { given, history, hierarchy, executed, blamed } = found;
  const patches = patchesIn(found);
  const culprits = culpritsIn(found, patches);
  const switched = switchedTo(patches.revert);
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
      ...describeFound(culprits, found, patches),
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
      ...(switched ? { switchedTo: switched } : {}),
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
function revertIn({ smaller, hierarchy, blamed, lineInOld }: Outcomes): readonly Reverted[] {
  if (!smaller) return revertOf(hierarchy, blamed).map(place => inOld(place, lineInOld));
  const line = lineInOld ? composed(smaller.lineInOld, lineInOld) : smaller.lineInOld;
  return revertOf(smaller.hierarchy, smaller).map(place => inOld(place, line));
}

/** Where they are in the two versions that were given. */
const culpritsIn = ({ hierarchy, blamed, lineInOld }: Outcomes, patches: Patches): readonly Culprit[] =>
  culpritsOf(hierarchy, blamed, patches).map(culprit => inOld(culprit, lineInOld));

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
  const { hierarchy, alone, without, unsteady, lineInOld } = found;
  const { count: all } = hierarchy.changes;
  const where = lineInOld ? ' in rewritten code' : '';
  const changes = `${count} of ${all} ${all === 1 ? 'change' : 'changes'}${where}`;
  const blamed = `${changes} ${count === 1 ? 'is' : 'are'} to blame`;
  if (unsteady.length > 0)
    return `Not verified: ${blamed}, but the test does not always say the same. ${unsteady.join('; ')}.`;
  if (alone !== 'fail' || without !== 'pass')
    return `Not verified: ${blamed} by this strategy, but the outcome of old with them is "${alone}", and of new without them "${without}".`;
  const switched = switchedTo(patchesIn(found).revert);
  if (switched) return `Not narrowed down: ${switchedInWords(switched)}.`;
  if (minimal.length > 0)
    return `Done: ${blamed}. Proven 1-minimal by ${inWords.format(minimal)}: none of them can be left out.`;
  const { minimalRevert } = found.smaller ?? found.blamed;
  const why = `${whyNotMinimal(found)} tests could not be built or run`;
  if (minimalRevert.length === 0)
    return `Done: ${blamed}. Verified, but not minimal: these changes depend on each other so much that ${why}.`;
  const places = revertIn(found).length;
  return `Done: new passes without ${places === 1 ? 'one place' : `${places} places`}, proven 1-minimal by ${inWords.format(minimalRevert)}. Old fails with ${changes}: verified, but not narrowed further, because ${why}.`;
}

/** How many of the tests were in vain. */
function whyNotMinimal({ passes }: Outcomes): string {
  const sum = (count: (pass: Outcomes['passes'][number]) => number) =>
    passes.reduce((all, pass) => all + count(pass), 0);
  return `${sum(pass => pass.unresolved)} of ${sum(pass => pass.tests)}`;
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
function describeFound(culprits: readonly Culprit[], found: Outcomes, patches: Patches): readonly string[] {
  const { ended, alone, without, history, blamed, lineInOld } = found;
  if (!isAnswered(found)) return rankingOf(found);
  const [old, now] = history.pair.titles;
  const effects = effectsOf(found);
  const early =
    ended === 'done' ? [] : [`Stopped before smaller parts were searched: this is the answer by ${blamed.level.name}.`];
  const large = largeCause(found, culprits, patches);
  const wide = wideRevert(found, patches);
  return [
    ...early,
    ...describeCulprits(large === undefined ? culprits : [], wide === undefined ? revertIn(found) : [], [
      ...[large, wide].filter(each => each !== undefined),
      without === 'pass'
        ? `revert.patch ${effects.revert}`
        : `not verified: the outcome of ${now} without it is "${without}"`,
      alone === 'fail'
        ? `culprit.patch ${effects.cause}${lineInOld ? '; it is nearly all of the rewritten files' : ''}`
        : `not verified: the outcome of ${old} with it is "${alone}"`,
      ...rankingOfLarge(found),
    ]),
  ];
}

/** What takes the place of a revert that says nothing, however it was found. */
function wideRevert(found: Outcomes, patches: Patches): string | undefined {
  const switched = switchedTo(patches.revert);
  return switched ? `${switchedInWords(switched)}, see revert.patch` : largeRevert(found, patches);
}

/** Whether there is an answer: at the end, or if the search was stopped after a coarser level was proven. */
const isAnswered = ({ ended, blamed }: Outcomes): boolean =>
  ended === 'done' || blamed.ended === 'done' || (blamed.minimal.length > 0 && blamed.causes.length > 0);

/** What the page begins with: the commits, the smallest revert, the cause, and a patch for each. */
function answerOf(culprits: readonly Culprit[], found: Outcomes, patches: Patches): Answer {
  const { history, alone, without } = found;
  const effects = effectsOf(found);
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
  const large = largeCause(found, culprits, patches);
  const cause = large === undefined ? culprits : [];
  const wide = wideRevert(found, patches);
  const sizes = [large, wide]
    .filter(each => each !== undefined)
    .map(each => `${each[0]!.toUpperCase()}${each.slice(1)}.`);
  return {
    commits,
    revert: wide !== undefined || isSamePlaces(revert, cause) ? [] : revert.map(place => shown(place)),
    ...(sizes.length === 0 ? {} : { cause: sizes.join(' ') }),
    places: cause.filter(culprit => !isNeeded(culprit)).map(culprit => shown(culprit, culprit.cause)),
    needed: cause.filter(isNeeded).map(placeOf),
    ...(isTooLarge(found) ? { suspects: suspectsIn(found).ranked } : {}),
    patches: [
      { name: 'revert.patch', text: textOf(patches.revert), effect: effectOf(without === 'pass', effects.revert) },
      { name: 'culprit.patch', text: textOf(first), effect: effectOf(alone === 'fail', effects.cause) },
    ],
  };
}

/** What the patches do. A failure that shows only sometimes is gone if it showed in none of the runs that make that sure. */
function effectsOf({ history, isFlaky = false }: Outcomes): { readonly revert: string; readonly cause: string } {
  const [old, now] = history.pair.titles;
  return isFlaky
    ? { revert: `makes ${now} pass in every run`, cause: `makes ${old} fail in some runs` }
    : { revert: `makes ${now} pass`, cause: `makes ${old} fail` };
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
