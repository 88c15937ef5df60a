import { basename } from 'node:path';
import type { LateEvent, Schedule } from '../../circumstances/lateness.js';
import { surroundingsOf } from '../../circumstances/surroundings.js';
import { type Test, UserError, type Verdict } from '../../core/index.js';
import { Counter, type ExploreOptions } from '../../engine/index.js';
import { askedRule } from '../../oracle/rules.js';
import { type Judged, ScheduleOracle } from '../../oracle/schedules/oracle.js';
import { deltasIn, type Recording } from '../../oracle/schedules/recording.js';
import { inWords } from '../../oracle/schedules/words.js';
import { quoted } from '../../oracle/words.js';
import { sweepAbandoned } from '../../oracle/workspace.js';
import { knownDefault, type SchedulesFound, searchSchedules } from '../../plans/schedules.js';
import { type CommonOptions, jobsOf, type RuleOptions, runningOf } from '../common.js';
import { jsonOf, noteSurroundings, textFiles } from '../invocation.js';
import type { JobContext, JobResult } from '../job.js';
import type { Output } from '../output.js';
import { listStrategy } from '../strategies.js';
import { type FirstOrder, firstOrder } from './first-run.js';
import { type Pair, pairsIn, type ScheduleFile, scheduleText, sentenceOf, stacksOf } from './result.js';
import { type Way, wayNamed } from './way.js';

export interface SchedulesOptions extends CommonOptions, RuleOptions {
  readonly tries: number;
  readonly slow: number;
  readonly replays: number;
  readonly threads?: boolean;
}

/** What was found when a schedule was looked at closely. */
interface Settled {
  readonly late: readonly LateEvent[];
  readonly rule: Judged;
  readonly recording: Recording;
}

