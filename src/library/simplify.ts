/** `simplify` for library users: the smallest part of an input that still fails. */

import { elements } from '../circumstances/sequence.js';
import { characters, lines, tokens } from '../circumstances/text.js';
import { cannotCombine } from '../core/cannot-combine.js';
import {
  all,
  type Circumstance,
  type Configuration,
  empty,
  type Strategy,
  size,
  type Test,
  UserError,
} from '../core/index.js';
import { Counter, type Ended, type Event, explore } from '../engine/index.js';
import type { Pass } from '../plans/pass.js';
import { simplify as plan } from '../plans/simplify.js';
import { sweep } from '../strategies/index.js';
import { asCircumstance } from './check-input.js';
import { Search } from './search.js';
import { type UserTest, verdicts } from './verdicts.js';

export interface LibraryOptions {
  /** How many tests may run at a time (default 1). Never changes the result. */
  readonly workers?: number;
  /** Stops the search; the result then carries the smallest failure so far. */
  readonly signal?: AbortSignal;
  readonly maxTests?: number;
  /** The algorithm (default: sweep). For a text, it is used for each of its levels. */
  // biome-ignore lint/suspicious/noExplicitAny: what a strategy's states look like is its own affair.
  readonly strategy?: Strategy<any, Configuration>;
}

export interface SimplifyTextOptions extends LibraryOptions {
  /** Which pieces may be removed (default: lines, then tokens, then characters, until nothing changes). */
  readonly by?: 'line' | 'token' | 'character';
  /** The language, by its name or the ending of its files: the text is reduced by its syntax tree first. */
  readonly language?: string;
  /** With a language: how much knowledge of it to use (default: as much as there is). */
  readonly level?: 'lexical' | 'syntactic' | 'semantic';
}

export interface Simplification<Artifact> {
  /** The smallest artifact that was seen to fail. */
  readonly value: Artifact;
  readonly ended: Ended;
  /**
   * What was proven: no single one of these can be removed. Empty if the search was stopped, or if the value did not fail
   * when it was tested once more at the end.
   */
  readonly minimal: readonly string[];
  /** Questions asked. */
  readonly tests: number;
  /** Tests really run. */
  readonly executed: number;
}

/**
 * The smallest part of an input that still fails.
 *
 * @example
 * ```ts
 * const { value, minimal } = await simplify('let a = 1;\nlet b = 2;\ncrash(b);\n', text => text.includes('crash'));
 * // value === 'crash', minimal: ['line', 'token', 'character']
 * ```
 * @example
 * ```ts
 * const { value } = await simplify([3, 1, 4, 1, 5, 9, 2, 6], list => list.includes(4) && list.includes(9));
 * // value: [4, 9]
 * ```
 * @example
 * ```ts
 * const page = '<html><body><p>one</p><p>two <b>three</b></p></body></html>';
 * const { value } = await simplify(page, html => /<b>.*<\/b>/.test(html), { language: 'html' });
 * // value === '<b></b>'
 * ```
 */
export function simplify(
  text: string,
  test: UserTest<string>,
  options?: SimplifyTextOptions,
): Search<Simplification<string>>;
export function simplify<Element>(
  list: readonly Element[],
  test: UserTest<readonly Element[]>,
  options?: LibraryOptions,
): Search<Simplification<readonly Element[]>>;
export function simplify<Artifact>(
  circumstance: Circumstance<Artifact>,
  test: UserTest<Artifact>,
  options?: LibraryOptions,
): Search<Simplification<Artifact>>;
export function simplify(
  input: string | readonly unknown[] | Circumstance<unknown>,
  test: UserTest<never>,
  options: SimplifyTextOptions = {},
): unknown {
  const judged = verdicts(test as UserTest<unknown>);
  if (typeof input === 'string') return new Search(simplifyText(input, judged as Test<string>, options));
  const circumstance: Circumstance<unknown> = isList(input) ? elements(input) : asCircumstance(input);
  return new Search(simplifyOne(circumstance, judged, options));
}

const isList = (input: readonly unknown[] | Circumstance<unknown>): input is readonly unknown[] => Array.isArray(input);

