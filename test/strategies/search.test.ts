import fc from 'fast-check';
import { expect, test } from 'vitest';
import { all, deltasOf, has, runInOrder, size } from '../../src/core/index.js';
import { each, first, shortest } from '../../src/strategies/index.js';

const wanted = fc.uniqueArray(fc.nat(40));

test('first finds the lowest delta that fails alone, and asks about no higher one', () => {
  fc.assert(
    fc.property(wanted, failing => {
      const test = (configuration: readonly number[]) =>
        failing.some(delta => has(configuration, delta)) ? 'fail' : 'pass';
      const { result, transcript } = runInOrder(first(), all(41), test);
      const lowest = failing.length === 0 ? undefined : Math.min(...failing);
      expect([...deltasOf(result)]).toEqual(lowest === undefined ? [] : [lowest]);
      expect(transcript.length).toBe(lowest === undefined ? 41 : lowest + 1);
    }),
  );
});

test('shortest finds the shortest failing beginning in a logarithmic number of tests', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.nat(), (count, any) => {
      const needed = (any % count) + 1;
      const test = (configuration: readonly number[]) => (size(configuration) >= needed ? 'fail' : 'pass');
      const { result, transcript } = runInOrder(shortest(), all(count), test);
      expect(size(result)).toBe(needed);
      expect(transcript.length).toBeLessThanOrEqual(Math.ceil(Math.log2(count)) + 1);
    }),
  );
});

test('each asks about every delta once, and tells those that fail', () => {
  fc.assert(
    fc.property(wanted, failing => {
      const test = (configuration: readonly number[]) =>
        failing.some(delta => has(configuration, delta)) ? 'fail' : 'unresolved';
      const { result, transcript } = runInOrder(each(), all(41), test);
      expect([...deltasOf(result)]).toEqual([...failing].sort((a, b) => a - b));
      expect(transcript.length).toBe(41);
    }),
  );
});
