import { closeSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Verdict } from '../core/index.js';
import { UserError } from '../core/index.js';
import type { Event } from './events.js';
import type { Memory } from './memory.js';

/** What a run was asked to do: all that is needed to go on with it. */
export interface Header {
  readonly culprit: 1;
  readonly job: string;
  /** The command line, and the folder it was given in. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The content of the original. */
  readonly original?: string;
  /** What the first run settled, so that it need not be run again. */
  readonly settled?: unknown;
}

type Line =
  | Header
  | { readonly test: string; readonly verdict: Verdict }
  | { readonly event: Event }
  | { readonly settled: unknown };

/** Events that belong to the transcript: the same whenever and however often a run is interrupted. */
const isTranscript = (event: Event): boolean =>
  event.type === 'pass' || event.type === 'answered' || event.type === 'reduced';

/** Deltas of a huge configuration are not journalled: the content is, and the transcript can be replayed from it. */
const longestConfiguration = 64;

/**
 * Every question and verdict, on disk as they happen, one JSON line each; the memory of a run, and what `resume` reads.
 * A resumed run replays its strategy over the recorded verdicts: no test is run again, and the lines of the transcript that
 * are in the file already are not written twice. A line that was cut off by a crash is dropped.
 */
export class Journal implements Memory {
  readonly #file: number;
  readonly #verdicts: Map<string, Verdict>;
  #replayed: number;
  #unsynced = 0;
  readonly header: Header;
  readonly settled: unknown;

  private constructor(
    file: number,
    header: Header,
    verdicts: Map<string, Verdict>,
    replayed: number,
    settled: unknown,
  ) {
    this.#file = file;
    this.header = header;
    this.#verdicts = verdicts;
    this.#replayed = replayed;
    this.settled = settled;
  }

  static create(path: string, header: Header): Journal {
    const journal = new Journal(openSync(path, 'wx'), header, new Map(), 0, undefined);
    journal.#append(header);
    return journal;
  }

  static reopen(path: string): Journal {
    const { header, verdicts, events, settled, length } = readJournal(path);
    const file = openSync(path, 'r+');
    ftruncateSync(file, length);
    const journal = new Journal(file, header, verdicts, events, settled);
    journal.#at = length;
    return journal;
  }

  #at = 0;

  recall(identity: string): Verdict | undefined {
    return this.#verdicts.get(identity);
  }

  record(identity: string, verdict: Verdict): void {
    if (this.#verdicts.has(identity)) return;
    this.#verdicts.set(identity, verdict);
    this.#append({ test: identity, verdict });
  }

  settle(settled: unknown): void {
    this.#append({ settled });
  }

  event(event: Event): void {
    if (isTranscript(event) && this.#replayed > 0) {
      this.#replayed--;
      return;
    }
    const short =
      event.type === 'answered' && event.configuration.length > longestConfiguration
        ? { ...event, configuration: [] }
        : event;
    this.#append({ event: short });
  }

  close(): void {
    fdatasyncSync(this.#file);
    closeSync(this.#file);
  }

  #append(line: Line): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    try {
      for (let done = 0; done < bytes.length; )
        done += writeSync(this.#file, bytes, done, bytes.length - done, this.#at + done);
    } catch (error) {
      throw new UserError(
        `The journal can't be written: ${(error as Error).message}.`,
        'Make room on the disk, then go on with `culprit resume`. What was found so far is kept.',
        1,
      );
    }
    this.#at += bytes.length;
    // A lost second costs a few tests; a sync for each would cost as much as the tests themselves.
    if (++this.#unsynced >= 50) {
      this.#unsynced = 0;
      fdatasyncSync(this.#file);
    }
  }
}

interface Content {
  readonly header: Header;
  readonly verdicts: Map<string, Verdict>;
  readonly events: number;
  readonly settled: unknown;
  /** Bytes up to the last whole line. */
  readonly length: number;
}

export function readJournal(path: string): Content {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    throw new UserError(
      `There is no journal at ${path}.`,
      'Give the folder of a run, for example: culprit resume .culprit/bug-1.',
    );
  }
  const verdicts = new Map<string, Verdict>();
  let header: Header | undefined;
  let settled: unknown;
  let events = 0;
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(10, at);
    if (end < 0) break;
    const line = parse(bytes.toString('utf8', at, end));
    // What follows a damaged line can't be trusted to follow: it is tested again, nothing else is lost.
    if (!line) break;
    if ('culprit' in line) header = line;
    else if ('test' in line) verdicts.set(line.test, line.verdict);
    else if ('settled' in line) settled = line.settled;
    else if ('event' in line && isTranscript(line.event)) events++;
    at = end + 1;
  }
  if (!header)
    throw new UserError(
      `${path} is damaged: its first line is not a culprit journal's.`,
      'Start the reduction again; the smallest result so far is in best/ beside it.',
      1,
    );
  return { header, verdicts, events, settled, length: at };
}

function parse(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}
