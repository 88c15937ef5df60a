import type { LateEvent, Schedule } from '../../circumstances/lateness.js';
import { surroundingsOf } from '../../circumstances/surroundings.js';
import { type Test, UserError, type Verdict } from '../../core/index.js';
import { Counter, type ExploreOptions } from '../../engine/index.js';
import { askedRule } from '../../oracle/rules.js';
import { failingTests, isTestRunner } from '../../oracle/schedules/failing-tests.js';
import { type Judged, ScheduleOracle } from '../../oracle/schedules/oracle.js';
import { deltasIn, type Recording } from '../../oracle/schedules/recording.js';
import { quoted } from '../../oracle/words.js';
import { sweepAbandoned } from '../../oracle/workspace.js';
import { knownDefault, searchSchedules } from '../../plans/schedules.js';
import { type CommonOptions, jobsOf, type RuleOptions, runningOf } from '../common.js';
import { noteSurroundings } from '../invocation.js';
import type { JobContext, JobResult } from '../job.js';
import type { Output } from '../output.js';
import { listStrategy } from '../strategies.js';
import { type FirstOrder, firstOrder } from './first-run.js';
import { type Finding, present } from './present.js';
import { wayNamed } from './way.js';

export interface SchedulesOptions extends CommonOptions, RuleOptions {
  readonly tries: number;
  readonly slow: number;
  readonly replays: number;
  readonly threads?: boolean;
}

/** What was seen when a schedule was looked at closely. */
export interface Settled {
  readonly late: readonly LateEvent[];
  readonly rule: Judged;
  readonly recording: Recording;
}

/** Looks for an order of events in which the outcome is another one than in the default order. */
export async function searchOrders(
  words: readonly string[],
  output: Output | undefined,
  options: SchedulesOptions,
  context: JobContext,
): Promise<JobResult> {
  const { folder, see } = context;
  const { journal } = folder;
  const here = process.cwd();
  const shown = words.map(quoted).join(' ');
  sweepAbandoned();
  const { files, linked } = surroundingsOf(here);
  const asked = askedRule(options);
  if (asked.kind === 'differs')
    throw new UserError('--differs compares two commands, and a schedule is for one.', 'Use --match or --exit.');
  const way = wayNamed(options.threads ? 'threads' : 'node', folder.path);
  const epoch = (journal.noted('epoch') as number | undefined) ?? Date.now();
  if (journal.noted('epoch') === undefined) journal.note('epoch', epoch);
  const { tell, read, unseen } = way;
  const { slow } = options;
  const oracle = new ScheduleOracle({ command: words, ...runningOf(options), files, here, slow, epoch, tell, read });
  try {
    const first = await firstOrder(oracle, { asked, shown, here, unseen }, context);
    const counter = new Counter();
    counter.executed = journal.executed;
    see({ type: 'began', job: 'schedules', before: { deltas: options.tries }, rule: first.described, command: shown });
    for (const text of openingNotes(first, options)) see({ type: 'noticed', what: 'note', text });
    noteSurroundings(context, files, linked);
    const isPerTest = asked.kind === 'signature' && first.outcome === 'pass' && isTestRunner(words);
    const findings: Finding[] = [];
    for (;;) {
      const tests = findings.flatMap(({ test }) => test ?? []);
      const from = isPerTest ? (findings.at(-1)?.found.seed ?? 1) : 1;
      const rule: Judged = isPerTest ? { kind: 'any test', except: tests } : first.rule;
      const about = isPerTest ? JSON.stringify(tests) : '';
      const finding = await searchOnce(oracle, { first, asked, rule, from, about, options, counter }, context);
      // Another test to look for, until no schedule that is left fails in a test that is not explained yet.
      const isMore = isPerTest && finding.found.ended === 'done' && finding.test !== undefined;
      if (findings.length === 0 || finding.found.seed !== undefined) findings.push(finding);
      if (!isMore) break;
    }
    return present(context, { words, way, first, findings, options, epoch, counter, output });
  } finally {
    await oracle.close();
  }
}

interface Once {
  readonly first: FirstOrder;
  readonly asked: Exclude<ReturnType<typeof askedRule>, { kind: 'differs' }>;
  readonly rule: Judged;
  readonly from: number;
  readonly about: string;
  readonly options: SchedulesOptions;
  readonly counter: Counter;
}

/** One search, for one failure. */
async function searchOnce(oracle: ScheduleOracle, once: Once, context: JobContext): Promise<Finding> {
  const { first, asked, rule, from, about, options, counter } = once;
  const { journal } = context.folder;
  const isSwapped = first.outcome === 'fail';
  const looking = (judged: Judged): Test<Schedule> => {
    const test = oracle.test(judged, first.timeout);
    return isSwapped ? async (schedule, stop) => turned(await test(schedule, stop)) : test;
  };
  /** A run that is looked at closely; a resumed search remembers it. */
  const look = async (name: string, schedule: Schedule): Promise<Settled> => {
    const known = journal.noted(about + name) as Settled | undefined;
    if (known) return known;
    const { attempt, recording } = await oracle.observe(schedule, first.timeout, context.signal);
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
  const found = await context.follow(searchSchedules(setting, exploringOf(options, context, counter)));
  const isWhole = found.ended === 'done' && found.late !== undefined && found.late.length > 0;
  const last = isWhole ? await look('result', { kind: 'late', late: found.late! }) : settled;
  const test = settled?.rule.kind === 'test' ? settled.rule.name : undefined;
  return { found, isSwapped, ...(last ? { last } : {}), ...(test === undefined ? {} : { test }) };
}

/** In a test runner, the failure is that of one test: the first that is not explained yet. */
function ruleAfter(rule: Judged, failing: readonly string[]): Judged | undefined {
  if (rule.kind !== 'any test') return undefined;
  const name = failing.find(each => !rule.except.includes(each));
  return name === undefined ? undefined : { kind: 'test', name };
}

const turned = (verdict: Verdict): Verdict => ({
  ...verdict,
  outcome: verdict.outcome === 'pass' ? 'fail' : verdict.outcome === 'fail' ? 'pass' : 'unresolved',
});

const exploringOf = (options: SchedulesOptions, context: JobContext, counter: Counter): ExploreOptions<Schedule> => ({
  workers: jobsOf(options),
  signal: context.signal,
  memory: context.folder.journal,
  counter,
  outOfTime: context.outOfTime,
  ...(options.maxTests === undefined ? {} : { maxTests: options.maxTests }),
});

/** A journal is no place for a hundred thousand events: the last ones tell how it came about. */
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
  const bound = options.threads ? '' : `, no event held back for more than ${options.slow} ms`;
  return [
    `${is} in the default order (${recording.order.length} events); looking for an order that ${wanted}: up to ${options.tries} schedules${bound}`,
    ...(differs ? ['Without culprit the command ends in another way than in the default order of events.'] : []),
    ...recording.notes,
  ];
}
