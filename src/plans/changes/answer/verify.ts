/** Checks a found cause: it must fail when applied, and pass when reverted. */
import type { Artifact } from '../../../core/artifact.js';
import { all, deltasOf, minus, of, size, type Test } from '../../../core/index.js';
import { type Event, explore } from '../../../engine/index.js';
import { askAll } from '../../../strategies/ask-all.js';
import type { Blamed, BlameOptions } from '../levels/blame.js';

/** For a cause with more changes than this, it is not tested again whether each is needed. */
const most = 4;

/** Tests again, with another test, what the result rests on: does it still hold? */
export async function* verify(
  { level, causes, back }: Pick<Blamed, 'level' | 'causes' | 'back'>,
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, boolean> {
  const everything = all(level.circumstance.count);
  const sets = causes.map(({ changes }) => changes);
  const fewer = sets
    .filter(set => size(set) > 1 && size(set) <= most)
    .flatMap(set => [...deltasOf(set)].map(delta => minus(set, of([delta]))));
  const questions = [...sets, minus(everything, back), ...fewer];
  const check = askAll(everything, questions);
  yield {
    type: 'pass',
    pass: 'the result, built from scratch',
    round: 1,
    deltas: size(everything),
    strategy: check.name,
  };
  const { result = [] } = yield* explore(check, level.circumstance, test, options);
  return questions.every((_, i) => {
    const outcome = result[i];
    if (i < sets.length) return outcome === 'fail';
    return i === sets.length ? outcome === 'pass' : outcome !== 'fail';
  });
}
