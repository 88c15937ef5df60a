import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Verdict } from '../../../src/core/index.js';
import { memoryOf } from '../../../src/engine/index.js';
import { judgeFor, memoryFor } from '../../../src/plans/triage/observe.js';

const observation: fc.Arbitrary<Verdict> = fc.oneof(
  fc.constant<Verdict>({ outcome: 'pass' }),
  fc.constant<Verdict>({ outcome: 'unresolved', reason: 'timeout' }),
  fc
    .constantFrom('a', 'b', 'c')
    .map((signature): Verdict => ({ outcome: 'fail', signature, excerpt: `in ${signature}` })),
);

test('what one search records is what every other search reads, each in its own way', () => {
  fc.assert(
    fc.property(observation, fc.constantFrom('a', 'b'), fc.constantFrom('a', 'b'), (seen, here, there) => {
      const memory = memoryOf();
      const [isHere, isThere] = [here, there].map(own => (each: string) => each === own) as [never, never];
      memoryFor(memory, isHere).record('x', judgeFor(seen, isHere));
      expect(memory.recall('x')).toEqual(seen);
      expect(memoryFor(memory, isThere).recall('x')).toEqual(judgeFor(seen, isThere));
    }),
  );
});

test('a failure that is not looked for is unresolved', () => {
  const seen: Verdict = { outcome: 'fail', signature: 'a', excerpt: 'in a' };
  expect(judgeFor(seen, each => each === 'b')).toMatchObject({
    outcome: 'unresolved',
    reason: 'another failure: in a',
  });
  expect(judgeFor(seen, each => each === 'a')).toEqual(seen);
});
