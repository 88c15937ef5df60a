/** Random tests for the laws of strategies. */
import fc from 'fast-check';
import { type Configuration, deltasOf, has, type Outcome, size } from '../../src/core/index.js';

/** A random test with three outcomes: one of some sets must be there, some deltas need others, and noise is unresolved. */
export interface Oracle {
  readonly count: number;
  readonly culprits: readonly number[];
  /** Further causes: the failure needs all culprits, or all of one of these. */
  readonly or?: readonly (readonly number[])[];
  readonly needs: readonly (readonly [number, number])[];
  readonly noise: number;
  readonly seed: number;
}

export const oracles: fc.Arbitrary<Oracle> = fc.integer({ min: 1, max: 36 }).chain(count =>
  fc.record({
    count: fc.constant(count),
    culprits: fc.uniqueArray(fc.nat(count - 1), { minLength: 1, maxLength: 6 }),
    or: fc.array(fc.uniqueArray(fc.nat(count - 1), { minLength: 1, maxLength: 4 }), { maxLength: 2 }),
    needs: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 6 }),
    noise: fc.integer({ min: 0, max: 60 }),
    seed: fc.integer(),
  }),
);

export function testOf({
  count,
  culprits,
  or = [],
  needs,
  noise,
  seed,
}: Oracle): (configuration: Configuration) => Outcome {
  return configuration => {
    const kept = size(configuration);
    if (kept === count) return 'fail';
    if (kept === 0) return 'pass';
    if (needs.some(([a, b]) => has(configuration, a) && !has(configuration, b))) return 'unresolved';
    if (hash(configuration, seed) % 100 < noise) return 'unresolved';
    return [culprits, ...or].some(cause => cause.every(delta => has(configuration, delta))) ? 'fail' : 'pass';
  };
}

export function hash(configuration: Configuration, seed: number): number {
  let h = seed | 0;
  for (const delta of deltasOf(configuration)) h = Math.imul(h ^ (delta + 0x9e37), 0x85ebca6b) ^ (h >>> 13);
  return h >>> 0;
}
