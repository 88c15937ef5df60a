import { createRequire } from 'node:module';
import fc from 'fast-check';
import { expect, test } from 'vitest';

/** The queue of the preload, which is plain JavaScript. */
const { openOrder } = createRequire(import.meta.url)('../../../src/oracle/schedules/preload/order.cjs');

interface Queued {
  readonly id: string;
  readonly group?: string;
}

function orderOf(lateness: Readonly<Record<string, number>> = {}, slow = 100) {
  let now = 0;
  const overtaken: string[] = [];
  const clock = { now: () => now };
  const order = openOrder({
    lateness: (event: Queued) => lateness[event.id] ?? 0,
    slow,
    clock,
    overtaken: (late: Queued, by: Queued) => overtaken.push(`${by.id}<${late.id}`),
  });
  const drain = (): string[] => {
    const ran: string[] = [];
    for (;;) {
      const found = order.next() ?? (order.peekTimer() && order.takeTimer(order.peekTimer()));
      if (!found) return ran;
      if (found.due !== undefined) now = Math.max(now, found.due);
      ran.push(found.id);
    }
  };
  return { order, drain, overtaken };
}

test('without lateness: immediates, then I/O in the order in which it was asked for, then timers by their time', () => {
  const { order, drain } = orderOf();
  const io = [{ id: 'a' }, { id: 'b' }];
  for (const event of io) order.reserve(event);
  order.addTimer({ id: 'later' }, 20);
  order.addTimer({ id: 'sooner' }, 10);
  order.add(io[1]);
  order.add(io[0]);
  order.add({ id: 'immediate' }, true);
  expect(drain()).toEqual(['immediate', 'a', 'b', 'sooner', 'later']);
});

test('a late event is overtaken by as many others as it is late', () => {
  const { order, drain, overtaken } = orderOf({ a: 2 });
  for (const id of ['a', 'b', 'c', 'd']) order.add({ id });
  expect(drain()).toEqual(['b', 'c', 'a', 'd']);
  expect(overtaken).toEqual(['b<a', 'c<a']);
});

test('a timer overtakes a late event, but not if the event would be held back for too long', () => {
  const soon = orderOf({ a: 5 });
  soon.order.add({ id: 'a' });
  soon.order.addTimer({ id: 'timer' }, 100);
  expect(soon.drain()).toEqual(['timer', 'a']);
  const late = orderOf({ a: 5 });
  late.order.add({ id: 'a' });
  late.order.addTimer({ id: 'timer' }, 101);
  expect(late.drain()).toEqual(['a', 'timer']);
});

test('events of one group never overtake each other', () => {
  const { order, drain } = orderOf({ first: 3 });
  for (const id of ['first', 'second']) order.add({ id, group: 'socket' });
  order.add({ id: 'other' });
  expect(drain()).toEqual(['other', 'first', 'second']);
});

test('whatever is late, every event runs once, and none is overtaken more often than its lateness says', () => {
  const queued = fc.record({ late: fc.nat(6), kind: fc.constantFrom('io', 'immediate', 'timer'), due: fc.nat(200) });
  fc.assert(
    fc.property(fc.array(queued, { maxLength: 30 }), events => {
      const lateness = Object.fromEntries(events.map(({ late }, i) => [`e${i}`, late]));
      const { order, drain, overtaken } = orderOf(lateness);
      for (const [i, { kind, due }] of events.entries())
        if (kind === 'timer') order.addTimer({ id: `e${i}` }, due);
        else order.add({ id: `e${i}` }, kind === 'immediate');
      expect(drain().sort()).toEqual(Object.keys(lateness).sort());
      for (const [id, late] of Object.entries(lateness))
        expect(overtaken.filter(pair => pair.endsWith(`<${id}`)).length).toBeLessThanOrEqual(late);
    }),
  );
});
