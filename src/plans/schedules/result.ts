/** The result of a search: the pair of events whose order decides, in words, and the schedule as a file. */
import type { LateEvent, Schedule } from '../../circumstances/lateness.js';
import type { Artifact } from '../../core/artifact.js';
import { describeBoth, type EventDescription } from '../../oracle/schedules/describe-event.js';
import type { Recording } from '../../oracle/schedules/recording.js';
import { textFiles } from '../invocation.js';

/** Two events whose order decides. */
export interface Pair {
  /** In the failing order, this one runs first. */
  readonly before: EventDescription;
  readonly after: EventDescription;
}

/**
 * The pairs that decide: a late event, and the last one that overtook it. With one event fewer, the outcome was the other
 * one. `isSwapped`: the schedule passes and the default order fails.
 */
export function pairsIn(recording: Recording, late: readonly LateEvent[], isSwapped: boolean): readonly Pair[] {
  return late.flatMap(({ id }) => {
    const last = recording.late.find(each => each.id === id)?.by.at(-1);
    if (last === undefined) return [];
    const [overtaken, overtaking] = describeBoth(recording, [id, last]);
    return [isSwapped ? { before: overtaken, after: overtaking } : { before: overtaking, after: overtaken }];
  });
}

export const sentenceOf = (pairs: readonly Pair[]): string =>
  pairs.length === 0
    ? 'The order of events decides, but no pair of them could be named.'
    : `Fails when ${pairs.map(({ before, after }) => `${before.text} runs before ${after.text}`).join(', and ')}.`;

const frames = 7;

/** Both stacks, for the terminal. */
export function stacksOf(pairs: readonly Pair[]): string {
  const shown = (label: string, { what, stack }: EventDescription) =>
    [`${label}: ${what}, asked for at`, ...userFirst(stack).map(frame => `  ${frame}`)].join('\n');
  return pairs
    .slice(0, 2)
    .map(({ before, after }) => `${shown('first', before)}\n${shown('then', after)}`)
    .join('\n');
}

/** Frames inside Node are left out if there are others. */
function userFirst(stack: readonly string[]): readonly string[] {
  const others = stack.filter(frame => !/\bnode:/.test(frame));
  return (others.some(frame => !frame.startsWith('after ')) ? others : stack).slice(0, frames);
}

/** `schedule.json`: what `--replay` needs, and what a person may want to read in it. */
export interface ScheduleFile {
  readonly culprit: 'schedule';
  readonly version: 1;
  readonly way: 'node' | 'threads';
  readonly command: readonly string[];
  readonly node: string;
  readonly slow: number;
  readonly epoch: number;
  /** What the command does under this schedule, and in the default order. */
  readonly outcome: 'pass' | 'fail';
  readonly otherwise: 'pass' | 'fail';
  readonly signature?: string;
  /** The test of a test runner that fails. */
  readonly test?: string;
  readonly sentence: string;
  readonly late: readonly (LateEvent & { readonly event: string })[];
}

export const scheduleText = (file: ScheduleFile): string => `${JSON.stringify(file, null, 2)}\n`;

/** What every schedule of a run has in common. */
export interface Subject {
  readonly words: readonly string[];
  readonly way: ScheduleFile['way'];
  readonly epoch: number;
  readonly options: { readonly slow: number };
}

export const subjectFields = ({ words, way, epoch, options: { slow } }: Subject) => ({
  culprit: 'schedule' as const,
  version: 1 as const,
  way,
  command: words,
  node: process.version,
  slow,
  epoch,
});

/** A schedule under which the program fails in a different way: `--replay` runs it too, unless it is a random one. */
export function otherSchedule(schedule: Schedule, subject: Subject): Artifact {
  if (schedule.kind === 'seed') return textFiles({ 'seed.json': `${JSON.stringify(schedule)}\n` });
  const late = schedule.late.map(event => ({ ...event, event: event.id }));
  const file: ScheduleFile = { ...subjectFields(subject), outcome: 'fail', otherwise: 'pass', sentence: '', late };
  return textFiles({ 'schedule.json': scheduleText(file) });
}
