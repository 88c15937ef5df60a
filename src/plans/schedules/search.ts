/** Searches for an order of events with another outcome, then for the late events that it needs. */
import {
  defaultSchedule,
  identifySchedule,
  type LateEvent,
  lateEvents,
  latenessOf,
  oneAlone,
  oneVeryLate,
  replays,
  type Schedule,
  seeds,
} from '../../circumstances/lateness.js';
import {
  all,
  type Circumstance,
  type Configuration,
  deltasOf,
  type Strategy,
  size,
  type Test,
} from '../../core/index.js';
import { Counter, type Ended, type Event, type Exploration, type ExploreOptions, explore } from '../../engine/index.js';
import { ddmin, each, first, shortest } from '../../strategies/index.js';
import { confirm, confirmations } from '../confirm.js';
import { type Proof, proofOf } from '../proof.js';

export interface SchedulesSetting {
  /** The last random schedule that is tried. */
  readonly tries: number;
  /** The first of them. */
  readonly from?: number;
  /** How often the schedule is run again before it is trusted. */
  readonly replays: number;
  /** The test of random schedules: `fail` is the outcome to find. */
  readonly find: Test<Schedule>;
  /** Inspects a schedule that was found: which events were late in it, and the test that recognises it. */
  readonly settle: (seed: number) => Promise<{ readonly late: readonly LateEvent[]; readonly test: Test<Schedule> }>;
  /** The late events of a schedule as they were when it ran: how many others really overtook each. */
  readonly measure: (schedule: Schedule) => Promise<readonly LateEvent[]>;
  readonly describe?: (event: LateEvent) => string;
  readonly strategy?: Strategy<unknown, Configuration>;
  /** Keeps the remembered answers apart, if a run asks about more than one thing. */
  readonly about?: string;
}

export interface SchedulesFound {
  readonly ended: Ended;
  /** The seed of the first random schedule with the wanted outcome. */
  readonly seed?: number;
  /** How many of the replays had it again. */
  readonly replayed?: number;
  /** The late events of that schedule. */
  readonly before?: readonly LateEvent[];
  /** The needed ones, each as late as it must be. */
  readonly late?: readonly LateEvent[];
  /** No late event can be on time, and none can be less late. */
  readonly isMinimal: boolean;
  readonly proofs?: readonly Proof<Schedule>[];
  /** Tests of the isolation alone. */
  readonly tests: number;
}

/** So many late events are tried one by one. */
const fewEvents = 8;

/**
 * Finds an order of events with a different outcome than the default one: random schedules first, then the late events that
 * matter, then how late each must be (Choi and Zeller 2002 narrow thread switches in the same way).
 */
