import fc from 'fast-check';
import { expect, test } from 'vitest';
import { all, deltasOf, intersection, isEmpty, of, union } from '../../src/core/index.js';
import { cutting } from '../../src/strategies/cutting.js';

const listed = (configuration: readonly number[]) => [...deltasOf(configuration)];

test('the likeliest delta stands alone in the first part, when it is as likely as all others together', () => {
  const { cut } = cutting({ likely: delta => (delta === 6 ? 9 : 1) });
  expect(cut(all(10)).map(listed)).toEqual([[6], [0, 1, 2, 3, 4, 5, 7, 8, 9]]);
});

test('a group is cut only when nothing else is left, the coarsest grouping first', () => {
  const places = [[0], [1, 2, 3], [4, 5]];
  const files = [
    [0, 1, 2, 3],
    [4, 5],
  ];
  const { cut, isDivisible } = cutting({ groupings: [files, places] });
  expect(cut(all(6)).map(listed)).toEqual([
    [0, 1, 2, 3],
    [4, 5],
  ]);
  expect(cut(of([0, 1, 2, 3])).map(listed)).toEqual([[0], [1, 2, 3]]);
  expect(cut(of([1, 2, 3])).map(listed)).toEqual([[1, 2], [3]]);
  expect([all(6), of([0, 1]), of([1, 2, 3])].map(isDivisible)).toEqual([true, true, false]);
});

test('whatever the weights and groups, the parts are not empty, do not overlap, and are everything together', () => {
  const arrangement = fc.record({
    deltas: fc.uniqueArray(fc.nat(30), { minLength: 1 }),
    weights: fc.array(fc.double({ min: 0.1, max: 9, noNaN: true }), { minLength: 31, maxLength: 31 }),
    ends: fc.uniqueArray(fc.integer({ min: 1, max: 30 })),
  });
  fc.assert(
    fc.property(arrangement, ({ deltas, weights, ends }) => {
      const groups = [0, ...ends.sort((a, b) => a - b)].map((from, i, starts) =>
        Array.from({ length: (starts[i + 1] ?? 31) - from }, (_, k) => from + k),
      );
      const { cut } = cutting({ groupings: [groups], likely: delta => weights[delta]! });
      const whole = of(deltas);
      const parts = cut(whole);
      expect(parts).toHaveLength(Math.min(2, deltas.length));
      expect(parts.some(isEmpty)).toBe(false);
      expect(parts.reduce(union)).toEqual(whole);
      if (parts.length > 1) expect(intersection(parts[0]!, parts[1]!)).toEqual([]);
    }),
  );
});
