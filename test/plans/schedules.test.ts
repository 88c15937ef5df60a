import { expect, test } from 'vitest';
import type { LateEvent, Schedule } from '../../src/circumstances/lateness.js';
import type { Outcome } from '../../src/core/index.js';
import { Counter, type Event, memoryOf } from '../../src/engine/index.js';
import { searchSchedules } from '../../src/plans/schedules/search.js';

const events = (...ids: readonly string[]): readonly LateEvent[] => ids.map(id => ({ process: 'main', id, n: 4 }));

async function search(test: (schedule: Schedule) => Outcome, late = events('a', 'b', 'c', 'd')) {
  const seen: Event[] = [];
  const run = searchSchedules(
    {
      tries: 5,
      replays: 2,
      find: async schedule => ({ outcome: schedule.kind === 'seed' && schedule.seed === 3 ? 'fail' : 'pass' }),
      settle: async () => ({ late, test: async schedule => ({ outcome: test(schedule) }) }),
      // At most 6 others can overtake an event.
      measure: async schedule =>
        schedule.kind === 'late' ? schedule.late.map(event => ({ ...event, n: Math.min(event.n, 6) })) : [],
    },
    { workers: 1, counter: new Counter(), memory: memoryOf() },
  );
  for (;;) {
    const step = await run.next();
    if (step.done) return { found: step.value, events: seen };
    seen.push(step.value);
  }
}

const latenessOf = (schedule: Schedule, id: string): number =>
  schedule.kind === 'late' ? (schedule.late.find(event => event.id === id)?.n ?? 0) : 0;

test('the late event that is needed is as late as it must be, and the result is confirmed', async () => {
  const { found, events } = await search(schedule => (latenessOf(schedule, 'b') >= 3 ? 'fail' : 'pass'));
  expect(found).toMatchObject({ ended: 'done', seed: 3, replayed: 2, isMinimal: true });
  expect(found.late).toEqual([{ process: 'main', id: 'b', n: 3 }]);
  expect(events.filter(event => event.type === 'answered' && event.part?.startsWith('again'))).toHaveLength(3);
});

test('a result that does not hold is not called minimal: the last one that holds is given', async () => {
  let times = 0;
  // The shortest lateness fails once, by luck; the one before it always does.
  const { found, events } = await search(schedule => {
    const n = latenessOf(schedule, 'b');
    return n === 4 || (n === 3 && times++ === 0) ? 'fail' : 'pass';
  });
  expect(found.isMinimal).toBe(false);
  expect(found.late).toEqual([{ process: 'main', id: 'b', n: 4 }]);
  expect(events).toContainEqual(expect.objectContaining({ text: expect.stringContaining('not proven minimal') }));
});

test('one very late event is preferred to several that are a little late, and a few events are tried one by one', async () => {
  const isFailing = (schedule: Schedule): Outcome =>
    latenessOf(schedule, 'd') >= 6 || ['a', 'c', 'd'].every(id => latenessOf(schedule, id) >= 4) ? 'fail' : 'pass';
  const { found } = await search(isFailing);
  expect(found).toMatchObject({ ended: 'done', isMinimal: true, late: [{ process: 'main', id: 'd', n: 6 }] });
  // a, b, c and d alone, each of them very late, and three steps of a binary search from 6.
  expect(found.tests).toBeLessThanOrEqual(11);
});

test('of many late events, those that are needed are found by delta debugging', async () => {
  const many = events(...Array.from({ length: 40 }, (_, i) => `e${i}`));
  const isFailing = (schedule: Schedule): Outcome => (latenessOf(schedule, 'e33') >= 2 ? 'fail' : 'pass');
  const { found } = await search(isFailing, many);
  expect(found).toMatchObject({ isMinimal: true, late: [{ process: 'main', id: 'e33', n: 2 }] });
  expect(found.tests).toBeLessThan(20);
});

test('if no event alone is enough, all that are needed are found', async () => {
  const isFailing = (schedule: Schedule): Outcome =>
    latenessOf(schedule, 'a') >= 2 && latenessOf(schedule, 'c') >= 3 ? 'fail' : 'pass';
  const { found } = await search(isFailing);
  expect(found.late).toEqual([
    { process: 'main', id: 'a', n: 2 },
    { process: 'main', id: 'c', n: 3 },
  ]);
  expect(found.isMinimal).toBe(true);
});
