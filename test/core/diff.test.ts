import fc from 'fast-check';
import { expect, test } from 'vitest';
import { difference, type Hunk } from '../../src/core/diff.js';

const sequence = fc.array(fc.nat(4), { maxLength: 24 }).map(numbers => Int32Array.from(numbers));

const applied = (a: Int32Array, b: Int32Array, hunks: readonly Hunk[]): number[] => {
  const result: number[] = [];
  let position = 0;
  for (const { oldStart, oldCount, newStart, newCount } of hunks) {
    result.push(...a.slice(position, oldStart), ...b.slice(newStart, newStart + newCount));
    position = oldStart + oldCount;
  }
  return [...result, ...a.slice(position)];
};

/** The length of the longest common subsequence, by the textbook's table. */
function common(a: Int32Array, b: Int32Array): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const x of a) {
    const next = [0];
    for (let j = 1; j <= b.length; j++) next[j] = b[j - 1] === x ? row[j - 1]! + 1 : Math.max(row[j]!, next[j - 1]!);
    row = next;
  }
  return row[b.length]!;
}

test('the hunks make the new sequence out of the old one, and no shorter difference exists', () => {
  fc.assert(
    fc.property(sequence, sequence, (a, b) => {
      const hunks = difference(a, b);
      expect(applied(a, b, hunks)).toEqual([...b]);
      const cost = hunks.reduce((sum, { oldCount, newCount }) => sum + oldCount + newCount, 0);
      expect(cost).toBe(a.length + b.length - 2 * common(a, b));
    }),
    { numRuns: 2000 },
  );
});

test('hunks never touch each other', () => {
  fc.assert(
    fc.property(sequence, sequence, (a, b) => {
      let end = -1;
      for (const { oldStart, oldCount } of difference(a, b)) {
        expect(oldStart).toBeGreaterThan(end);
        end = oldStart + oldCount;
      }
    }),
  );
});

test('a new block that repeats its surroundings is one hunk, as low as it goes', () => {
  const [open, body, close, other] = [1, 2, 3, 4];
  const a = Int32Array.from([open, body, close, 9]);
  const b = Int32Array.from([open, body, close, open, other, close, 9]);
  expect(difference(a, b)).toEqual([{ oldStart: 3, oldCount: 0, newStart: 3, newCount: 3 }]);
});

test('sequences with nothing in common end quickly, as one hunk or more that still make the new one', () => {
  const a = Int32Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 5003);
  const b = Int32Array.from({ length: 20_000 }, (_, i) => (i * 104_729) % 5003);
  expect(applied(a, b, difference(a, b))).toEqual([...b]);
});
