import { expect, test } from 'vitest';
import { addAll, greatestOf, leastOf } from '../../src/core/lists.js';

test('A million values do not overflow the stack.', () => {
  const million = Array.from({ length: 1_000_000 }, (_, i) => (i * 7919) % 1_000_003);
  const list = [-1];
  addAll(list, million);
  expect(list.length).toBe(1_000_001);
  expect([leastOf(million), greatestOf(million)]).toEqual([0, 1_000_002]);
});

test('What is no number is seen, as Math.min and Math.max see it.', () => {
  for (const list of [[], [1], [2, Number.NaN, 1], [Number.NaN], [-0, 5]])
    expect([leastOf(list), greatestOf(list)]).toEqual([Math.min(...list), Math.max(...list)]);
});
