/**
 * If the likeliest functions can't be built as they were in old, because a type that they use has changed say, most of what a descent asks about can't be
 * built either. What new added to these functions or lost in them, one statement or condition at a time, mostly can: so that comes first.
 */

import type { Changes } from '../../../circumstances/changes/changes.js';
import { enclosing, functionAt } from '../../../circumstances/changes/functions.js';
import type { Part } from '../../../circumstances/changes/parts.js';
import type { Artifact } from '../../../core/artifact.js';
import { type Configuration, deltasOf, minus, type Test } from '../../../core/index.js';
import { addAll } from '../../../core/lists.js';
import type { Ended, Event } from '../../../engine/index.js';
import { identifiersIn } from '../../../syntax/identifiers.js';
import { askerFor, type BlameOptions, Stopped } from '../levels/asker.js';
import { likelihoodIn } from '../levels/blame.js';
import type { Hierarchy } from '../levels/hierarchy.js';
import { likeliestFunctions, pass } from '../levels/likeliest-functions.js';
import { type Pair, pairOf } from '../pair.js';
import { additionsTo } from './additions.js';
import { type CodeEdit, type NewWithEdits, type Place, rankOf, withFewestEdits } from './code-edits.js';
import { aFew, withOldFunctions } from './function-search.js';
import { type OldFunction, oldCodeOf } from './old-functions.js';
import { restorationsTo } from './restorations.js';
import { functionsIn, type Judged } from './rewritten.js';

/** As many as the descent asks about in vain in such a program before it gets anywhere. */
const mostParts = 32;

interface Given extends Omit<Judged, 'changes'> {
  readonly pair: Pair;
  readonly hierarchy: Hierarchy;
}

