import { basename } from 'node:path';
import type { LateEvent } from '../../circumstances/lateness.js';
import { UserError } from '../../core/index.js';
import type { Counter, Ended } from '../../engine/index.js';
import { inWords } from '../../oracle/schedules/words.js';
import { quoted } from '../../oracle/words.js';
import type { SchedulesFound } from '../../plans/schedules.js';
import { jsonOf, textFiles } from '../invocation.js';
import type { JobContext, JobResult } from '../job.js';
import type { Output } from '../output.js';
import type { FirstOrder } from './first-run.js';
import { type Pair, pairsIn, type ScheduleFile, scheduleText, sentenceOf, stacksOf } from './result.js';
import type { SchedulesOptions, Settled } from './search.js';
import { timelineOf } from './timeline.js';
import type { Way } from './way.js';

/** What one search came to. */
export interface Finding {
  readonly found: SchedulesFound;
  /** The default order fails, and the schedule passes. */
  readonly isSwapped: boolean;
  /** The test of a test runner that it is about. */
  readonly test?: string;
  readonly last?: Settled;
}

export interface Facts {
  readonly words: readonly string[];
  readonly way: Way;
  readonly first: FirstOrder;
  readonly findings: readonly Finding[];
  readonly options: SchedulesOptions;
  readonly epoch: number;
  readonly counter: Counter;
  readonly output: Output | undefined;
}

interface Told {
  readonly finding: Finding;
  readonly late: readonly LateEvent[];
  readonly pairs: readonly Pair[];
  readonly sentence: string;
  readonly name: string;
  readonly text: string;
}

/** Files to write, words for people, fields for programs. */
export function present(context: JobContext, facts: Facts): JobResult {
  const { findings, counter, output, first, options, words } = facts;
  const { folder, see } = context;
  const told = findings.flatMap((finding, i) => toTold(facts, finding, i));
  const [main] = told;
  const ended: Ended = findings.at(-1)?.found.ended ?? 'done';
  const path = output?.path ?? `${folder.path}/best/schedule.json`;
  if (main) {
    folder.keepBest(textFiles(Object.fromEntries(told.map(({ name, text }) => [name, text]))));
    output?.write(textFiles({ 'schedule.json': main.text }), folder);
  }
  const minimal = main?.finding.found.isMinimal ? ['late event'] : [];
  see({
    type: 'ended',
    ended,
    minimal,
    size: { deltas: main?.late.length ?? 0 },
    counts: counter.counts,
    seconds: context.seconds(),
    told: summaryOf(facts, told, ended),
  });
  const reproduce = `culprit schedules --replay ${quoted(path)}`;
  const result = main && (options.quiet ? told.map(each => each.sentence).join(' ') : stacksOf(main.pairs));
  const timeline = main && timelineOf(first.recording, main.finding, main.pairs);
  return {
    ended,
    ending: main ? { output: path, reproduce, ...(result ? { result } : {}) } : {},
    json: jsonOf(context, 'schedules', { ended, minimal }, counter, {
      default: first.outcome,
      tries: options.tries,
      ...(main ? { ...fieldsOf(main, options), schedule: path } : {}),
      ...(told.some(each => each.finding.test !== undefined)
        ? {
            failing: told.map(each => ({
              test: each.finding.test,
              ...fieldsOf(each, options),
              schedule: `${folder.path}/best/${each.name}`,
            })),
          }
        : {}),
      ...(first.recording.notes.length > 0 ? { escapes: first.recording.notes } : {}),
    }),
    page: {
      title: `${basename(words[0] ?? '')}: which order of events matters`,
      ...(main ? { reproduce, output: path } : {}),
      ...(timeline ? { timeline } : {}),
      ...(told.length > 1
        ? {
            table: {
              caption: 'Tests that depend on the order of events',
              columns: ['test', 'fails when'],
              rows: told.map(each => [each.finding.test ?? '', each.sentence.replace(/^Fails when /, '')]),
            },
          }
        : {}),
    },
    ...(main || ended !== 'done' ? {} : { problem: nothing(facts) }),
  };
}

function toTold(facts: Facts, finding: Finding, i: number): readonly Told[] {
  const { found, last, isSwapped } = finding;
  const late = found.late ?? found.before ?? [];
  if (!last || found.seed === undefined || !((found.replayed ?? 0) > 0) || late.length === 0) return [];
  const pairs = pairsIn(last.recording, late, isSwapped);
  const sentence = sentenceOf(pairs);
  const name = i === 0 ? 'schedule.json' : `schedule-${i + 1}.json`;
  const file: ScheduleFile = {
    culprit: 'schedule',
    version: 1,
    way: facts.way.name,
    command: facts.words,
    node: process.version,
    slow: facts.options.slow,
    epoch: facts.epoch,
    outcome: isSwapped ? 'pass' : 'fail',
    otherwise: isSwapped ? 'fail' : 'pass',
    ...(last.rule.kind === 'signature' ? { signature: last.rule.signature.text } : {}),
    ...(finding.test === undefined ? {} : { test: finding.test }),
    sentence,
    late: late.map(event => ({ ...event, event: inWords(last.recording, event.id).text })),
  };
  return [{ finding, late, pairs, sentence, name, text: scheduleText(file) }];
}

function fieldsOf({ finding, late, pairs, sentence }: Told, { replays }: SchedulesOptions) {
  const place = ({ what, file, line, via }: Pair['before']) => ({ what, file, line, ...(via ? { via } : {}) });
  const named = pairs.map(each => ({ before: place(each.before), after: place(each.after) }));
  const { seed, replayed, before, tests } = finding.found;
  return {
    found: seed,
    replayed,
    replays,
    ...(named[0] ?? {}),
    pairs: named,
    isolation: { late: before?.length ?? 0, left: late.length, tests },
    sentence,
  };
}

function summaryOf({ first, options }: Facts, told: readonly Told[], ended: Ended): string {
  if (told.length === 0)
    return ended === 'done'
      ? `${first.outcome === 'pass' ? 'Passes' : 'Fails'} in the default order, and no other order was found in which that differs.`
      : 'Stopped before an order with another outcome was found.';
  const lines = told.map(({ finding: { found, test }, sentence }) => {
    const about = test === undefined ? '' : `${test}: `;
    const { replayed, tests } = found;
    return found.ended === 'done'
      ? `${about}${sentence} Replays ${replayed} of ${options.replays}; isolated in ${tests} ${tests === 1 ? 'test' : 'tests'}.`
      : `${about}stopped before it was isolated. ${sentence}`;
  });
  return lines.join(' ');
}

function nothing({ findings, first, options }: Facts): UserError {
  const seed = findings[0]?.found.seed;
  if (seed !== undefined)
    return new UserError(
      `Schedule ${seed} had another outcome once, but in none of ${options.replays} replays.`,
      'Something that no schedule controls decides: see "What escapes" in docs/schedules.md.',
      1,
    );
  const tried = `in the default order and in ${options.tries} random schedules`;
  return first.outcome === 'pass'
    ? new UserError(
        `No failing order: the command passes ${tried}.`,
        'Try more of them (--tries 1000) or let events be slower (--slow 1s).',
        1,
      )
    : new UserError(
        `No passing order: the command fails ${tried}.`,
        'The order of events does not seem to be the cause. `culprit env`, `culprit options` or `culprit reduce` look elsewhere.',
        1,
      );
}
