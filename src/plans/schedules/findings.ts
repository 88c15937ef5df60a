/** Finds every order of events that matters: one for a command, one for each test of a test runner. */

import type { LateEvent, Schedule } from '../../circumstances/lateness.js';
import { invert, type Test } from '../../core/index.js';
import { counted } from '../../core/phrases.js';
import type { Ended, Event, ExploreOptions } from '../../engine/index.js';
import type { Asked, AskedOptions } from '../../oracle/command/rules.js';
import { failingTests, isTestRunner } from '../../oracle/schedules/failing-tests.js';
import type { Judged, ScheduleOracle, Trial } from '../../oracle/schedules/oracle.js';
import { deltasIn, type Recording } from '../../oracle/schedules/recording.js';
import { listStrategy } from '../../strategies/registry.js';
import type { Context, JobOptions } from '../job.js';
import { mapProof, type Proof } from '../proof.js';
import type { FirstOrder } from './first-run.js';
import { knownDefault, type SchedulesFound, searchSchedules } from './search.js';

export interface SchedulesOptions extends JobOptions, AskedOptions {
  readonly tries: number;
  readonly slow: number;
  readonly replays: number;
  readonly threads?: boolean;
}

/** What a close look at a schedule showed. */
export interface Settled {
  readonly late: readonly LateEvent[];
  readonly rule: Judged;
  readonly recording: Recording;
}

/** The result of one search. */
export interface Finding {
  readonly found: SchedulesFound;
  /** The default order fails, and the schedule passes. */
  readonly isSwapped: boolean;
  /** The test of a test runner that it is about. */
  readonly test?: string;
  readonly last?: Settled;
  /** That no late event can be on time. */
  readonly proofs: readonly Proof<Trial>[];
}

export interface OrderSearch {
  readonly oracle: ScheduleOracle;
  readonly first: FirstOrder;
  readonly asked: Exclude<Asked, { readonly kind: 'differs' }>;
  readonly words: readonly string[];
  readonly options: SchedulesOptions;
  readonly test: Test<Trial>;
  readonly settings: Omit<ExploreOptions<unknown>, 'identify' | 'measure' | 'accepted' | 'beyond'>;
  /** Called with all findings so far. */
  keep(findings: readonly Finding[]): void;
}

/** Looks for an order of events with a different outcome than the default order. */
export async function* findOrders(
  search: OrderSearch,
  context: Context,
): AsyncGenerator<Event, { readonly ended: Ended; readonly findings: readonly Finding[] }> {
  const { first, asked, words, options } = search;
  for (const text of openingNotes(first, options)) yield { type: 'noticed', what: 'note', text };
  const isPerTest = asked.kind === 'signature' && first.outcome === 'pass' && isTestRunner(words);
  const findings: Finding[] = [];
  for (;;) {
    const tests = findings.flatMap(({ test }) => test ?? []);
    const target: Target = isPerTest
      ? {
          rule: { kind: 'any test', except: tests },
          from: findings.at(-1)?.found.seed ?? 1,
          about: JSON.stringify(tests),
        }
      : { rule: first.rule, from: 1, about: '' };
    const finding = yield* findOrder(search, target, context);
    const { ended, seed } = finding.found;
    if (seed !== undefined) search.keep([...findings, finding]);
    if (seed !== undefined || findings.length === 0) findings.push(finding);
    // In a test runner, the search continues until no remaining schedule fails in a test that is not explained yet.
    if (!isPerTest || ended !== 'done' || finding.test === undefined) return { ended, findings };
  }
}

/** The failure that one search is for. */
interface Target {
  readonly rule: Judged;
  /** The first random schedule that is tried. */
  readonly from: number;
  /** Keeps its remembered answers apart from those of other searches. */
  readonly about: string;
}

/** One search, for one failure. */
async function* findOrder(
  { oracle, first, asked, options, test, settings }: OrderSearch,
  { rule, from, about }: Target,
  { folder: { journal }, signal }: Context,
): AsyncGenerator<Event, Finding> {
  const isSwapped = first.outcome === 'fail';
  const looking =
    (judged: Judged): Test<Schedule> =>
    async (schedule, stop) => {
      const verdict = await test({ schedule, rule: judged }, stop);
      return isSwapped ? { ...verdict, outcome: invert(verdict.outcome) } : verdict;
    };
  /** A run with detailed recording; a resumed search remembers it. */
  const look = async (name: string, schedule: Schedule): Promise<Settled> => {
    const known = journal.noted<Settled>(about + name);
    if (known) return known;
    const { attempt, recording } = await oracle.observe(schedule, first.timeout, signal);
    // A run that was stopped shows nothing.
    signal.throwIfAborted();
    const seen: Settled = {
      late: deltasIn(recording),
      rule: isSwapped ? first.rule : (ruleAfter(rule, failingTests(attempt.run)) ?? oracle.settle(asked, attempt)),
      recording: lean(recording),
    };
    journal.note(about + name, seen);
    return seen;
  };
  journal.record(knownDefault(about), { outcome: 'pass' });
  let settled: Settled | undefined;
  const setting = {
    tries: options.tries,
    from,
    replays: options.replays,
    about,
    find: looking(rule),
    async settle(seed: number) {
      settled = await look(`schedule ${seed}`, { kind: 'seed', seed });
      return { late: settled.late, test: looking(settled.rule) };
    },
    measure: async (schedule: Schedule) => (await look('one late event', schedule)).late,
    ...(options.strategy === undefined ? {} : { strategy: listStrategy(options.strategy) }),
  };
  const found = yield* searchSchedules(setting, settings);
  const isWhole = found.ended === 'done' && found.late !== undefined && found.late.length > 0;
  const last = isWhole ? await look('result', { kind: 'late', late: found.late! }) : settled;
  const name = settled?.rule.kind === 'test' ? settled.rule.name : undefined;
  const proofs = (settled ? (found.proofs ?? []) : []).map(proof => ({
    ...mapProof(
      proof,
      (schedule): Trial => ({ schedule, rule: settled!.rule }),
      trial => trial.schedule,
    ),
    isInverted: isSwapped,
  }));
  return { found, isSwapped, proofs, ...(last ? { last } : {}), ...(name === undefined ? {} : { test: name }) };
}

/** In a test runner, the failure is that of one test: the first that is not explained yet. */
function ruleAfter(rule: Judged, failing: readonly string[]): Judged | undefined {
  if (rule.kind !== 'any test') return undefined;
  const name = failing.find(each => !rule.except.includes(each));
  return name === undefined ? undefined : { kind: 'test', name };
}

/** A journal should not contain a hundred thousand events: the last ones show how the failure happened. */
const mostEvents = 2000;

function lean(recording: Recording): Recording {
  if (recording.order.length <= mostEvents) return recording;
  const order = recording.order.slice(-mostEvents);
  const wanted = new Set([...order.map(each => each.id), ...recording.late.flatMap(({ id, by }) => [id, ...by])]);
  const kept = Object.entries(recording.events).filter(([id]) => wanted.has(id));
  return { ...recording, order, events: Object.fromEntries(kept) };
}

function openingNotes({ outcome, differs, recording }: FirstOrder, options: SchedulesOptions): string[] {
  const [is, wanted] = outcome === 'pass' ? ['passes', 'fails'] : ['fails', 'passes'];
  const events = counted(recording.order.length, 'event');
  return [
    `${is} in the default order (${events}); looking for an order that ${wanted}: up to ${options.tries} schedules, no event held back for more than ${options.slow} ms`,
    ...(differs ? ['Without culprit the command ends in another way than in the default order of events.'] : []),
    ...recording.notes,
  ];
}
