import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elements } from '../../src/circumstances/sequence.js';
import type { Circumstance, Verdict } from '../../src/core/index.js';
import {
  type Event,
  type Exploration,
  type ExploreOptions,
  explore,
  InfrastructureError,
  memoryOf,
  type Pool,
} from '../../src/engine/index.js';
import { sweep } from '../../src/strategies/index.js';

type List = readonly number[];

/** Fails if all of these are there. */
const needs =
  (needed: readonly number[]) =>
  (list: List): Verdict => ({ outcome: needed.every(each => list.includes(each)) ? 'fail' : 'pass' });

async function finish(pool: Pool<List>, circumstance: Circumstance<List>, options: ExploreOptions<List> = {}) {
  const events: Event[] = [];
  const run = explore(sweep(), circumstance, pool, options);
  for (;;) {
    const step = await run.next();
    if (step.done) return { events, end: step.value as Exploration<unknown> };
    events.push(step.value);
  }
}

const steady = (capacity: number, judge: (list: List) => Verdict): Pool<List> => ({
  capacity: () => capacity,
  onCapacityChange: () => () => {},
  test: async list => judge(list),
});

const identify = (list: List) => list.join(' ');

test('a test that could not be made is asked again, and is never remembered as a verdict', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 15 }), { maxLength: 3 }),
      async (capacity, losses, needed) => {
        const list = elements(Array.from({ length: 16 }, (_, i) => i));
        const judge = needs(needed);
        let asked = 0;
        const recorded: Verdict[] = [];
        const memory = memoryOf();
        const lossy: Pool<List> = {
          ...steady(capacity, judge),
          async test(artifact) {
            if (losses[asked++]) throw new InfrastructureError('the worker is gone');
            return judge(artifact);
          },
        };
        const watched = {
          ...memory,
          record(name: string, verdict: Verdict) {
            recorded.push(verdict);
            memory.record(name, verdict);
          },
        };
        const [sound, lost] = [
          await finish(steady(1, judge), list, { identify }),
          await finish(lossy, list, { identify, memory: watched }),
        ];
        expect(lost).toEqual(sound);
        expect(recorded.map(({ outcome }) => outcome)).not.toContain('unresolved');
      },
    ),
    { numRuns: 30 },
  );
});

test('room that comes and goes changes nothing but the time', async () => {
  const list = elements(Array.from({ length: 60 }, (_, i) => i));
  const judge = needs([3, 31, 59]);
  let capacity = 1;
  const listeners = new Set<() => void>();
  let most = 0;
  let running = 0;
  const elastic: Pool<List> = {
    capacity: () => capacity,
    onCapacityChange(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    async test(artifact) {
      most = Math.max(most, ++running);
      capacity = (capacity * 5 + 3) % 9;
      for (const changed of listeners) changed();
      await new Promise(resolve => setImmediate(resolve));
      running--;
      return judge(artifact);
    },
  };
  const [one, many] = [await finish(steady(1, judge), list), await finish(elastic, list)];
  expect(many).toEqual(one);
  expect(most).toBeGreaterThan(1);
  expect(listeners.size).toBe(0);
});

test.each([1, 2, 8])('an artifact is built once for its question on %i workers', async capacity => {
  const list = elements(Array.from({ length: 40 }, (_, i) => i));
  const builds = new Map<string, number>();
  const counted: Circumstance<List> = {
    ...list,
    build(configuration) {
      const name = configuration.join(' ');
      builds.set(name, (builds.get(name) ?? 0) + 1);
      return list.build(configuration);
    },
  };
  const measure = (artifact: List) => artifact.length;
  await finish(steady(capacity, needs([7, 33])), counted, { identify, measure, accepted: () => {} });
  expect([...builds].filter(([, times]) => times > 1)).toEqual([]);
});
