import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Verdict } from '../core/index.js';
import { UserError } from '../core/index.js';
import type { Event } from './events.js';
import { readLine } from './journal-line.js';

/** What a run was asked to do: all that is needed to go on with it. */
export interface Header {
  readonly culprit: 1;
  readonly job: string;
  /** The command line, and the folder it was given in. */
  readonly argv: readonly string[];
  readonly cwd: string;
}

/** One line of a journal. `at`: milliseconds that the run had taken, the time between its legs not counted. */
export type Line =
  | Header
  | { readonly test: string; readonly verdict: Verdict }
  | { readonly event: Event; readonly at: number }
  | { readonly noted: string; readonly value: unknown };

export interface Content {
  readonly header: Header;
  /** The first verdict on each artifact is law. */
  readonly verdicts: Map<string, Verdict>;
  /** Further ones, in their order, where a run was asked to test again what was tested before. */
  readonly again: Map<string, Verdict[]>;
  /** The signatures of other failures that the search met. */
  readonly others: Set<string>;
  readonly noted: Map<string, unknown>;
  /** How many events of the transcript there are. */
  readonly transcript: number;
  /** Tests of the search: what was run before it began is not among them. */
  readonly executed: number;
  readonly milliseconds: number;
  /** Bytes up to the last whole line. */
  readonly length: number;
}

/** Events that belong to the transcript: the same whenever and however often a run is interrupted. */
export const isTranscript = (event: Event): boolean =>
  event.type === 'began' || event.type === 'pass' || event.type === 'answered' || event.type === 'reduced';

export function readJournal(path: string): Content {
  const bytes = read(path);
  const [verdicts, again, noted] = [new Map<string, Verdict>(), new Map<string, Verdict[]>(), new Map()];
  const others = new Set<string>();
  let header: Header | undefined;
  let [transcript, executed, milliseconds, at] = [0, 0, 0, 0];
  for (let number = 1, end = bytes.indexOf(10); end >= 0; number++, end = bytes.indexOf(10, at)) {
    const line = parse(bytes.toString('utf8', at, end));
    if (number === 1 && !(line && 'culprit' in line)) break;
    if (!line) {
      // A crash damages the end of a file; a damaged line with others after it was damaged by something else.
      if (end + 1 < bytes.length) throw damaged(path, number);
      break;
    }
    if ('culprit' in line) header = line;
    else if ('noted' in line) noted.set(line.noted, line.value);
    else if ('test' in line) {
      if (transcript > 0) {
        executed++;
        if (line.verdict.outcome === 'unresolved' && line.verdict.signature) others.add(line.verdict.signature);
      }
      if (!verdicts.has(line.test)) verdicts.set(line.test, line.verdict);
      else again.set(line.test, [...(again.get(line.test) ?? []), line.verdict]);
    } else {
      if (isTranscript(line.event)) transcript++;
      // A leg that ended counted itself, with the tests that were abandoned.
      if (line.event.type === 'ended') executed = line.event.counts.executed + (line.event.counts.speculative ?? 0);
      milliseconds = Math.max(milliseconds, line.at);
    }
    at = end + 1;
  }
  if (!header)
    throw new UserError(
      `${path} is damaged: its first line is not that of a culprit's journal.`,
      `Start the run again. If it found anything, that is in ${dirname(path)}/best.`,
      1,
    );
  return { header, verdicts, again, others, noted, transcript, executed, milliseconds, length: at };
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new UserError(`The journal ${path} can't be read: ${(error as Error).message}.`, 'Check its permissions.');
    throw new UserError(
      `There is no journal at ${path}.`,
      'Give the folder of a run, for example: culprit resume .culprit/bug-1.',
    );
  }
}

function damaged(path: string, number: number): UserError {
  const aside = `${path}.damaged`;
  return new UserError(
    `${path} is damaged in line ${number}, and nothing was changed in it.`,
    [
      `The smallest result so far is in ${dirname(path)}/best. To go on from the lines before the damage:`,
      `  mv ${path} ${aside} && head -n ${number - 1} ${aside} > ${path} && culprit resume ${dirname(path)}`,
    ].join('\n'),
    1,
  );
}

/** The line, if it is one that a journal has; whatever else stands there is damage. */
function parse(text: string): Line | undefined {
  try {
    return readLine(JSON.parse(text));
  } catch {
    return undefined;
  }
}
