/** The fewest functions that make new pass if they are as in old, and what is known of them if the search is stopped. */
import type { Artifact } from '../../../core/artifact.js';
import {
  all,
  type Configuration,
  empty,
  has,
  isEmpty,
  minus,
  type Outcome,
  of,
  size,
  type Test,
} from '../../../core/index.js';
import type { Ended, Event } from '../../../engine/index.js';
import { type Asker, askerFor, type BlameOptions, Stopped } from '../levels/asker.js';
import type { Level } from '../levels/levels.js';
import { fewestAlike } from './fewest-edits.js';
import { levelOfReplacements, linesIn, type OldFunction } from './old-functions.js';
import { sayingTheSame } from './same-words.js';

/** The search for functions may ask this many questions that bring nothing. */
const mostIdle = 24;

/** How much a search may ask. */
export interface Effort {
  /** The likeliest are tried one by one before all of them together. */
  readonly singlesFirst: number;
  /** If all together can't be narrowed down, this many are tried one by one. Undefined: nothing is tried together. */
  readonly singlesLast?: number;
}

/** Nothing is known about which function is likely. */
export const allAlike: Effort = { singlesFirst: 0, singlesLast: 0 };
/** In a rewritten file, many old functions together seldom run, and one of them often does. */
export const oneByOne: Effort = { singlesFirst: 24, singlesLast: 32 };
/** A few questions before a search of another kind. */
export const aFew: Effort = { singlesFirst: 6 };
/** The likeliest functions are tried one by one: a regression is mostly in one of them. */
export const everySingle: Effort = { singlesFirst: 8, singlesLast: 64 };

/** Where a line of new with old functions is in old, counted from 1; undefined if it is not from there. */
export type LineInOld = (path: string, line: number) => number | undefined;

/** New with some functions of old. It passes. */
export interface NewWithOld extends NewWithReplacements {
  readonly functions: readonly OldFunction[];
  readonly lineInOld: LineInOld;
}

/** New with the fewest of these functions as in old that make it pass. If the search is stopped: the fewest that are known; or why it was stopped. */
export async function* withOldFunctions(
  now: Artifact,
  functions: readonly OldFunction[],
  { test, options, effort }: { readonly test: Test<Artifact>; readonly options: BlameOptions; readonly effort: Effort },
): AsyncGenerator<Event, NewWithOld | Exclude<Ended, 'done'> | undefined> {
  const level = levelOfReplacements(now, 'function', functions);
  const found = yield* fewestReplacements(level, test, options, asker =>
    fewestFunctions(asker, { functions, alike: sayingTheSame(now, functions) }, effort),
  );
  if (typeof found !== 'object') return found;
  const old = functions.filter((_, at) => has(found.fewest, at));
  return { ...found, functions: old, lineInOld: linesIn(old) };
}

/** New with some replacements. It passes. */
export interface NewWithReplacements {
  /** `done` if none of them can be left out, as far as they could be told apart. */
  readonly ended: Ended;
  readonly artifact: Artifact;
  readonly fewest: Configuration;
}

/** Runs a search for the fewest replacements that make new pass. If it is stopped: the fewest that are known; or why it was stopped. */
export async function* fewestReplacements(
  level: Level,
  test: Test<Artifact>,
  options: BlameOptions,
  search: (asker: Asker) => AsyncGenerator<Event, Configuration>,
): AsyncGenerator<Event, NewWithReplacements | Exclude<Ended, 'done'> | undefined> {
  const everything = all(level.circumstance.count);
  let fewest: Configuration = empty;
  let ended: Ended = 'done';
  try {
    const asker = askerFor({ level, lessons: { missing: new Set() } }, test, options, () => undefined);
    fewest = yield* noting(search(asker), passing => {
      const back = minus(everything, passing);
      if (isEmpty(fewest) || size(back) < size(fewest)) fewest = back;
    });
  } catch (error) {
    if (!(error instanceof Stopped) || error.ended === 'done') throw error;
    if (isEmpty(fewest)) return error.ended;
    ended = error.ended;
  }
  const artifact = isEmpty(fewest) ? undefined : level.circumstance.build(minus(everything, fewest));
  return artifact && { ended, artifact, fewest };
}

/** The same events; `passed` is called with each configuration that passes. */
export async function* noting<Result>(
  search: AsyncGenerator<Event, Result>,
  passed: (configuration: Configuration) => void,
): AsyncGenerator<Event, Result> {
  try {
    for (;;) {
      const step = await search.next();
      if (step.done) return step.value;
      if (step.value.type === 'answered' && step.value.outcome === 'pass') passed(step.value.configuration);
      yield step.value;
    }
  } finally {
    await search.return(undefined as never);
  }
}

/** Empty if there are no such functions. */
async function* fewestFunctions(
  asker: Asker,
  { functions, alike }: { readonly functions: readonly OldFunction[]; readonly alike: readonly (readonly number[])[] },
  { singlesFirst, singlesLast }: Effort,
): AsyncGenerator<Event, Configuration> {
  const { everything } = asker;
  const pass = 'functions to take back';
  const isCalled = (at: number) => functions[at]!.likely >= 1;
  const byLikelihood = [...functions.keys()]
    .filter(isCalled)
    .sort((a, b) => functions[b]!.likely - functions[a]!.likely || a - b);
  const without = (...some: readonly number[]) => minus(everything, of(some));
  const single = async function* (some: readonly number[]): AsyncGenerator<Event, readonly Outcome[]> {
    return some.length === 0
      ? []
      : yield* asker.askUntilPass(
          pass,
          some.map(at => without(at)),
        );
  };
  const first = byLikelihood.slice(0, singlesFirst);
  const outcomes = yield* single(first);
  if (outcomes.at(-1) === 'pass') return of([first[outcomes.length - 1]!]);
  if (functions.length <= 1 || singlesLast === undefined) return empty;
  const some = yield* fewestAlike(asker, alike, pass);
  if (!isEmpty(some)) return some;
  // What does no harm by itself, or is not called, mostly does none together either, and may be what one of the others needs.
  const those = (outcome: Outcome) => first.filter((_, i) => outcomes[i] === outcome);
  const harmless = [...those('fail'), ...[...functions.keys()].filter(at => !isCalled(at))];
  const both = harmless.length === 0 ? [] : [harmless, ...those('unresolved').map(at => [...harmless, at])];
  const together =
    both.length === 0
      ? []
      : yield* asker.askUntilPass(
          pass,
          both.map(some => without(...some)),
        );
  if (together.at(-1) === 'pass') return yield* asker.back(of(both[together.length - 1]!), empty, pass);
  const { passing } = yield* asker.down(everything, everything, at => functions[at]!.likely, mostIdle);
  if (!isEmpty(passing)) return yield* asker.back(minus(everything, passing), empty, pass);
  const last = byLikelihood.slice(singlesFirst, singlesLast);
  const others = yield* single(last);
  return others.at(-1) === 'pass' ? of([last[others.length - 1]!]) : empty;
}
