/** `isolate` for library users: the smallest difference between two inputs. */
import { between } from '../circumstances/sequence.js';
import { lines, piecesOf, tokens } from '../circumstances/text.js';
import { all, type Circumstance, deltasOf, empty, minus, type Test, UserError } from '../core/index.js';
import { Counter, type Ended, type Event, explore } from '../engine/index.js';
import { dd } from '../strategies/index.js';
import { notAnInput } from './check-input.js';
import { Search } from './search.js';
import type { LibraryOptions } from './simplify.js';
import { type UserTest, verdicts } from './verdicts.js';

export interface Isolated<Artifact> {
  readonly passing: Artifact;
  readonly failing: Artifact;
  /** What makes the difference between the two, in words: `+line`, `-line`. */
  readonly difference: readonly string[];
  readonly ended: Ended;
  readonly tests: number;
  readonly executed: number;
}

/**
 * The smallest difference between an input that passes and one that fails, found from both sides.
 *
 * @example
 * ```ts
 * const passes = ['a', 'b', 'c'];
 * const fails = ['a', 'x', 'b', 'y', 'c', 'z'];
 * const { difference } = await isolate(passes, fails, list => list.includes('y'));
 * // difference: ['+y']
 * ```
 */
export function isolate(
  passing: string,
  failing: string,
  test: UserTest<string>,
  options?: LibraryOptions,
): Search<Isolated<string>>;
export function isolate<Element>(
  passing: readonly Element[],
  failing: readonly Element[],
  test: UserTest<readonly Element[]>,
  options?: LibraryOptions,
): Search<Isolated<readonly Element[]>>;
export function isolate(
  passing: string | readonly unknown[],
  failing: string | readonly unknown[],
  test: UserTest<never>,
  options: LibraryOptions = {},
): unknown {
  const judged = verdicts(test as UserTest<unknown>);
  if (typeof passing !== 'string' || typeof failing !== 'string') {
    for (const input of [passing, failing])
      if (!Array.isArray(input) && typeof input !== 'string') throw notAnInput(input);
    if (typeof passing === 'string' || typeof failing === 'string')
      throw new UserError('One input is a text and the other a list.', 'Pass two texts or two lists.');
    return new Search(run(between(passing, failing), judged, options));
  }
  const byLine = textBetween(passing, failing, lines);
  const finer = byLine.count < 2 ? textBetween(passing, failing, tokens) : byLine;
  return new Search(run(finer, judged as Test<string>, options));
}

function textBetween(a: string, b: string, cut: (text: string) => Circumstance<string>): Circumstance<string> {
  const circumstance = between(piecesOf(cut, a), piecesOf(cut, b));
  return { ...circumstance, build: configuration => circumstance.build(configuration)!.join('') };
}

async function* run<Artifact>(
  circumstance: Circumstance<Artifact>,
  test: Test<Artifact>,
  options: LibraryOptions,
): AsyncGenerator<Event, Isolated<Artifact>> {
  const { workers = 1, signal = new AbortController().signal, maxTests } = options;
  if (circumstance.count === 0)
    throw new UserError(
      'Nothing to isolate: the two inputs are the same.',
      'Pass one that passes and one that fails.',
      1,
    );
  for (const [configuration, expected] of [
    [empty, 'pass'],
    [all(circumstance.count), 'fail'],
  ] as const) {
    const { outcome } = await test(circumstance.build(configuration)!, signal);
    if (outcome !== expected)
      throw new UserError(
        outcome === 'unresolved'
          ? `The test cannot judge the ${expected}ing input: there is no difference in outcome to isolate.`
          : `The ${expected}ing input ${outcome === 'fail' ? 'fails' : 'passes'}: there is no difference in outcome to isolate.`,
        'Give the passing input first.',
        1,
      );
  }
  const counter = new Counter();
  yield { type: 'began', job: 'isolate', before: { deltas: circumstance.count } };
  const end = yield* explore(dd(), circumstance, test, {
    workers,
    signal,
    counter,
    ...(maxTests === undefined ? {} : { maxTests }),
  });
  const { passing = empty, best: failing } = end;
  const difference = minus(failing, passing);
  const { tests, executed } = counter.counts;
  return {
    passing: circumstance.build(passing)!,
    failing: circumstance.build(failing)!,
    difference: [...deltasOf(difference)].map(delta => circumstance.describe!(delta)),
    ended: end.ended,
    tests,
    executed,
  };
}
