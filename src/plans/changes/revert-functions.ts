/**
 * A second look at a revert that is large and not proven. In a rewritten file, old lines hardly ever fit between new ones, so the revert is
 * most of the file. Old functions often do fit: they are put in the place of the new ones, and what matters is searched inside them.
 */
import type { Artifact } from '../../core/artifact.js';
import { all, type Configuration, deltasOf, empty, has, isEmpty, minus, of, type Test } from '../../core/index.js';
import { type Ended, type Event, orStopped, stopped } from '../../engine/index.js';
import { askerFor, type BlameOptions, Stopped } from './asker.js';
import type { Blamed, Suspicion } from './blame.js';
import { revertPatch } from './culprits.js';
import type { Hierarchy } from './hierarchy.js';
import type { Level, OpenLevel } from './levels.js';
import { functionsOf, levelOfFunctions, linesIn, type OldFunction } from './old-functions.js';
import { type Finest, type Pair, pairOf } from './pair.js';

/** A revert of at most this many lines is small enough to read. */
const fewLines = 40;
/** The search for functions may ask this many questions that bring nothing. */
const mostIdle = 24;
/** The likeliest functions are tried one by one: a regression is mostly in one of them. */
const mostFirst = 8;
/** If all together can't be narrowed down, this many are tried one by one. */
const mostSingles = 64;

/** A revert: changes between new with some old functions, and new. */
export interface FunctionRevert extends Pick<Blamed, 'level' | 'back' | 'minimalRevert'> {
  readonly hierarchy: Hierarchy;
  /** Where a line of the searched version is in old, counted from 1; undefined if it is not from there. */
  lineInOld(path: string, line: number): number | undefined;
}

/** What was found so far, and how. */
export interface Answered {
  readonly pair: Pair;
  readonly hierarchy: Hierarchy;
  readonly blamed: Blamed;
  readonly suspicion: Suspicion;
}

