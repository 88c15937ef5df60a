/** The format of a journal file, and reading it. */

import { hash } from 'node:crypto';
import { dirname } from 'node:path';
import type { Verdict } from '../core/index.js';
import { UserError } from '../core/index.js';
import { addTo } from '../core/lists.js';
import type { Event } from '../engine/events.js';
import { readNamed } from '../sources/read-named.js';
import { readLine } from './journal-line.js';
import type { Made } from './machine.js';

/** What a run was asked to do: everything that is needed to resume it. */
export interface Header {
  /** The format of the file. */
  readonly culprit: 2;
  readonly job: string;
  /** The command line, and the folder in which it was typed. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Versions of culprit and of the grammars: the steps of a run depend on them. */
  readonly versions: Readonly<Record<string, string>>;
  /** The command line as a job understands it, so that `resume` need not read arguments again. */
  readonly request?: unknown;
  /** When and where it was started, for people. */
  readonly made?: Made;
}

/** One line of a journal. `at`: milliseconds that the run has taken so far, without the time between interruptions. */
export type Line =
  | Header
  | { readonly test: string; readonly verdict: Verdict }
  | { readonly event: Event; readonly at: number }
  | { readonly noted: string; readonly value: unknown };

export interface Content {
  readonly header: Header;
  /** The first verdict on each artifact is final. */
  readonly verdicts: Map<string, Verdict>;
  /** Further verdicts, in order, if the run tests again what was tested before. */
  readonly again: Map<string, Verdict[]>;
  /** The signatures of other failures that the search found. */
  readonly others: Set<string>;
  readonly noted: Map<string, unknown>;
  /** How many events of the transcript there are. */
  readonly transcript: number;
  /** Tests of the search, without those that were run before it began. */
  readonly executed: number;
  /** Questions that needed a test: what a budget counts. */
  readonly spent: number;
  readonly milliseconds: number;
  /** Bytes up to the end of the last line that can be trusted, and its checksum. */
  readonly length: number;
  readonly sum: string;
  /** The first line that can't be trusted, from 1. An incomplete last line does not count: a kill leaves one. */
  readonly damagedLine?: number;
}

/** Events that belong to the transcript: the same whenever and however often a run is interrupted. */
export const isTranscript = (event: Event): boolean =>
  event.type === 'began' || event.type === 'pass' || event.type === 'answered' || event.type === 'reduced';

/** What identifies run number i of a content, if a test makes several. */
export const observationOf = (content: string, i: number): string => `run ${i}: ${content}`;
/** What identifies the decision from several runs of a content. `epoch`: how often the reference has changed. */
export const decisionOf = (content: string, epoch: number): string => `decision ${epoch}: ${content}`;
/** Whether a name is that of a run: of any content, or of this one. */
export function isObservationOf(name: string, content?: string): boolean {
  const [found] = /^run \d+: /.exec(name) ?? [];
  return found !== undefined && (content === undefined || name.slice(found.length) === content);
}

/** The content that a name of a decision is about. */
export const decidedContent = (name: string): string | undefined => /^decision \d+: (.*)$/s.exec(name)?.[1];

/** Deltas of a huge configuration are not journalled. The content is, and the transcript can be replayed from it. */
const longestConfiguration = 64;

/** An event as a journal holds it. */
export const journalled = (event: Event): Event =>
  event.type === 'answered' && event.configuration.length > longestConfiguration
    ? { ...event, configuration: [] }
    : event;

export function readJournal(path: string): Content {
  const bytes = read(path);
  const [verdicts, again, noted] = [new Map<string, Verdict>(), new Map<string, Verdict[]>(), new Map()];
  const others = new Set<string>();
  let header: Header | undefined;
  let [transcript, executed, spent, milliseconds, at] = [0, 0, 0, 0, 0];
  let [sum, damagedLine]: [string, number | undefined] = ['', undefined];
  for (let number = 1, end = bytes.indexOf(10); end >= 0; number++, end = bytes.indexOf(10, at)) {
    const text = bytes.toString('utf8', at, end);
    const checked = unsealed(text, sum);
    const line = checked && parse(checked.text);
    if (number === 1 && !(line && 'culprit' in line)) throw notOurs(path, text);
    if (!line) {
      damagedLine = number;
      break;
    }
    sum = checked.sum;
    if ('culprit' in line) header = line;
    else if ('noted' in line) noted.set(line.noted, line.value);
    else if ('test' in line) {
      if (transcript > 0) {
        if (!isObservationOf(line.test)) executed++;
        if (line.verdict.outcome === 'unresolved' && line.verdict.signature) others.add(line.verdict.signature);
      }
      if (!verdicts.has(line.test)) verdicts.set(line.test, line.verdict);
      else addTo(again, line.test, line.verdict);
    } else {
      if (isTranscript(line.event)) transcript++;
      if (line.event.type === 'answered' && !line.event.known) spent++;
      // A process that ended recorded its own count, which includes abandoned tests.
      if (line.event.type === 'ended') executed = line.event.counts.executed + (line.event.counts.speculative ?? 0);
      milliseconds = Math.max(milliseconds, line.at);
    }
    at = end + 1;
  }
  if (!header) throw notOurs(path, '');
  const trusted = { length: at, sum, ...(damagedLine === undefined ? {} : { damagedLine }) };
  return { header, verdicts, again, others, noted, transcript, executed, spent, milliseconds, ...trusted };
}

/**
 * A line as it is written: with a checksum over itself and the checksum of the line before, so that a changed, lost or moved
 * line is noticed. It protects against damage only: anyone can write their own journal.
 */
export function sealed(line: Line, before: string): { readonly text: string; readonly sum: string } {
  const text = JSON.stringify(line);
  const sum = sumOf(text, before);
  return { text: `${text.slice(0, -1)},"sum":"${sum}"}\n`, sum };
}

/** The line without its checksum, if the checksum is right. */
function unsealed(text: string, before: string): { readonly text: string; readonly sum: string } | undefined {
  const [, sum] = seal.exec(text.slice(-sealLength)) ?? [];
  if (sum === undefined) return undefined;
  const bare = `${text.slice(0, -sealLength)}}`;
  return sumOf(bare, before) === sum ? { text: bare, sum } : undefined;
}

const seal = /^,"sum":"([0-9a-f]{12})"\}$/;
const isSealed = (text: string): boolean => seal.test(text.slice(-sealLength));
const sealLength = ',"sum":"0123456789ab"}'.length;
const sumOf = (text: string, before: string): string => hash('sha256', before + text).slice(0, 12);

function read(path: string): Buffer {
  try {
    return readNamed(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new UserError(`The journal ${path} can't be read: ${(error as Error).message}.`, 'Check its permissions.');
    throw new UserError(
      `There is no journal at ${path}.`,
      'Give the folder of a run, for example: culprit resume .culprit/bug-1.',
    );
  }
}

/** The first line describes the run: without it, nothing else in the file means anything. */
function notOurs(path: string, first: string): UserError {
  // The older format had no checksums: a line with a checksum and an old version has a damaged version number.
  const isOlder = /^\{"culprit":1,/.test(first) && !isSealed(first);
  return new UserError(
    isOlder
      ? `${path} was written by an older culprit, in another format.`
      : `${path} is damaged: its first line is not that of a culprit's journal.`,
    `Start the run again. If it found anything, that is in ${dirname(path)}/best.`,
    1,
  );
}

/** The line, if it is one that a journal can have; anything else is damage. */
function parse(text: string): Line | undefined {
  try {
    return readLine(JSON.parse(text));
  } catch {
    return undefined;
  }
}
