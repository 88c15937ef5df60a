import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  all,
  type Configuration,
  deltasOf,
  has,
  isSubset,
  minus,
  type Outcome,
  of,
  runInOrder,
} from '../../src/core/index.js';
import { type Causes, marco, smallestHittingSet } from '../../src/strategies/index.js';
import { hash } from './oracles.js';

type Sets = readonly (readonly number[])[];

/** Fails if all deltas of one of the causes are there. */
const anyOf =
  (causes: Sets) =>
  (configuration: Configuration): Outcome =>
    causes.some(cause => cause.every(delta => has(configuration, delta))) ? 'fail' : 'pass';

const sorted = (sets: Iterable<Iterable<number>>): readonly string[] =>
  [...sets].map(set => [...set].sort((a, b) => a - b).join()).sort();
const listed = (configurations: readonly Configuration[]) => sorted(configurations.map(each => deltasOf(each)));

/** Every subset of n deltas, asked one by one: all minimal failing and all maximal passing ones. */
function bruteForce(n: number, test: (configuration: Configuration) => Outcome) {
  const sets = Array.from({ length: 2 ** n }, (_, bits) =>
    of(Array.from({ length: n }, (_, delta) => delta).filter(delta => (bits >> delta) & 1)),
  );
  const failing = sets.filter(set => test(set) === 'fail');
  const passing = sets.filter(set => test(set) === 'pass');
  const without = (set: Configuration) => [...deltasOf(set)].map(delta => minus(set, of([delta])));
  const withOne = (set: Configuration) => [...deltasOf(minus(all(n), set))].map(delta => of([...deltasOf(set), delta]));
  return {
    causes: failing.filter(set => without(set).every(each => test(each) === 'pass')),
    passing: passing.filter(set => withOne(set).every(each => test(each) === 'fail')),
  };
}

