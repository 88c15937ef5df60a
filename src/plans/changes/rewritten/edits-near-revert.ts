/** What new added or lost, close to what is reverted: a part of it may be enough, and is easier to read than old lines between new ones. */
import type { Part } from '../../../circumstances/changes/parts.js';
import type { Artifact } from '../../../core/artifact.js';
import { hunksBetween } from '../../../core/diff.js';
import { size, type Test } from '../../../core/index.js';
import { addAll, leastOf } from '../../../core/lists.js';
import { type Event, pauseIfDue } from '../../../engine/index.js';
import { apply } from '../../../syntax/text-cut.js';
import { revertPatch } from '../answer/culprits.js';
import type { BlameOptions } from '../levels/asker.js';
import type { Pair } from '../pair.js';
import { addedCode, additions, additionsTo } from './additions.js';
import {
  type CodeEdit,
  type EditsWanted,
  type EditWords,
  type Place,
  rankOf,
  saysOfOld,
  withFewestEdits,
} from './code-edits.js';
import { textOf, wordsIn } from './old-functions.js';
import { lostCode, restorations, restorationsTo } from './restorations.js';
import type { Replaced, Reverting } from './second-look.js';

type Search = (known: Reverting, lines: number, test: Test<Artifact>, options: BlameOptions) => Replaced;

/** What is reverted in new is where its additions are searched. */
export const newWithoutAdditions: Search = (...given) => newWithEdits(additionsTo, additions, addedCode)(...given);

/** The same for what it lost. */
export const newWithLostCode: Search = (...given) => newWithEdits(restorationsTo, restorations, lostCode)(...given);

const newWithEdits = (list: List, words: EditWords, said: (count: number) => string): Search =>
  async function* (known, lines, test, options) {
    const { pair } = known;
    const { paths, likelihood } = placesNear(known);
    const edits = await listed(known, paths, list, { likelihood });
    if (edits.length === 0) return undefined;
    yield note(`The revert has ${lines} lines. ${said(edits.length)}`);
    return yield* withFewestEdits(pair, { edits, words }, test, options);
  };

/** Together, additions and lost code are tried up to this many one by one, before a revert that nobody can read is the answer. */
const mostInAll = 320;

/** The same for both of them, far down the list: what matters is somewhere in rewritten code, and nothing showed where. */
export const newWithAnyEdit: Search = async function* (known, lines, test, options) {
  const { paths, likelihood } = placesNear(known);
  const edits: CodeEdit[] = [];
  for (const list of [additionsTo, restorationsTo])
    addAll(edits, await listed(known, paths, list, { likelihood, most: mostInAll }));
  const likely = edits
    .filter(({ isForced }) => !isForced)
    .sort((a, b) => rankOf(b) - rankOf(a))
    .slice(0, mostInAll);
  if (likely.length === 0) return undefined;
  yield note(`The revert has ${lines} lines. Less likely parts of new and old are now tried, too (${likely.length}).`);
  const words = { one: 'edit', pass: 'less likely parts', isSingle: true } as const;
  return yield* withFewestEdits(known.pair, { edits: likely, words }, test, options);
};

/** Further away from what is reverted, an edit is another matter. */
const farthest = 40;
/** However large the revert is. */
const mostSmall = 12;

/** One edit that is smaller than the revert. How small it is needs no test. */
export const newWithSmallEdit: Search = async function* (known, lines, test, options) {
  const { pair, revert } = known;
  const { reverted, paths } = aroundRevert(known);
  const saysOf = sayingWhat(Buffer.from(revertPatch(pair, revert)).toString());
  const near: { readonly edit: CodeEdit; readonly score: number }[] = [];
  for (const list of [restorationsTo, additionsTo])
    for (const edit of await listed(known, paths, list, { likelihood: place => nearness(reverted, place, farthest) })) {
      await pauseIfDue();
      const diff = diffOf(pair, edit);
      if (diff.length < lines && !edit.isForced)
        near.push({ edit, score: edit.likely * saysOf(diff) * saysOfOld(edit) });
    }
  // No more tests than lines that they can save.
  const edits = near
    .sort((a, b) => b.score - a.score)
    .slice(0, Math.min(mostSmall, lines - 1))
    .map(({ edit }) => edit);
  if (edits.length === 0) return undefined;
  yield note(`The revert has ${lines} lines. Smaller edits in the same place are now tried (${edits.length}).`);
  const words = { one: 'edit', pass: 'smaller edits', isSingle: true } as const;
  return yield* withFewestEdits(pair, { edits, words }, test, options);
};

