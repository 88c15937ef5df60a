import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  all,
  byWeight,
  type Configuration,
  deltasOf,
  equals,
  has,
  intersection,
  isSubset,
  key,
  largerFirst,
  minus,
  nearlyEqual,
  of,
  size,
  slice,
  union,
} from '../../src/core/index.js';

const deltas = fc.uniqueArray(fc.nat(60), { maxLength: 40 });
const list = (configuration: Configuration) => [...deltasOf(configuration)];

test('a configuration holds exactly the deltas it was made of, in order and once', () => {
  fc.assert(
    fc.property(deltas, numbers => {
      const made = of([...numbers, ...numbers]);
      expect(list(made)).toEqual([...numbers].sort((a, b) => a - b));
      expect(size(made)).toBe(numbers.length);
      for (let i = 0; i <= 61; i++) expect(has(made, i)).toBe(numbers.includes(i));
    }),
  );
});

test('union, minus, intersection and subset agree with sets', () => {
  fc.assert(
    fc.property(deltas, deltas, (x, y) => {
      const [a, b] = [of(x), of(y)];
      expect(list(union(a, b))).toEqual(list(of([...x, ...y])));
      expect(list(minus(a, b))).toEqual(list(of(x.filter(each => !y.includes(each)))));
      expect(list(intersection(a, b))).toEqual(list(of(x.filter(each => y.includes(each)))));
      expect(isSubset(a, b)).toBe(x.every(each => y.includes(each)));
    }),
  );
});

test('the same set has the same ranges and the same key however it was made', () => {
  fc.assert(
    fc.property(deltas, deltas, (x, y) => {
      const apart = minus(union(of(x), of(y)), of(y));
      const straight = of(x.filter(each => !y.includes(each)));
      expect(equals(apart, straight)).toBe(true);
      expect(key(apart)).toBe(key(straight));
    }),
  );
});

test('different sets of many ranges have different keys', () => {
  const odd = Array.from({ length: 200 }, (_, i) => 2 * i);
  const keys = new Set(odd.map((_, gone) => key(of(odd.filter((_, i) => i !== gone)))));
  expect(keys.size).toBe(odd.length);
});

test('a million deltas with three holes are a handful of numbers', () => {
  expect(minus(all(1_000_000), of([5, 7, 500_000])).length).toBeLessThanOrEqual(8);
});

test('n parts are disjoint, in order, nearly equal, and together the whole', () => {
  fc.assert(
    fc.property(deltas, fc.integer({ min: 1, max: 12 }), (numbers, n) => {
      const whole = of(numbers);
      for (const partition of [nearlyEqual, largerFirst]) {
        const parts = partition(whole, n);
        expect(parts).toHaveLength(n);
        expect(parts.flatMap(list)).toEqual(list(whole));
        const sizes = parts.map(size);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        expect(sizes).toEqual([...sizes].sort((a, b) => (partition === nearlyEqual ? a - b : b - a)));
      }
    }),
  );
});

test('parts by weight are together the whole, and no part is empty while there are deltas enough', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 50 }),
      fc.integer({ min: 1, max: 9 }),
      (weights, n) => {
        const parts = byWeight(weights)(all(weights.length), n);
        expect(parts.flatMap(list)).toEqual(list(all(weights.length)));
        if (n <= weights.length) for (const part of parts) expect(size(part)).toBeGreaterThan(0);
      },
    ),
  );
});

test('one heavy delta stands alone when parts are cut by weight', () => {
  expect(byWeight([1, 1, 1000, 1, 1])(all(5), 3).map(list)).toEqual([[0, 1], [2], [3, 4]]);
});

test('a slice takes positions, not numbers', () => {
  fc.assert(
    fc.property(deltas, fc.nat(45), fc.nat(45), (numbers, a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      expect(list(slice(of(numbers), from, to))).toEqual(list(of(numbers)).slice(from, to));
    }),
  );
});
