/** `causes` for people who import culprit: every cause of a failure, and every way to avoid it. */
import { elements } from '../circumstances/sequence.js';
import { characters, lines, tokens } from '../circumstances/text.js';
import { type Circumstance, type Configuration, deltasOf, type Test, UserError } from '../core/index.js';
import { Counter, type Ended, type Event } from '../engine/index.js';
import { sentenceOf, wordsOf } from '../plans/causes/describe-causes.js';
import { allCauses } from '../plans/causes/search.js';
import { asCircumstance } from './check-input.js';
import { Search } from './search.js';
import { checkedEnds, type LibraryOptions, settings } from './simplify.js';
import { type UserTest, verdicts } from './verdicts.js';

export interface CausesOptions extends LibraryOptions {
  /** At most this many causes, and this many ways to avoid them (default: all). */
  readonly limit?: number;
  /** The pieces of a text (default: line). */
  readonly by?: 'line' | 'token' | 'character';
}

export interface FoundCauses {
  /** Each is enough by itself, and nothing in it can be left out. In words, in the order in which they were found. */
  readonly causes: readonly (readonly string[])[];
  /** What to leave out so that the failure goes away: tested, the smallest first. */
  readonly avoid: readonly (readonly string[])[];
  /** Leaving out these can't be judged: another cause may hide there. */
  readonly unknown: readonly (readonly string[])[];
  /** Without these the test says nothing at all: they are always there, and are part of no cause. */
  readonly needed: readonly string[];
  /** These are all causes and all ways to avoid them, if the test is monotone. */
  readonly complete: boolean;
  /** What was proven, in a sentence. */
  readonly sentence: string;
  readonly ended: Ended;
  readonly tests: number;
  readonly executed: number;
}

/**
 * Every cause of a failure, and every way to avoid it.
 *
 * @example
 * ```ts
 * const settings = ['cache', 'debug', 'fast', 'strict', 'trace'];
 * const test = on => on.includes('debug') || (on.includes('fast') && on.includes('trace'));
 * const found = await causes(settings, test);
 * found.causes; // → [['debug'], ['fast', 'trace']]
 * found.avoid; // → [['debug', 'fast'], ['debug', 'trace']]
 * found.sentence; // → 'Done. These are all 2 causes; 2 ways to avoid it.'
 * ```
 */
export function causes(text: string, test: UserTest<string>, options?: CausesOptions): Search<FoundCauses>;
export function causes<Element>(
  list: readonly Element[],
  test: UserTest<readonly Element[]>,
  options?: CausesOptions,
): Search<FoundCauses>;
export function causes<Artifact>(
  circumstance: Circumstance<Artifact>,
  test: UserTest<Artifact>,
  options?: CausesOptions,
): Search<FoundCauses>;
export function causes(
  input: string | readonly unknown[] | Circumstance<unknown>,
  test: UserTest<never>,
  options: CausesOptions = {},
): Search<FoundCauses> {
  const { limit, by = 'line' } = options;
  if (limit !== undefined && !(limit >= 1))
    throw new UserError(`A limit of ${limit} leaves nothing to find.`, 'Give a limit of at least 1, or none.');
  const cuts = { line: lines, token: tokens, character: characters };
  const circumstance =
    typeof input === 'string' ? cuts[by](input) : Array.isArray(input) ? elements(input) : asCircumstance(input);
  return new Search(run(circumstance as Circumstance<unknown>, verdicts(test as UserTest<unknown>), options));
}

async function* run<Artifact>(
  circumstance: Circumstance<Artifact>,
  test: Test<Artifact>,
  options: CausesOptions,
): AsyncGenerator<Event, FoundCauses> {
  yield* checkedEnds(circumstance, test, options);
  const counter = new Counter();
  const found = yield* allCauses(circumstance, test, {
    ...settings(options),
    counter,
    ...(options.limit === undefined ? {} : { limit: options.limit }),
    ...(options.strategy ? { list: options.strategy } : {}),
  });
  const words = wordsOf(circumstance);
  const named = (set: Configuration) => [...deltasOf(set)].map(words);
  const { tests, executed } = counter.counts;
  return {
    causes: found.causes.map(named),
    avoid: found.avoid.map(named),
    unknown: found.unknown.map(named),
    needed: named(found.needed),
    complete: found.complete,
    sentence: sentenceOf(found, words),
    ended: found.ended,
    tests,
    executed,
  };
}