/** A smaller revert than the one that is known, if there is one; or why the search was stopped. */
export async function* revertFunctions(
  known: Answered,
  finest: Exclude<Finest, 'commit'>,
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, FunctionRevert | Exclude<Ended, 'done'> | undefined> {
  const { pair, blamed } = known;
  if (blamed.minimalRevert.length > 0) return undefined;
  const lines = linesOf(pair, blamed);
  if (lines <= fewLines) return undefined;
  const functions = await functionsIn(known);
  if (functions.length === 0) return undefined;
  yield {
    type: 'noticed',
    what: 'note',
    text: `The revert has ${lines} lines and is not proven: functions of new are now tried as they are in old (${functions.length}).`,
  };
  try {
    const level = levelOfFunctions(pair.new, functions);
    const back = yield* searchFunctions(level, functions, test, options);
    const old = isEmpty(back) ? undefined : level.circumstance.build(minus(all(functions.length), back));
    if (!old) return undefined;
    const hierarchy = await pairOf(old, pair.new, pair.titles).hierarchy(finest, options.signal);
    const found = yield* insideFunctions(hierarchy, test, options);
    const lineInOld = linesIn(functions.filter((_, at) => has(back, at)));
    return linesOf(pair, found) < lines ? { ...found, hierarchy, lineInOld } : undefined;
  } catch (error) {
    if (error instanceof Stopped && error.ended !== 'done') return error.ended;
    throw error;
  }
}

/**
 * New with the fewest old functions that make it pass: a better start than old if almost every token of a file differs. Undefined if there are no
 * such functions, or if the search is stopped.
 */
export async function* withOldFunctions(
  pair: Pair,
  paths: readonly string[],
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, Artifact | undefined> {
  const functions: OldFunction[] = [];
  for (const path of paths)
    functions.push(
      ...(await functionsOf(pair, { old: path, new: path, isMinified: true })).map(each => ({ ...each, likely: 1 })),
    );
  if (functions.length < 2) return undefined;
  const level = levelOfFunctions(pair.new, functions);
  const asker = askerFor({ level, lessons: { missing: new Set() } }, test, options, () => undefined);
  const { everything } = asker;
  try {
    const { passing } = yield* asker.down(everything, everything, () => 1, mostIdle);
    if (isEmpty(passing)) return undefined;
    const back = yield* asker.back(minus(everything, passing), empty, 'functions to take back');
    return level.circumstance.build(minus(everything, back));
  } catch (error) {
    if (error instanceof Stopped) return undefined;
    throw error;
  }
}

/** The fewest changes that must be reverted: hunks first, then lines, then the tokens of long lines. All of them reverted pass. */
async function* insideFunctions(
  { levels }: Hierarchy,
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, Pick<Blamed, 'level' | 'back' | 'minimalRevert'>> {
  const lessons = { missing: new Set<string>() };
  const [first, ...finer] = levels;
  const opening: OpenLevel[] = [...finer];
  let level: Level = first;
  let back = all(level.circumstance.count);
  for (let i = 0; ; i++) {
    const asker = askerFor({ level, lessons }, test, options, () => undefined);
    back = yield* asker.back(back, empty, `${level.name}s to take back`);
    const settled = level.settles?.(back);
    const cut = level.cuts?.(back);
    if (cut) opening.push(cut);
    const next = settled === undefined ? opening[i] : undefined;
    if (!next) {
      const proven = [level.proves, settled].filter(each => each !== undefined);
      return { level, back, minimalRevert: asker.isProven('revert') ? proven : [] };
    }
    const opened = await orStopped(next(back, options.signal), options.signal);
    if (opened === stopped) throw new Stopped('interrupted');
    [level, back] = [opened, opened.inside(back)];
  }
}

/** The fewest functions that make new pass if they are as in old; none if there are no such functions. */
async function* searchFunctions(
  level: Level,
  functions: readonly OldFunction[],
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, Configuration> {
  const asker = askerFor({ level, lessons: { missing: new Set() } }, test, options, () => undefined);
  const { everything } = asker;
  const pass = 'functions to take back';
  const byLikelihood = [...functions.keys()].sort((a, b) => functions[b]!.likely - functions[a]!.likely || a - b);
  const firstOf = async function* (some: readonly number[]): AsyncGenerator<Event, Configuration | undefined> {
    const outcomes = yield* asker.askUntilPass(
      pass,
      some.map(at => minus(everything, of([at]))),
    );
    return outcomes.at(-1) === 'pass' ? of([some[outcomes.length - 1]!]) : undefined;
  };
  const likeliest = yield* firstOf(byLikelihood.slice(0, mostFirst));
  if (likeliest || functions.length <= 1) return likeliest ?? empty;
  const { passing } = yield* asker.down(everything, everything, at => functions[at]!.likely, mostIdle);
  if (!isEmpty(passing)) return yield* asker.back(minus(everything, passing), empty, pass);
  return (yield* firstOf(byLikelihood.slice(mostFirst, mostSingles))) ?? empty;
}

/** The functions of the reverted files that the test runs. */
async function functionsIn({ pair, hierarchy, blamed, suspicion }: Answered): Promise<readonly OldFunction[]> {
  const { changes } = hierarchy;
  if (!('files' in changes)) return [];
  const paths = new Map(
    blamed.level
      .changes(blamed.back)
      .flatMap(({ parts }) => parts)
      .flatMap(({ oldPath, newPath }) => (oldPath === undefined || newPath === undefined ? [] : [[newPath, oldPath]])),
  );
  const found: OldFunction[] = [];
  for (const [path, oldPath] of paths) {
    const executed = [...deltasOf(suspicion.suspects)].flatMap(delta =>
      changes.changes[delta]!.parts.filter(part => part.newPath === path).map(part => ({ ...part, delta })),
    );
    for (const each of await functionsOf(pair, { old: oldPath!, new: path! })) {
      const [from, to] = each.lines.new;
      const likely = executed
        .filter(({ newStart, newCount }) => newStart < to && newStart + newCount >= from - 1)
        .map(({ delta }) => suspicion.weights?.[delta] ?? 1);
      if (likely.length > 0) found.push({ ...each, likely: Math.max(...likely) });
    }
  }
  return found;
}

/** How many lines a revert removes and brings back. */
function linesOf(pair: Pair, revert: Pick<Blamed, 'level' | 'back'>): number {
  const patch = Buffer.from(revertPatch(pair, revert)).toString('latin1');
  return patch.split('\n').filter(line => /^[-+](?!-- |\+\+ )/.test(line)).length;
}