/** Looks for an order of events in which the outcome is another one than in the default order. */
export async function searchOrders(
  words: readonly string[],
  asked: Output | undefined,
  options: SchedulesOptions,
  context: JobContext,
): Promise<JobResult> {
  const { folder, signal, see } = context;
  const { journal } = folder;
  const here = process.cwd();
  const shown = words.map(quoted).join(' ');
  sweepAbandoned();
  const { files, linked } = surroundingsOf(here);
  const rule = askedRule(options);
  if (rule.kind === 'differs')
    throw new UserError('--differs compares two commands, and a schedule is for one.', 'Use --match or --exit.');
  const way = wayNamed(options.threads ? 'threads' : 'node', folder.path);
  const epoch = (journal.noted('epoch') as number | undefined) ?? Date.now();
  if (journal.noted('epoch') === undefined) journal.note('epoch', epoch);
  const oracle = new ScheduleOracle({
    command: words,
    ...runningOf(options),
    files,
    here,
    slow: options.slow,
    epoch,
    tell: way.tell,
    read: way.read,
  });
  try {
    const first = await firstOrder(oracle, { asked: rule, shown, here, unseen: way.unseen }, context);
    const isSwapped = first.outcome === 'fail';
    const counter = new Counter();
    counter.executed = journal.executed;
    see({ type: 'began', job: 'schedules', before: { deltas: options.tries }, rule: first.described, command: shown });
    for (const text of openingNotes(first, options)) see({ type: 'noticed', what: 'note', text });
    noteSurroundings(context, files, linked);
    journal.record(knownDefault, { outcome: 'pass' });

    const looking = (judged: Judged): Test<Schedule> => {
      const test = oracle.test(judged, first.timeout);
      return isSwapped ? async (schedule, stop) => turned(await test(schedule, stop)) : test;
    };
    /** A run that is looked at closely; a resumed search remembers it. */
    const look = async (name: string, schedule: Schedule): Promise<Settled> => {
      const known = journal.noted(name) as Settled | undefined;
      if (known) return known;
      const { attempt, recording } = await oracle.observe(schedule, first.timeout, signal);
      const settled = isSwapped ? first.rule : oracle.settle(rule, attempt);
      const seen: Settled = { late: deltasIn(recording), rule: settled, recording: lean(recording) };
      journal.note(name, seen);
      return seen;
    };
    let settled: Settled | undefined;
    const found = await context.follow(
      searchSchedules(
        {
          tries: options.tries,
          replays: options.replays,
          find: looking(first.rule),
          async settle(seed) {
            settled = await look(`schedule ${seed}`, { kind: 'seed', seed });
            return { late: settled.late, test: looking(settled.rule) };
          },
          measure: async schedule => (await look('one late event', schedule)).late,
          ...(options.strategy === undefined ? {} : { strategy: listStrategy(options.strategy) }),
        },
        exploringOf(options, context, counter),
      ),
    );
    const last =
      found.late === undefined || found.ended !== 'done' || found.late.length === 0
        ? settled
        : await look('result', { kind: 'late', late: found.late });
    const facts = { words, shown, way, first, found, isSwapped, options, epoch, counter, asked };
    return present(context, last ? { ...facts, last } : facts);
  } finally {
    await oracle.close();
  }
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

interface Facts {
  readonly words: readonly string[];
  readonly shown: string;
  readonly way: Way;
  readonly first: FirstOrder;
  readonly found: SchedulesFound;
  readonly isSwapped: boolean;
  readonly options: SchedulesOptions;
  readonly epoch: number;
  readonly counter: Counter;
  readonly asked: Output | undefined;
  readonly last?: Settled;
}

/** Files to write, words for people, fields for programs. */
function present(context: JobContext, facts: Facts): JobResult {
  const { found, last, isSwapped, counter, asked, first, options } = facts;
  const { folder, see } = context;
  const late = found.late ?? found.before ?? [];
  const pairs = last && found.seed !== undefined ? pairsIn(last.recording, late, isSwapped) : [];
  const isFound = found.seed !== undefined && (found.replayed ?? 0) > 0 && late.length > 0;
  const sentence = sentenceOf(pairs);
  const path = asked?.path ?? `${folder.path}/best/schedule.json`;
  if (isFound && last) {
    const text = textFiles({ 'schedule.json': scheduleText(fileOf(facts, last, late, sentence)) });
    folder.keepBest(text);
    asked?.write(text, folder);
  }
  const told = toldOf(facts, isFound, sentence);
  see({
    type: 'ended',
    ended: found.ended,
    minimal: found.isMinimal && isFound ? ['late event'] : [],
    size: { deltas: late.length },
    counts: counter.counts,
    seconds: context.seconds(),
    told,
  });
  const reproduce = `culprit schedules --replay ${quoted(path)}`;
  const place = ({ what, file, line, via }: Pair['before']) => ({ what, file, line, ...(via ? { via } : {}) });
  const [pair] = pairs;
  return {
    ended: found.ended,
    ending: isFound ? { output: path, reproduce, result: options.quiet ? sentence : stacksOf(pairs) } : {},
    json: jsonOf(
      context,
      'schedules',
      { ended: found.ended, minimal: found.isMinimal ? ['late event'] : [] },
      counter,
      {
        default: first.outcome,
        tries: options.tries,
        ...(found.seed === undefined ? {} : { found: found.seed }),
        ...(found.replayed === undefined ? {} : { replayed: found.replayed, replays: options.replays }),
        ...(isFound && pair
          ? {
              before: place(pair.before),
              after: place(pair.after),
              pairs: pairs.map(each => ({ before: place(each.before), after: place(each.after) })),
              isolation: { late: found.before?.length ?? 0, left: late.length, tests: found.tests },
              sentence,
            }
          : {}),
        ...(isFound ? { schedule: path } : {}),
        ...(first.recording.notes.length > 0 ? { escapes: first.recording.notes } : {}),
      },
    ),
    page: {
      title: `${basename(facts.words[0] ?? '')}: which order of events matters`,
      ...(isFound ? { reproduce, output: path } : {}),
    },
    ...(isFound || found.ended !== 'done' ? {} : { problem: nothing(facts) }),
  };
}

function toldOf({ found, first, options }: Facts, isFound: boolean, sentence: string): string {
  if (found.ended !== 'done' && !isFound) return 'Stopped before an order with another outcome was found.';
  if (!isFound)
    return `${first.outcome === 'pass' ? 'Passes' : 'Fails'} in the default order and in ${options.tries} others.`;
  const rest = `Replays ${found.replayed} of ${options.replays}; isolated in ${found.tests} ${found.tests === 1 ? 'test' : 'tests'}.`;
  return found.ended === 'done' ? `${sentence} ${rest}` : `Stopped before it was isolated. ${sentence}`;
}

function nothing({ found, first, options }: Facts): UserError {
  if (found.seed !== undefined)
    return new UserError(
      `Schedule ${found.seed} had another outcome once, but in none of ${options.replays} replays.`,
      'Something that no schedule controls decides: see "What escapes" in docs/schedules.md.',
      1,
    );
  return first.outcome === 'pass'
    ? new UserError(
        `No failing order: the command passes in the default order and in ${options.tries} random schedules.`,
        'Try more of them (--tries 1000) or let events be slower (--slow 1000).',
        1,
      )
    : new UserError(
        `No passing order: the command fails in the default order and in ${options.tries} random schedules.`,
        'The order of events does not seem to be the cause. `culprit env`, `culprit options` or `culprit reduce` look elsewhere.',
        1,
      );
}

const fileOf = (facts: Facts, last: Settled, late: readonly LateEvent[], sentence: string): ScheduleFile => ({
  culprit: 'schedule',
  version: 1,
  way: facts.way.name,
  command: facts.words,
  node: process.version,
  slow: facts.options.slow,
  epoch: facts.epoch,
  outcome: facts.isSwapped ? 'pass' : 'fail',
  otherwise: facts.isSwapped ? 'fail' : 'pass',
  ...(last.rule.kind === 'signature' ? { signature: last.rule.signature.text } : {}),
  sentence,
  late: late.map(event => ({ ...event, event: inWords(last.recording, event.id).text })),
});