async function* simplifyText(
  text: string,
  test: Test<string>,
  options: SimplifyTextOptions,
): AsyncGenerator<Event, Simplification<string>> {
  const { language, strategy } = options;
  const passes = language === undefined ? lexicalPasses(options) : await structuralPasses(text, options);
  yield* checkedEnds(lines(text), test, options);
  const counter = new Counter();
  const end = yield* plan(text, passes, test, {
    ...settings(options),
    counter,
    identify: each => each,
    measure: each => each.length,
  });
  const { tests, executed } = counter.counts;
  const mayProve = end.ended === 'done' && (!strategy || strategy.proves);
  const minimal = mayProve && (await failsAgain(end.artifact, test, options)) ? end.minimal : [];
  return { value: end.artifact, ended: end.ended, minimal, tests, executed };
}

function lexicalPasses({ by, strategy }: SimplifyTextOptions): readonly Pass<string>[] {
  const levels = { line: lines, token: tokens, character: characters };
  const names = by ? [by] : (['line', 'token', 'character'] as const);
  return names.map(name => ({
    name: `${name}s`,
    proves: name,
    stable: name !== 'token',
    over: levels[name],
    ...(strategy ? { strategy: () => strategy } : {}),
  }));
}

/** The passes of `culprit reduce` for one file. Grammars are loaded only if they are asked for. */
async function structuralPasses(text: string, options: SimplifyTextOptions): Promise<readonly Pass<string>[]> {
  const { language = '', level, by, strategy } = options;
  if (by !== undefined)
    throw cannotCombine('`by`', '`language`', 'Leave one of them out; `by` reduces without a tree.');
  const { passesIn } = await import('../plans/reduce/text-passes.js');
  const passes = await passesIn(language, text, level ? { level } : {});
  return strategy ? passes.map(pass => (pass.strategy ? pass : { ...pass, strategy: () => strategy })) : passes;
}

async function* simplifyOne<Artifact>(
  circumstance: Circumstance<Artifact>,
  test: Test<Artifact>,
  options: LibraryOptions,
): AsyncGenerator<Event, Simplification<Artifact>> {
  yield* checkedEnds(circumstance, test, options);
  const counter = new Counter();
  const strategy = options.strategy ?? sweep();
  const end = yield* explore(strategy, circumstance, test, { ...settings(options), counter });
  const { tests, executed } = counter.counts;
  const value = circumstance.build(end.best)!;
  const proven = end.ended === 'done' && strategy.proves && (await failsAgain(value, test, options));
  const minimal = proven ? [circumstance.name] : [];
  return { value, ended: end.ended, minimal, tests, executed };
}

/** Nothing is called proven that was not tested again: a test that depends on chance or on time may have changed its mind. */
async function failsAgain<Artifact>(
  value: Artifact,
  test: Test<Artifact>,
  { signal }: LibraryOptions,
): Promise<boolean> {
  const { outcome } = await test(value, signal ?? new AbortController().signal);
  return outcome === 'fail';
}

/** How a search is driven, out of a library user's options. */
export const settings = ({ workers = 1, signal, maxTests }: LibraryOptions) => ({
  workers,
  ...(signal ? { signal } : {}),
  ...(maxTests === undefined ? {} : { maxTests }),
});

/** Axiom 4 of the paper, by experiment: the whole fails, and the empty configuration does not. */
export async function* checkedEnds<Artifact>(
  circumstance: Circumstance<Artifact>,
  test: Test<Artifact>,
  { signal = new AbortController().signal }: LibraryOptions,
): AsyncGenerator<Event> {
  if (circumstance.count === 0)
    throw new UserError('Nothing to reduce: the input is empty.', 'Pass an input that fails.', 1);
  const whole = await test(circumstance.build(all(circumstance.count))!, signal);
  if (whole.outcome !== 'fail')
    throw new UserError(
      `The test ${whole.outcome === 'pass' ? 'passes' : 'is unresolved'} on the whole input: there is no failure to reduce.`,
      'The test must return "fail" or true, or throw, for the original input.',
      1,
    );
  const nothing = circumstance.build(empty);
  const none = nothing === undefined ? undefined : await test(nothing, signal);
  if (none?.outcome === 'fail')
    throw new UserError(
      'The test fails on the empty input too: the failure needs no input, or the test fails on everything.',
      'Check that the test can pass.',
      1,
    );
  yield {
    type: 'began',
    job: 'simplify',
    before: { deltas: size(all(circumstance.count)) },
    ...(whole.signature ? { signature: whole.signature } : {}),
  };
}