/** 1 to 10 deltas with 1 to 5 causes, none of them empty. */
const models = fc.integer({ min: 1, max: 10 }).chain(n =>
  fc.record({
    n: fc.constant(n),
    causes: fc.array(fc.uniqueArray(fc.nat(n - 1), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
  }),
);

describe('marco', () => {
  test('finds exactly the causes and the maximal passing sets that brute force finds', () => {
    fc.assert(
      fc.property(models, ({ n, causes }) => {
        const ask = anyOf(causes);
        const { result } = runInOrder(marco(), all(n), ask);
        const expected = bruteForce(n, ask);
        expect(listed(result.causes)).toEqual(listed(expected.causes));
        expect(listed(result.passing)).toEqual(listed(expected.passing));
        expect(result).toMatchObject({ complete: true, unknown: [] });
        expect(result.stopped ?? result.contradiction).toBeUndefined();
      }),
      { numRuns: 400 },
    );
  });

  test('with unresolved tests, whatever it calls complete has every cause, and else it says what is open', () => {
    fc.assert(
      fc.property(models, fc.integer({ min: 1, max: 50 }), fc.integer(), ({ n, causes }, noise, seed) => {
        const monotone = anyOf(causes);
        const ask = (configuration: Configuration): Outcome => {
          const kept = configuration.length > 0 && !isSubset(all(n), configuration);
          return kept && hash(configuration, seed) % 100 < noise ? 'unresolved' : monotone(configuration);
        };
        const { result } = runInOrder(marco(), all(n), ask);
        for (const set of result.passing) expect(ask(set)).toBe('pass');
        for (const set of result.unknown) expect(ask(set)).toBe('unresolved');
        expect(result.contradiction).toBeUndefined();
        const failing = subsetsOf(n).filter(set => ask(set) === 'fail');
        const isMissed = (set: Configuration) => !result.causes.some(cause => isSubset(cause, set));
        // What no cause explains can only hide in a set that is listed as unknown.
        for (const set of failing.filter(isMissed)) {
          expect(result.complete).toBe(false);
          expect(result.unknown.some(each => isSubset(set, each))).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('ends on any test at all, and calls nothing complete that it saw contradicted', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer(), (n, seed) => {
        const ask = (configuration: Configuration): Outcome =>
          isSubset(all(n), configuration) ? 'fail' : hash(configuration, seed) % 2 === 0 ? 'fail' : 'pass';
        const { result, transcript } = runInOrder(marco({ limit: 50 }), all(n), ask);
        for (const cause of result.causes) expect(ask(cause)).toBe('fail');
        if (!result.contradiction) return;
        const { passing, failing } = result.contradiction;
        expect([ask(passing), ask(failing), isSubset(failing, passing)]).toEqual(['pass', 'fail', true]);
        expect(result.complete).toBe(false);
        expect(transcript.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });

  test('a delta that prevents the failure is noticed: a part of a passing set fails', () => {
    // 2 fails with 6, and without 0 it fails by itself: {0, 1, 2} passes, {2} fails.
    const ask = (c: Configuration): Outcome => (has(c, 2) && (has(c, 6) || !has(c, 0)) ? 'fail' : 'pass');
    const { result } = runInOrder(marco(), all(8), ask);
    expect(result.contradiction).toBeDefined();
    expect(result.complete).toBe(false);
    expect(listed(result.causes)).toEqual(['2']);
    for (const set of result.passing) expect(ask(set)).toBe('pass');
  });

  test('stops at a limit of causes only if there are more of them', () => {
    const ask = anyOf([[1], [4], [7]]);
    const found = (limit: number) => runInOrder(marco({ limit }), all(9), ask).result;
    expect(found(2)).toMatchObject({ complete: false, stopped: 'limit' });
    expect(found(2).causes).toHaveLength(2);
    expect(found(3)).toMatchObject({ complete: true });
    expect(found(3).causes).toHaveLength(3);
    expect(() => marco({ limit: 0 })).toThrow('at least 1');
    expect(() => marco({ limit: Number.NaN })).toThrow('at least 1');
  });

  test('a failure that needs no delta has one cause, the empty one, and no way to avoid it', () => {
    const { result } = runInOrder(marco(), all(4), () => 'fail');
    expect(result).toEqual({ causes: [[]], passing: [], unknown: [], complete: true } satisfies Causes);
  });

  test('in an unresolved seed, a passing set is searched for', () => {
    // 3 can't be without 2: leaving out 2 alone is unresolved, leaving out both passes.
    const ask = (c: Configuration): Outcome =>
      has(c, 3) && !has(c, 2) ? 'unresolved' : has(c, 2) && has(c, 5) ? 'fail' : 'pass';
    const { result } = runInOrder(marco(), all(8), ask);
    expect(listed(result.causes)).toEqual(['2,5']);
    expect(listed(result.passing.map(each => minus(all(8), each)))).toEqual(['2,3', '5']);
    expect(listed(result.unknown.map(each => minus(all(8), each)))).toEqual(['2']);
    expect(result.complete).toBe(false);
  });

  test('10,000 deltas with 50 causes end at the limit with what was found', () => {
    const causes = Array.from({ length: 50 }, (_, i) => [i * 190, i * 190 + 7 * (i % 5) + 3]);
    const { result } = runInOrder(marco({ limit: 60 }), all(10_000), anyOf(causes));
    expect(listed(result.causes)).toEqual(sorted(causes));
    // 2 to the power of 50 ways to avoid it: nobody asks for all of them.
    expect(result).toMatchObject({ complete: false, stopped: 'limit' });
    expect(result.passing).toHaveLength(60);
    for (const set of result.passing) expect(10_000 - [...deltasOf(set)].length).toBe(50);
  });
});

const subsetsOf = (n: number) =>
  Array.from({ length: 2 ** n }, (_, bits) =>
    of(Array.from({ length: n }, (_, delta) => delta).filter(delta => (bits >> delta) & 1)),
  );

describe('smallestHittingSet', () => {
  const family = fc.array(fc.uniqueArray(fc.nat(8), { minLength: 1, maxLength: 4 }), { maxLength: 7 });

  test('is a smallest one, and avoids what is excluded', () => {
    fc.assert(
      fc.property(family, family, (sets, excluded) => {
        const { set, certain } = smallestHittingSet(sets, { excluded });
        const fits = (chosen: readonly number[]) =>
          sets.every(each => each.some(one => chosen.includes(one))) &&
          !excluded.some(each => each.every(one => chosen.includes(one)));
        const sizes = subsetsOf(9)
          .map(each => [...deltasOf(each)])
          .filter(fits)
          .map(each => each.length);
        expect(certain).toBe(true);
        if (!set) expect(sizes).toEqual([]);
        else expect([fits(set), set.length]).toEqual([true, Math.min(...sizes)]);
      }),
      { numRuns: 300 },
    );
  });

  test('with little effort it gives a minimal set, or says that it has none', () => {
    fc.assert(
      fc.property(family, fc.nat(60), (sets, effort) => {
        const { set, certain } = smallestHittingSet(sets, { effort });
        if (!set) {
          expect(certain).toBe(false);
          return;
        }
        const isHit = (chosen: readonly number[]) => sets.every(each => each.some(one => chosen.includes(one)));
        expect(isHit(set)).toBe(true);
        for (const element of set) expect(isHit(set.filter(each => each !== element))).toBe(false);
      }),
    );
  });
});
