import { expect, test } from 'vitest';
import type { LateEvent, Schedule } from '../../src/circumstances/lateness.js';
import type { Outcome } from '../../src/core/index.js';
import { Counter, type Event, memoryOf } from '../../src/engine/index.js';
import { searchSchedules } from '../../src/plans/schedules/search.js';

const late: readonly LateEvent[] = ['a', 'b', 'c', 'd'].map(id => ({ process: 'main', id, n: 4 }));

async function search(test: (schedule: Schedule) => Outcome) {
  const events: Event[] = [];
  const run = searchSchedules(
    {
      tries: 5,
      replays: 2,
      find: async schedule => ({ outcome: schedule.kind === 'seed' && schedule.seed === 3 ? 'fail' : 'pass' }),
      settle: async () => ({ late, test: async schedule => ({ outcome: test(schedule) }) }),
      measure: async () => late.slice(0, 1),
    },
    { workers: 1, counter: new Counter(), memory: memoryOf() },
  );
  for (;;) {
    const step = await run.next();
    if (step.done) return { found: step.value, events };
    events.push(step.value);
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
