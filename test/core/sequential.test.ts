import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide, errorsFor, hypothesesFor, mostRuns, referenceRate, wilson } from '../../src/core/sequential.js';

const seen = fc
  .integer({ min: 1, max: 200 })
  .chain(runs => fc.integer({ min: 0, max: runs }).map(fails => ({ fails, runs })));
const measured = fc.record({ original: seen, empty: seen }, { requiredKeys: ['original'] });
const errors = errorsFor(0.999);

test('an interval holds the rate that was seen, and gets narrower with more runs', () => {
  expect(wilson({ fails: 31, runs: 40 }).low).toBeCloseTo(0.625, 3);
  expect(wilson({ fails: 31, runs: 40 }).high).toBeCloseTo(0.877, 3);
  expect(wilson({ fails: 0, runs: 0 })).toEqual({ low: 0, high: 1 });
  fc.assert(
    fc.property(seen, each => {
      const { low, high } = wilson(each);
      const rate = each.fails / each.runs;
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low).toBeLessThanOrEqual(rate);
      expect(high).toBeGreaterThanOrEqual(rate);
      const ten = wilson({ fails: each.fails * 10, runs: each.runs * 10 });
      expect(ten.high - ten.low).toBeLessThan(high - low);
    }),
  );
});

test('whatever was measured, the hypotheses are rates in the right order', () => {
  fc.assert(
    fc.property(measured, each => {
      const { present, faded, absent } = hypothesesFor(each);
      expect(absent).toBeGreaterThan(0);
      expect(absent).toBeLessThanOrEqual(faded);
      expect(faded).toBeLessThan(present);
      expect(present).toBeLessThan(referenceRate(each));
      expect(referenceRate(each)).toBeLessThan(1);
    }),
  );
});

test('one more failure never turns a decision from fail to pass, and none is made before the first run', () => {
  const rank = { pass: 0, undefined: 1, fail: 2 };
  fc.assert(
    fc.property(measured, seen, (rates, each) => {
      const hypotheses = hypothesesFor(rates);
      expect(decide(hypotheses, errors, { fails: 0, runs: 0 })).toBeUndefined();
      const more = { ...each, fails: Math.min(each.runs, each.fails + 1) };
      const at = (counts: typeof each) => rank[String(decide(hypotheses, errors, counts)) as keyof typeof rank];
      expect(at(more)).toBeGreaterThanOrEqual(at(each));
    }),
  );
});

test('every sequence of runs is decided in the end', () => {
  fc.assert(
    fc.property(measured, fc.float({ min: 0, max: 1, noNaN: true }), (rates, rate) => {
      const hypotheses = hypothesesFor(rates);
      const counts = { fails: Math.round(rate * mostRuns), runs: mostRuns };
      expect(decide(hypotheses, errors, counts)).toBeDefined();
    }),
  );
});

/** Mulberry32: the same coins on every machine. */
function coins(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

test.each([
  [0.9, 0],
  [0.7, 0],
  [0.95, 0.05],
  [0.9, 0.1],
])('with rates of %d and %d, decisions are wrong no more often than stated', (present, absent) => {
  const next = coins(7);
  const rates = { original: { fails: present * 40, runs: 40 }, empty: { fails: absent * 40, runs: 40 } };
  const hypotheses = hypothesesFor(rates);
  const looser = errorsFor(0.98);
  const wrong = (rate: number, right: 'fail' | 'pass') => {
    let count = 0;
    for (let i = 0; i < 5000; i++) {
      let [fails, runs] = [0, 0];
      let decision: 'fail' | 'pass' | undefined;
      while ((decision = decide(hypotheses, looser, { fails, runs })) === undefined) {
        runs++;
        if (next() < rate) fails++;
      }
      if (decision !== right) count++;
    }
    return count / 5000;
  };
  expect(wrong(present, 'fail')).toBeLessThanOrEqual(looser.falsePass * 1.5);
  expect(wrong(absent, 'pass')).toBeLessThanOrEqual(looser.falseFail * 1.5);
});