/** New as it passes with one edit in a function that can't be taken back as a whole. Undefined if there is none, or no such function. */
export async function* fromLikeliestParts(
  { pair, hierarchy: { levels, changes }, suspicion, judge }: Given,
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, NewWithEdits | Exclude<Ended, 'done'> | undefined> {
  if (!('files' in changes)) return undefined;
  const [level] = levels;
  const asker = askerFor({ level, lessons: { missing: new Set() } }, test, options, () => undefined);
  const candidates = asker.whole(suspicion.suspects);
  const functions = likeliestFunctions(level, candidates, likelihoodIn(suspicion));
  if (functions.length === 0) return undefined;
  let refused: readonly Configuration[];
  try {
    const outcomes = yield* asker.askUntilPass(
      pass,
      functions.map(each => minus(asker.everything, each)),
    );
    if (outcomes.at(-1) === 'pass') return undefined;
    refused = functions.filter((_, at) => outcomes[at] === 'unresolved');
  } catch (error) {
    if (error instanceof Stopped && error.ended !== 'done') return error.ended;
    throw error;
  }
  if (refused.length === 0) return undefined;
  const judged = { changes, suspicion, judge };
  const around = placesAround(refused, changes);
  const likely = refused.length === 1 ? 'A likely function' : `${refused.length} likely functions`;
  // Its changes by themselves can't be built, but the whole of it may fit with what it uses, and under the names of new.
  const old = await otherwise(pair, around, judged);
  if (old.length > 0) {
    yield note(
      `${likely} can't be built or run as in old: old functions are tried there with what else they need (${old.length}).`,
    );
    const found = yield* withOldFunctions(pair.new, old, { test, options, effort: aFew });
    if (typeof found === 'string') return found;
    if (found) return { pair: pairOf(found.artifact, pair.new, pair.titles), lineInOld: found.lineInOld };
  }
  const edits = await partsIn(around, { pair, judged });
  if (edits.length === 0) return undefined;
  yield note(
    `${likely} can't be built or run as in old: parts of what differs there are tried first (${edits.length}).`,
  );
  const words = { one: 'edit', pass: 'parts of the likeliest functions', isSingle: true } as const;
  return yield* withFewestEdits(pair, { edits, words }, test, options);
}

/** The files that some functions are in, and how likely a place of new is because of them. */
interface Around {
  /** New path and old path. */
  readonly paths: ReadonlyMap<string, string | undefined>;
  likelihood(place: Place): number;
}

/** These functions, and those that only new has and that they call. */
function placesAround(functions: readonly Configuration[], changes: Changes): Around {
  const deltas = functions.flatMap(each => [...deltasOf(each)]);
  const inside = functionsAt(deltas, changes);
  const called = calledBy(
    deltas.flatMap(delta => changes.changes[delta]!.parts),
    changes,
  );
  const linesOf = new Map(changes.files.map(({ newPath, newLines }) => [newPath, newLines]));
  const paths = new Map(
    changes.files
      .filter(
        file =>
          file.newPath !== undefined &&
          (inside.has(file.newPath) ||
            (called.size > 0 && file.newLines.some(line => identifiersIn(line).some(word => called.has(word))))),
      )
      .map(({ newPath, oldPath }) => [newPath!, oldPath]),
  );
  return {
    paths,
    likelihood({ path, own: [from] }) {
      const around = enclosing(linesOf.get(path) ?? [], from - 1)?.name;
      if (around === undefined) return 0;
      return inside.has(`${path} ${around}`) ? 1 : called.has(around) ? likeCaller : 0;
    },
  };
}

/**
 * The old functions there that are not put into new as they were: with what else they need, or under other names. Without that, the changes are all there is.
 * Besides, those of the same files that are in the middle of a change: where a bundle has other modules in between, no change is that of one function.
 */
async function otherwise(pair: Pair, { paths, likelihood }: Around, judged: Judged): Promise<readonly OldFunction[]> {
  const known = new Map([...paths].flatMap(([now, old]) => (old === undefined ? [] : [[now, [old]] as const])));
  const isOther = ({ path, text }: OldFunction) => !oldCodeOf(pair, known.get(path)!)?.text.includes(text);
  const isThere = ({
    path,
    lines: {
      new: [from, to],
    },
  }: OldFunction) => likelihood({ path, own: [Math.max(from, to - 1), to] }) === 1;
  const found = await functionsIn(pair, known, judged);
  const parts = judged.changes.changes.flatMap(each => each.parts);
  const isCalled = ({ likely }: OldFunction) => likely >= 1;
  const isInMiddle = ({
    path,
    lines: {
      new: [from, to],
    },
  }: OldFunction) =>
    parts.some(
      ({ newPath, newStart, newCount }) => newPath === path && newStart + 1 < from && newStart + newCount >= to,
    );
  return found.filter(each => (isThere(each) && isOther(each)) || (isCalled(each) && isInMiddle(each)));
}

/** What new added there and what it lost, the likeliest first. */
async function partsIn(
  { paths, likelihood }: Around,
  { pair, judged }: { readonly pair: Pair; readonly judged: Judged },
): Promise<readonly CodeEdit[]> {
  const found: CodeEdit[] = [];
  for (const list of [additionsTo, restorationsTo]) {
    const edits = await list(pair, paths, judged, { likelihood });
    addAll(
      found,
      edits.filter(({ isForced }) => !isForced),
    );
  }
  return found.sort((a, b) => rankOf(b) - rankOf(a)).slice(0, mostParts);
}

/** The functions that some changes are in, on either side, and their files. In code that was moved, the two sides of a hunk are not of one function. */
function functionsAt(deltas: readonly number[], { changes, files }: Changes): ReadonlySet<string> {
  const names = new Set<string>();
  for (const delta of deltas)
    for (const { file, newPath, ...part } of changes[delta]!.parts) {
      const { oldLines, newLines } = files[file]!;
      const sides = [
        [newLines, part.newStart, part.newCount],
        [oldLines, part.oldStart, part.oldCount],
      ] as const;
      for (const [lines, start, count] of newPath === undefined ? [] : sides) {
        const name = count === 0 ? undefined : functionAt(lines, start, count);
        if (name !== undefined) names.add(newPath!).add(`${newPath} ${name}`);
      }
    }
  return names;
}

/** Where two runs part is not known of code that only new has, so it is as likely as a function that calls it. */
const likeCaller = 5;

/** What the new lines of these changes name and old has nowhere: functions that only new has are called by such names. */
function calledBy(parts: readonly Part[], { files }: Changes): ReadonlySet<string> {
  const known = new Set(files.flatMap(({ oldLines }) => oldLines.flatMap(identifiersIn)));
  const named = parts.flatMap(({ file, newStart, newCount }) =>
    files[file]!.newLines.slice(newStart, newStart + newCount).flatMap(identifiersIn),
  );
  return new Set(named.filter(word => !known.has(word)));
}

const note = (text: string): Event => ({ type: 'noticed', what: 'note', text });
