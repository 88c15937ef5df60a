/** What a search found: files to write, words for people, fields for programs. */

import { basename } from 'node:path';
import type { LateEvent } from '../../circumstances/lateness.js';
import type { Artifact } from '../../core/artifact.js';
import { UserError } from '../../core/index.js';
import { counted } from '../../core/phrases.js';
import { quote } from '../../core/shell.js';
import type { Ended, Size } from '../../engine/index.js';
import { describeEvent } from '../../oracle/schedules/describe-event.js';
import type { Output } from '../../run/output.js';
import type { RunFolder } from '../../run/run-folder.js';
import { textFiles } from '../invocation.js';
import type { Page, Presentation } from '../job.js';
import type { Finding, SchedulesOptions } from './findings.js';
import type { FirstOrder } from './first-run.js';
import {
  type Pair,
  pairsIn,
  type ScheduleFile,
  type Subject,
  scheduleText,
  sentenceOf,
  stacksOf,
  subjectFields,
} from './result.js';
import { timelineOf } from './timeline.js';

/** What is known about the run, in addition to its findings. */
export interface Facts extends Subject {
  readonly first: FirstOrder;
  readonly options: SchedulesOptions;
  /** The path of the run's folder. */
  readonly folder: string;
  readonly output: Output | undefined;
}

/** A finding that was replayed, as text and as a file. */
interface Explained {
  readonly finding: Finding;
  readonly late: readonly LateEvent[];
  readonly pairs: readonly Pair[];
  readonly sentence: string;
  readonly name: string;
  readonly text: string;
}

/** The schedules of all findings; empty if none was replayed. */
export function filesOf(facts: Facts, findings: readonly Finding[]): Artifact | undefined {
  const explained = explain(facts, findings);
  if (explained.length === 0) return undefined;
  return textFiles(Object.fromEntries(explained.map(({ name, text }) => [name, text])));
}

export const minimalOf = ([main]: readonly Finding[]): readonly string[] =>
  main?.found.isMinimal ? ['late event'] : [];

export const sizeOf = ([main]: readonly Finding[]): Size => ({ deltas: main ? lateIn(main).length : 0 });

export function present(
  facts: Facts,
  findings: readonly Finding[],
  { ended, folder }: { readonly ended: Ended; readonly folder: RunFolder },
): Presentation {
  const { first, options } = facts;
  const explained = explain(facts, findings);
  const [main] = explained;
  const shared = {
    default: first.outcome,
    tries: options.tries,
    ...(first.recording.notes.length > 0 ? { escapes: first.recording.notes } : {}),
  };
  if (!main) return { fields: shared, ...(ended === 'done' ? { problem: nothing(facts, findings) } : {}) };
  facts.output?.write(textFiles({ 'schedule.json': main.text }), folder);
  const output = pathOf(facts);
  const result = options.quiet ? explained.map(each => each.sentence).join(' ') : stacksOf(main.pairs);
  return {
    output,
    reproduce: reproduceOf(facts),
    ...(result === '' ? {} : { result }),
    fields: {
      ...shared,
      ...fieldsOf(main, options),
      schedule: output,
      ...(main.finding.test === undefined ? {} : { failing: explained.map(each => failingTest(each, facts)) }),
    },
  };
}

export function pageOf(facts: Facts, findings: readonly Finding[]): Page {
  const explained = explain(facts, findings);
  const [main] = explained;
  const timeline = main && timelineOf(facts.first.recording, main.finding, main.pairs);
  return {
    title: `${basename(facts.words[0] ?? '')}: which order of events matters`,
    ...(main ? { reproduce: reproduceOf(facts), output: pathOf(facts) } : {}),
    ...(timeline ? { timeline } : {}),
    ...(explained.length > 1
      ? {
          table: {
            caption: 'Tests that depend on the order of events',
            columns: ['test', 'fails when'],
            rows: explained.map(each => [each.finding.test ?? '', each.sentence.replace(/^Fails when /, '')]),
          },
        }
      : {}),
  };
}

/** The end as a sentence for each finding. */
export function summaryOf(facts: Facts, findings: readonly Finding[], ended: Ended): string {
  const { first, options } = facts;
  const explained = explain(facts, findings);
  if (explained.length === 0)
    return ended === 'done'
      ? `${first.outcome === 'pass' ? 'Passes' : 'Fails'} in the default order and in all ${options.tries} random schedules.`
      : 'Stopped before an order with another outcome was found.';
  const lines = explained.map(({ finding: { found, test }, sentence }) => {
    const about = test === undefined ? '' : `${test}: `;
    const { replayed, tests } = found;
    return found.ended === 'done'
      ? `${about}${sentence} Replays ${replayed} of ${options.replays}; isolated in ${counted(tests, 'test')}.`
      : `${about}stopped before it was isolated. ${sentence}`;
  });
  return lines.join(' ');
}

const pathOf = ({ output, folder }: Facts): string => output?.path ?? `${folder}/best/schedule.json`;
const reproduceOf = (facts: Facts): string => `culprit schedules --replay ${quote(pathOf(facts))}`;
const lateIn = ({ found }: Finding): readonly LateEvent[] => found.late ?? found.before ?? [];

const explain = (facts: Facts, findings: readonly Finding[]): readonly Explained[] =>
  findings.flatMap((finding, i) => explainOne(facts, finding, i));

function explainOne(facts: Facts, finding: Finding, i: number): readonly Explained[] {
  const { found, last, isSwapped } = finding;
  const late = lateIn(finding);
  if (!last || !((found.replayed ?? 0) > 0) || late.length === 0) return [];
  const pairs = pairsIn(last.recording, late, isSwapped);
  const sentence = sentenceOf(pairs);
  const name = i === 0 ? 'schedule.json' : `schedule-${i + 1}.json`;
  const file: ScheduleFile = {
    ...subjectFields(facts),
    outcome: isSwapped ? 'pass' : 'fail',
    otherwise: isSwapped ? 'fail' : 'pass',
    ...signatureOf(finding),
    ...(finding.test === undefined ? {} : { test: finding.test }),
    sentence,
    late: late.map(event => ({ ...event, event: describeEvent(last.recording, event.id).text })),
  };
  return [{ finding, late, pairs, sentence, name, text: scheduleText(file) }];
}

const signatureOf = ({ last }: Finding) =>
  last?.rule.kind === 'signature' ? { signature: last.rule.signature.text } : {};

function fieldsOf({ finding, late, pairs, sentence }: Explained, { replays }: SchedulesOptions) {
  const place = ({ what, file, line, via }: Pair['before']) => ({ what, file, line, ...(via ? { via } : {}) });
  const named = pairs.map(each => ({ first: place(each.before), second: place(each.after) }));
  const { seed, replayed, before, tests } = finding.found;
  return {
    ...signatureOf(finding),
    found: seed,
    replayed,
    replays,
    ...(named[0] ?? {}),
    pairs: named,
    isolation: { late: before?.length ?? 0, left: late.length, tests },
    sentence,
  };
}

const failingTest = (explained: Explained, { folder, options }: Facts) => ({
  test: explained.finding.test,
  ...fieldsOf(explained, options),
  schedule: `${folder}/best/${explained.name}`,
});

function nothing({ first, options }: Facts, findings: readonly Finding[]): UserError {
  const seed = findings[0]?.found.seed;
  if (seed !== undefined)
    return new UserError(
      `Schedule ${seed} had a different outcome once, but in none of ${options.replays} replays.`,
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
