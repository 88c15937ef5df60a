import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Difference } from '../../src/circumstances/states/differences.js';
import { type Cause, type Finding, gapsOf, nextPlaces, type Searching } from '../../src/plans/states/bisect.js';
import { chooseLocations, commonPlaces } from '../../src/plans/states/places.js';

const trace = (...steps: readonly (readonly [location: number, depth: number])[]) => Int32Array.from(steps.flat());

test('places are aligned call by call: a longer loop in one run does not pull the rest apart', () => {
  const turn = [
    [1, 2],
    [2, 2],
  ] as const;
  const [short, long] = [trace([0, 1], ...turn, [3, 1]), trace([0, 1], ...turn, ...turn, ...turn, [3, 1])];
  const places = commonPlaces(short, long);
  expect(places.map(({ location }) => location)).toEqual([0, 1, 2, 3]);
  expect(places.at(-1)).toMatchObject({ passing: { hit: 0 }, failing: { hit: 0 }, at: 7 });
});

test('a statement in another function call is not a common place', () => {
  const places = commonPlaces(trace([0, 1], [5, 2], [1, 1]), trace([0, 1], [1, 1], [5, 2]));
  expect(places.map(({ location }) => location)).toEqual([0, 1]);
});

test('common places are in the order of both runs, and name the same hit of the same statement', () => {
  const steps = fc.array(fc.tuple(fc.nat(4), fc.integer({ min: 1, max: 3 })), { maxLength: 40 });
  fc.assert(
    fc.property(steps, steps, (a, b) => {
      const [p, f] = [trace(...a), trace(...b)];
      const index = (steps: typeof a, location: number, hit: number) => {
        let left = hit;
        return steps.findIndex(([each]) => each === location && left-- === 0);
      };
      let last = [-1, -1];
      for (const { location, passing, failing, depth, at } of commonPlaces(p, f)) {
        const now = [index(a, location, passing.hit), index(b, location, failing.hit)];
        expect([a[now[0]!], b[now[1]!]]).toEqual([
          [location, depth],
          [location, depth],
        ]);
        expect(now[1]).toBe(at);
        expect(now[0]! > last[0]! && now[1]! > last[1]!).toBe(true);
        last = now;
      }
    }),
  );
});

test('statements that the two runs reach a different number of times are chosen first', () => {
  const ran = (counts: readonly number[]) => [
    { path: '/a.js', longest: 80, statements: counts.map((count, i) => [i + 1, 1, count, 'f'] as const) },
  ];
  const { locations, of, onlyFailing } = chooseLocations(ran([50, 5, 1, 0]), ran([50, 9, 1, 3]), 20, () => true);
  expect(locations.map(({ line }) => line)).toEqual([2, 3, 4]);
  expect([of, [...onlyFailing]]).toEqual([4, [2]]);
});

const cause = (name: string): Cause => ({
  tests: 1,
  differences: [{ variable: name, names: [name], passing: '1', failing: '2' } as unknown as Difference],
});

test('the search between two causes ends, and ends at the very place where one turns into the other', () => {
  const scenes = fc.integer({ min: 2, max: 200 }).chain(count =>
    fc.record({
      count: fc.constant(count),
      changes: fc
        .uniqueArray(fc.integer({ min: 0, max: count - 1 }), { maxLength: 3 })
        .map(list => list.sort((a, b) => a - b)),
      depths: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: count, maxLength: count }),
    }),
  );
  fc.assert(
    fc.property(scenes, ({ count, changes, depths }) => {
      const truth = (place: number): Finding => {
        const passed = changes.filter(change => change <= place).length;
        return passed === 0 ? 'same' : cause(`v${passed}`);
      };
      const findings = new Map<number, Finding>();
      const searching: Searching = { depths, findings, divergence: () => Number.POSITIVE_INFINITY };
      for (let next = nextPlaces(searching, 4); next.length > 0; next = nextPlaces(searching, 4)) {
        expect(findings.has(next[0]!)).toBe(false);
        findings.set(next[0]!, truth(next[0]!));
      }
      const found = gapsOf(searching)
        .filter(({ right }) => right < count)
        .map(({ right }) => right);
      expect(found).toEqual(changes);
    }),
  );
});

test('the last place is looked at, even if no place before it could be explained', () => {
  const findings = new Map<number, Finding>();
  const searching: Searching = { depths: Array(80).fill(1), findings, divergence: () => Number.POSITIVE_INFINITY };
  for (let next = nextPlaces(searching, 4); next.length > 0; next = nextPlaces(searching, 4))
    findings.set(next[0]!, next[0] === 79 ? cause('n') : 'unknown');
  expect(findings.get(79)).toEqual(cause('n'));
  expect(findings.size).toBeLessThan(8);
});
