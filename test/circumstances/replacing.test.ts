import fc from 'fast-check';
import { expect, test } from 'vitest';
import { replacing } from '../../src/circumstances/sequence.js';
import { all, empty, of } from '../../src/core/index.js';

test('a line that replaces a line is one difference', () => {
  const changes = replacing(['a', 'b', 'c'], ['a', 'x', 'c']);
  expect(changes.count).toBe(1);
  expect(changes.describe!(0)).toBe('-b+x');
});

test('where more come than go, each stands for itself', () => {
  const changes = replacing(['a', 'b'], ['a', 'x', 'y']);
  expect([0, 1, 2].map(delta => changes.describe!(delta))).toEqual(['-b', '+x', '+y']);
  expect(changes.build(of([1]))).toEqual(['a', 'b', 'x']);
});

test('nothing applied is the one list, everything the other', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });
  fc.assert(
    fc.property(list, list, (passing, failing) => {
      const changes = replacing(passing, failing);
      expect(changes.build(empty)).toEqual(passing);
      expect(changes.build(all(changes.count))).toEqual(failing);
    }),
  );
});
