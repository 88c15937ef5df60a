/** Orders of events as deltas: which events are late, and how late each is. */
import { type Circumstance, type Configuration, deltasOf, size } from '../core/index.js';

/** An event that others overtake. */
export interface LateEvent {
  /** The process in which it happens: `main`, `main/1` for its first child … */
  readonly process: string;
  /** Its name, which is the same under every schedule. */
  readonly id: string;
  /** How many others overtake it. */
  readonly n: number;
}

/** An order of events, described by its differences from the default order. */
export type Schedule =
  | { readonly kind: 'late'; readonly late: readonly LateEvent[]; readonly replay?: number }
  /** Late events chosen at random; the same ones for the same seed. */
  | { readonly kind: 'seed'; readonly seed: number };

/** No event is late. */
export const defaultSchedule: Schedule = { kind: 'late', late: [] };

/** What identifies a schedule. */
export const identifySchedule = (schedule: Schedule): string => JSON.stringify(schedule);

/** Each delta is a late event: with none of them the order is the default one. */
export const lateEvents = (
  late: readonly LateEvent[],
  describe: (event: LateEvent) => string = event => event.id,
): Circumstance<Schedule> => ({
  name: 'late event',
  count: late.length,
  build: configuration => ({ kind: 'late', late: [...deltasOf(configuration)].map(delta => late[delta]!) }),
  describe: delta => describe(late[delta]!),
});

/** How late one of the events is: a delta is one other event that overtakes it. */
export const latenessOf = (late: readonly LateEvent[], which: number): Circumstance<Schedule> => ({
  name: 'overtaking event',
  count: late[which]!.n,
  build(configuration: Configuration) {
    const n = size(configuration);
    const rest = late.map((event, i) => (i === which ? { ...event, n } : event));
    return { kind: 'late', late: rest.filter(event => event.n > 0) };
  },
});

/** Each delta is one of the events, alone, as late as it is. */
export const oneAlone = (late: readonly LateEvent[]): Circumstance<Schedule> => ({
  name: 'late event',
  count: late.length,
  build: ([which = 0]) => ({ kind: 'late', late: [late[which]!] }),
});

/** The same, but overtaken by all others that may overtake it. */
export const oneVeryLate = (late: readonly LateEvent[]): Circumstance<Schedule> =>
  oneAlone(late.map(event => ({ ...event, n: latest })));

/** More than the number of others that can overtake an event while it is held back. */
const latest = 1_000_000;

/** Random schedules: delta i is the one with seed `from` + i. */
export const seeds = (from: number, count: number): Circumstance<Schedule> => ({
  name: 'schedule',
  count,
  build: ([first = 0]) => ({ kind: 'seed', seed: from + first }),
});

/** The same schedule repeatedly: delta i is the i-th run. */
export const replays = (late: readonly LateEvent[], count: number): Circumstance<Schedule> => ({
  name: 'replay',
  count,
  build: ([first = 0]) => ({ kind: 'late', late, replay: first + 1 }),
});