/** How much a few lines say of what a patch says, for each line of them. What the patch says often is not what it is about. */
function sayingWhat(patch: string): (lines: readonly string[]) => number {
  const counts = new Map<string, number>();
  for (const word of patch.split('\n').filter(isChanged).flatMap(wordsIn))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return lines => {
    const said = new Set(lines.flatMap(wordsIn));
    return [...said].reduce((sum, word) => sum + 1 / (counts.get(word) ?? Number.POSITIVE_INFINITY), 0) / lines.length;
  };
}

const isChanged = (line: string): boolean => /^[-+](?!-- |\+\+ )/.test(line);

type List = typeof additionsTo;

async function listed(
  { pair, hierarchy: { changes }, suspicion, judge }: Reverting,
  paths: ReadonlyMap<string, string | undefined>,
  list: List,
  wanted: EditsWanted,
): Promise<readonly CodeEdit[]> {
  return 'files' in changes ? await list(pair, paths, { changes, suspicion, judge }, wanted) : [];
}

/** A cause of more changes says little about where it is. */
const smallCause = 8;

function aroundRevert({ blamed, revert }: Reverting) {
  const reverted = revert.level.changes(revert.back).flatMap(({ parts }) => parts);
  const paths = new Map(
    reverted.flatMap(({ oldPath, newPath }) => (newPath === undefined ? [] : [[newPath, oldPath]])),
  );
  const causes = blamed.causes
    .filter(cause => size(cause.changes) <= smallCause)
    .flatMap(cause => blamed.level.changes(cause.changes))
    .flatMap(({ parts }) => parts);
  return { reverted, paths, likelihood: (place: Place) => nearness(causes, place) };
}

/** The files of a revert, and how likely a place in them is: 0 outside of what is reverted or was added. */
function placesNear(known: Reverting) {
  const { parts, paths, likelihood } = withAddedFiles(aroundRevert(known), known);
  const near = (place: Place) => (parts.some(part => touches(part, place)) ? likelihood(place) : 0);
  return { paths, likelihood: near };
}

/** Also the files that only new has and that are to blame: the rest of new needs them, so they are in no revert, but a part of one may be what is wrong. */
function withAddedFiles({ reverted, paths, likelihood }: ReturnType<typeof aroundRevert>, { blamed }: Reverting) {
  const added = blamed.causes
    .flatMap(cause => blamed.level.changes(cause.changes))
    .flatMap(({ parts }) => parts)
    .filter(({ kind }) => kind === 'add');
  return {
    parts: [...reverted, ...added],
    paths: new Map([...paths, ...added.map(({ newPath }) => [newPath!, undefined] as const)]),
    likelihood,
  };
}

/** Whether a part of a change is in these lines of new, or around them; or in these lines of old. */
const touches = ({ kind, oldPath, newPath, ...part }: Part, { path, own: [from, to], old }: Place): boolean =>
  newPath === path &&
  (kind === 'add' ||
    (part.newStart < to && part.newStart + part.newCount >= from) ||
    (old?.path === oldPath &&
      old !== undefined &&
      part.oldStart < old.lines[1] &&
      part.oldStart + part.oldCount >= old.lines[0]));

/** Edits are this much likelier next to what is known to matter: a small cause has the same place in old. */
const atPlace = 8;
/** At this distance in lines, that is halved. */
const nearPlace = 20;

/** 0 if it is too far away. */
function nearness(parts: readonly Part[], place: Place, most = Number.POSITIVE_INFINITY): number {
  const { path, own: lines } = place;
  const distances = parts
    .filter(({ newPath }) => newPath === path)
    .map(part =>
      touches(part, place) ? 0 : Math.max(part.newStart + 1 - lines[1], lines[0] - part.newStart - part.newCount, 0),
    );
  const distance = leastOf(distances);
  return distance > most ? 0 : 1 + (atPlace * nearPlace) / (nearPlace + distance);
}

/** The lines that an edit takes out and puts in. */
function diffOf({ new: { files } }: Pair, edit: CodeEdit): readonly string[] {
  const text = textOf(files.get(edit.path)) ?? '';
  const [before, after] = [text.split('\n'), apply(text, { spans: [edit] }).split('\n')];
  return hunksBetween(before, after).flatMap(({ oldStart, oldCount, newStart, newCount }) => [
    ...before.slice(oldStart, oldStart + oldCount),
    ...after.slice(newStart, newStart + newCount),
  ]);
}

const note = (text: string): Event => ({ type: 'noticed', what: 'note', text });