export async function* searchSchedules(
  setting: SchedulesSetting,
  options: ExploreOptions<Schedule>,
): AsyncGenerator<Event, SchedulesFound> {
  const { tries, from = 1, about = '' } = setting;
  const exploring = { ...options, identify: (schedule: Schedule) => about + identifySchedule(schedule) };
  const pass = passWith(exploring);
  const found = yield* pass('random schedules', first(), seeds(from, tries - from + 1), setting.find);
  if (found.ended !== 'done') return { ended: found.ended, isMinimal: false, tests: 0 };
  const [offset] = found.result ?? [];
  if (offset === undefined) return { ended: 'done', isMinimal: false, tests: 0 };
  const seed = from + offset;
  yield note(`schedule ${seed} of ${tries}: another outcome than in the default order`);

  const { late: before, test } = await setting.settle(seed);
  const again = yield* pass('replays', each(), replays(before, setting.replays), test);
  if (again.ended !== 'done') return { ended: again.ended, seed, before, isMinimal: false, tests: 0 };
  const replayed = size(again.result ?? []);
  yield note(`replayed: the same outcome in ${replayed} of ${setting.replays} runs`);
  const sofar = { seed, before, replayed };
  if (replayed === 0) return { ...sofar, ended: 'done', isMinimal: false, tests: 0 };

  const spent = () => exploring.counter?.spent ?? 0;
  const began = spent();
  const stopped = (ended: Ended, late: readonly LateEvent[]): SchedulesFound => ({
    ...sofar,
    ended,
    late,
    isMinimal: false,
    tests: spent() - began,
  });
  /** The first event that is enough, if it alone is late. */
  async function* firstOf(alone: Circumstance<Schedule>) {
    const { ended, result } = yield* pass('one late event', first(), alone, test);
    const isFound = ended === 'done' && result !== undefined && size(result) === 1;
    return { ended, schedule: isFound ? alone.build(result) : undefined };
  }

  const strategy = setting.strategy ?? (ddmin() as unknown as Strategy<unknown, Configuration>);
  let needed = before;
  let isOne = before.length === 1;
  // Often one event is enough. If there are few, trying them one by one takes fewer tests than delta debugging. Several
  // events that are a little late may have the same effect as one that is very late, which is easier to understand.
  const areFew = setting.strategy === undefined && before.length <= fewEvents;
  for (const alone of areFew ? [oneAlone(before), oneVeryLate(before)] : []) {
    if (isOne) break;
    const { ended, schedule } = yield* firstOf(alone);
    if (ended !== 'done') return stopped(ended, before);
    if (!schedule) continue;
    needed = await setting.measure(schedule);
    isOne = true;
  }
  if (!isOne) {
    const few = yield* pass('late events', strategy, lateEvents(before, setting.describe), test);
    needed = [...deltasOf(few.best)].map(delta => before[delta]!);
    if (few.ended !== 'done') return stopped(few.ended, needed);
  }
  let late = needed;
  if (needed.length > 1 && !areFew) {
    const { ended, schedule } = yield* firstOf(oneVeryLate(needed));
    if (ended !== 'done') return stopped(ended, late);
    if (schedule) late = await setting.measure(schedule);
  }
  for (const which of late.keys()) {
    const shorter = yield* pass('lateness', shortest(), latenessOf(late, which), test);
    late = late.map((event, i) => (i === which ? { ...event, n: size(shorter.best) } : event));
    if (shorter.ended !== 'done') return stopped(shorter.ended, late);
  }
  // One by one, the events were made less late: without the others that changed, each must still be needed.
  if (late.length > 1) {
    const last = yield* pass('late events', strategy, lateEvents(late, setting.describe), test);
    late = [...deltasOf(last.best)].map(delta => late[delta]!);
    if (last.ended !== 'done') return stopped(last.ended, late);
  }
  const left = lateEvents(late, setting.describe);
  const { identify } = exploring;
  const proofs = proofOf({ circumstance: left, set: all(left.count), of: 'the schedule', identify });
  const tests = spent() - began;
  const narrowed = [before, needed, late].filter((each, i, all) => each !== all[i - 1]);
  const { ended, artifact, how } = yield* confirm(narrowed.map(scheduleOf), test, {
    ...exploring,
    times: confirmations,
    counter: exploring.counter ?? new Counter(),
  });
  const isMinimal = (strategy.proves === true || late.length === 1) && how === 'held';
  if (how === 'went back' || how === 'unstable') yield note(doubts[how]);
  return { ...sofar, ended, late: artifact.late, isMinimal, proofs, tests };
}

type LateSchedule = Extract<Schedule, { readonly kind: 'late' }>;

const scheduleOf = (late: readonly LateEvent[]): LateSchedule => ({ kind: 'late', late });

/** What the user must know about a schedule that did not give the same outcome when it was tested again. */
const doubts = {
  'went back':
    'The schedule with the fewest late events did not give the same outcome again. This is the last one that does; it is not proven minimal.',
  unstable:
    'The schedule does not give the same outcome every time, so nothing is proven. Something that no schedule controls decides too: see "What escapes" in docs/schedules.md.',
};

/** The outcome of the default order is already known. */
export const knownDefault = (about = ''): string => about + identifySchedule(defaultSchedule);

const note = (text: string): Event => ({ type: 'noticed', what: 'note', text });

/** One search. The reduction is reported at the end: schedules, events and lateness have no common size. */
const passWith = (options: ExploreOptions<Schedule>) =>
  async function* pass<State>(
    name: string,
    strategy: Strategy<State, Configuration>,
    circumstance: Circumstance<Schedule>,
    test: Test<Schedule>,
  ): AsyncGenerator<Event, Exploration<Configuration>> {
    yield { type: 'pass', pass: name, round: 1, deltas: circumstance.count, strategy: strategy.name };
    const run = explore(strategy, circumstance, test, options);
    for (;;) {
      const step = await run.next();
      if (step.done) return step.value;
      if (step.value.type !== 'reduced') yield step.value;
    }
  };
