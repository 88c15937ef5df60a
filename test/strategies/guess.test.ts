import { expect, test } from 'vitest';
import { all, has, of, runInOrder } from '../../src/core/index.js';
import { guess } from '../../src/strategies/index.js';

test('a guess that fails by itself is the answer after one question', () => {
  const { result, transcript } = runInOrder(guess([of([3]), of([5])]), all(8), set => (has(set, 5) ? 'fail' : 'pass'));
  expect(result?.difference).toEqual(of([5]));
  expect(transcript.map(({ configuration }) => configuration)).toEqual([of([3]), of([5])]);
});

test('if all deltas together do not fail, there is no result, and no search', () => {
  for (const outcome of ['pass', 'unresolved'] as const) {
    const { result, transcript } = runInOrder(guess([of([1])]), all(8), () => outcome);
    expect(result).toBeUndefined();
    expect(transcript).toHaveLength(2);
  }
});

test('without deltas there is nothing to ask', () => {
  const { result, transcript } = runInOrder(guess([]), all(0), () => 'fail');
  expect([result, transcript]).toEqual([undefined, []]);
});
