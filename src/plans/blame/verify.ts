import type { Artifact } from '../../circumstances/artifact.js';
import { all, minus, type Outcome, type Test } from '../../core/index.js';
import { type Event, explore } from '../../engine/index.js';
import type { Blamed, BlameOptions } from '../blame.js';
import { asking } from './asking.js';

export interface Proof {
  /** The first cause that does not make old fail tells; `fail` where all do. */
  readonly alone: Outcome;
  /** What comes of new without the causes. */
  readonly without: Outcome;
}

/** Asks once more about what the result stands on, by another test. */
export async function* verified(
  { level, causes, back }: Blamed,
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, Proof> {
  const everything = all(level.circumstance.count);
  const questions = [...causes.map(({ changes }) => changes), minus(everything, back)];
  const check = asking(everything, questions);
  yield {
    type: 'pass',
    pass: 'the result, built from nothing',
    round: 1,
    deltas: everything.length,
    strategy: check.name,
  };
  const { result = [] } = yield* explore(check, level.circumstance, test, options);
  const alone = result.slice(0, -1).find(outcome => outcome !== 'fail') ?? 'fail';
  return { alone, without: result.at(-1) ?? 'unresolved' };
}
