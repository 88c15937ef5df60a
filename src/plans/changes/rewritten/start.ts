/**
 * What the search starts from instead of the old version, if most of a file differs for reasons that have nothing to do with the failure: a
 * minifier chose other names, or the file was rewritten.
 */
import type { Changes } from '../../../circumstances/changes/changes.js';
import type { Artifact } from '../../../core/artifact.js';
import { type Configuration, deltasOf, type Test } from '../../../core/index.js';
import type { Event } from '../../../engine/index.js';
import type { Context } from '../../job.js';
import type { BlameOptions, Suspicion } from '../levels/blame.js';
import type { Hierarchy } from '../levels/hierarchy.js';
import { type Pair, pairOf } from '../pair.js';
import { withSameNames } from '../same-names.js';
import { addedCode, additions, additionsTo } from './additions.js';
import { withFewestEdits } from './code-edits.js';
import { newWithEditInside } from './edits-in-function.js';
import { allAlike, type LineInOld, oneByOne, withOldFunctions } from './function-search.js';
import { functionsOf, type OldFunction } from './old-functions.js';
import { lostCode, restorations, restorationsTo } from './restorations.js';
import { functionsIn, type Judge, rewrittenIn } from './rewritten.js';
import { passesWithoutOneFile } from './whole-files.js';

/** What is searched. */
export interface Start {
  readonly pair: Pair;
  /** If it is new with some old functions: where its lines are in old. */
  readonly lineInOld?: LineInOld;
  /** It is all of old, under other names. */
  readonly isWhole?: boolean;
}

/** The changes between two versions, and what coverage says about them. */
interface Observed {
  readonly changes: Hierarchy['changes'];
  readonly suspicion: Suspicion;
  readonly judge: Judge;
}

interface Given extends Observed {
  readonly pair: Pair;
  lookAt(pair: Pair): Promise<Observed>;
  /**
   * Whether functions may be tried first. A build on top of another candidate's leftovers may be wrong, so what a whole search
   * rests on is not chosen by it; and whoever asks for files does not need functions.
   */
  readonly mayTakeFunctions: boolean;
}

/** Undefined if the search starts from the old version itself. */
export async function* startFrom(
  given: Given,
  test: Test<Artifact>,
  options: BlameOptions,
  context: Context,
): AsyncGenerator<Event, Start | undefined> {
  const { pair, changes, suspicion } = given;
  const paths = pathsIn(changes, suspicion.suspects);
  const same = await withSameNames(pair, paths, test, { ...context, memory: context.folder.journal });
  if (!same) return given.mayTakeFunctions ? yield* fromFunctions(given, test, options) : undefined;
  yield note(namesReplaced(same.paths));
  const aligned = pairOf(same.old, pair.new, pair.titles);
  const whole: Start = { pair: aligned, isWhole: true };
  if (!same.isRewritten) {
    if (!given.mayTakeFunctions) return whole;
    return (
      (yield* fromFunctions({ ...given, pair: aligned, ...(await given.lookAt(aligned)) }, test, options)) ?? whole
    );
  }
  const functions = await similarIn(aligned, same.paths);
  const found =
    functions.length < 2
      ? undefined
      : yield* withOldFunctions(pair.new, functions, { test, options, effort: allAlike });
  if (typeof found !== 'object' || found.ended !== 'done') return whole;
  yield note(functionsReplaced);
  return { pair: pairOf(found.artifact, pair.new, pair.titles) };
}

/** If files were rewritten: new with the functions of old without which it does not pass, or without what it added. */
async function* fromFunctions(
  { pair, changes, suspicion, judge }: Given,
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, Start | undefined> {
  if (!('files' in changes)) return undefined;
  const paths = rewrittenIn(changes, suspicion);
  const judged = { changes, suspicion, judge };
  const functions = await functionsIn(pair, paths, judged);
  if (functions.length > 0) {
    yield note(rewritten(paths, functions.length));
    const found = yield* withOldFunctions(pair.new, functions, { test, options, effort: oneByOne });
    if (typeof found === 'string') return undefined;
    if (found) {
      const inside = yield* newWithEditInside({ pair, ...judged }, found, test, options);
      if (inside) {
        yield note('New passes with one of them: only that is searched.');
        return inside;
      }
      yield note(functionsFound(found.functions.length));
      return { pair: pairOf(found.artifact, pair.new, pair.titles), lineInOld: found.lineInOld };
    }
    if (yield* passesWithoutOneFile(judged, paths, test, options)) return undefined;
  }
  if (paths.size === 0) return undefined;
  // What old does not have may be in a file that was not rewritten, too.
  const files = suspectedFiles(changes, suspicion);
  for (const { list, words, said, done } of editsOfNew) {
    const edits = await list(pair, files, judged);
    if (edits.length === 0) continue;
    yield note(said(edits.length));
    const found = yield* withFewestEdits(pair, { edits, words }, test, options);
    if (typeof found === 'string') return undefined;
    if (!found) continue;
    yield note(done);
    return found;
  }
  return undefined;
}

async function similarIn(pair: Pair, paths: readonly string[]): Promise<readonly OldFunction[]> {
  const found: OldFunction[] = [];
  for (const path of paths)
    for (const each of await functionsOf(pair, { old: [path], new: path, isMinified: true }))
      found.push({ ...each, likely: 1 });
  return found;
}

/** New path and old path of each file of new in which something is suspected. */
const suspectedFiles = (
  changes: Changes,
  { suspects, left = [] }: Suspicion,
): ReadonlyMap<string, string | undefined> =>
  new Map(
    [...deltasOf(suspects)]
      .flatMap(delta => changes.changes[delta]!.parts)
      .flatMap(({ newPath, oldPath }) => (newPath === undefined || left.includes(newPath) ? [] : [[newPath, oldPath]])),
  );

/** The files that the test runs, as far as they differ. */
const pathsIn = (changes: Hierarchy['changes'], suspects: Configuration): readonly string[] =>
  'files' in changes
    ? [...deltasOf(suspects)].flatMap(delta => changes.changes[delta]!.parts.flatMap(({ oldPath }) => oldPath ?? []))
    : [];

const filesIn = (paths: readonly string[]): string => (paths.length === 1 ? paths[0]! : `${paths.length} files`);

const namesReplaced = (paths: readonly string[]): string =>
  `In ${filesIn(paths)}, the old version is searched under the local names of the new one. It passes with them.`;

const functionsReplaced =
  'Almost every token differs, as if another minifier had written it: new passes with some functions of old, and only these are searched.';

const rewritten = (paths: ReadonlyMap<string, readonly string[]>, count: number): string =>
  `${filesIn([...paths.keys()])} ${paths.size === 1 ? 'is' : 'are'} mostly rewritten: functions and values of new are tried as they are in old first (${count}).`;

const functionsFound = (count: number): string =>
  `New passes with ${count === 1 ? 'one' : count} of them: only what differs there is searched.`;

/** If no old function fits. */
const editsOfNew = [
  {
    list: additionsTo,
    words: additions,
    said: addedCode,
    done: 'New passes without some of what it added: only that is searched.',
  },
  {
    list: restorationsTo,
    words: restorations,
    said: lostCode,
    done: 'New passes with some of what it lost: only that is searched.',
  },
];

const note = (text: string): Event => ({ type: 'noticed', what: 'note', text });
