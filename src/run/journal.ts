/** The journal: every question and verdict of a run, on disk. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Verdict } from '../core/index.js';
import { UserError } from '../core/index.js';
import type { Event } from '../engine/events.js';
import type { Memory } from '../engine/memory.js';
import { type Content, type Header, isTranscript, journalled, type Line, readJournal, sealed } from './journal-file.js';

export { type Header, readJournal } from './journal-file.js';

/** After this many lines, or milliseconds, what was written is synced to the disk. A sync for each line would cost as much as a test. */
const syncAfter = { lines: 50, milliseconds: 1000 };

/**
 * Every question and verdict, on disk as they happen, one JSON line each; the memory of a run, and what `resume` reads. A
 * resumed run replays its strategy over the recorded verdicts. No test is run again, and transcript lines that are already
 * in the file are not written twice, so the file reads as one run however often it was interrupted.
 */
export class Journal implements Memory {
  readonly #path: string;
  readonly #file: number;
  readonly #content: Content;
  readonly #clock: () => number;
  readonly #opened: number;
  #at: number;
  #sum: string;
  #syncedAt: number;
  #replayed: number;
  #unsynced = 0;
  #damage: string | undefined;
  /** Called when a verdict can't be written. Verdicts are recorded where no caller waits, so an exception would be lost. */
  failed: (error: unknown) => void = () => {};

  private constructor(path: string, file: number, content: Content, clock: () => number) {
    this.#path = path;
    this.#file = file;
    this.#content = content;
    this.#clock = clock;
    this.#opened = clock();
    this.#at = content.length;
    this.#sum = content.sum;
    this.#syncedAt = this.#opened;
    this.#replayed = content.transcript;
  }

  static create(path: string, header: Header, clock: () => number = () => performance.now()): Journal {
    const content = { verdicts: new Map(), again: new Map(), others: new Set<string>(), noted: new Map() };
    const counts = { transcript: 0, executed: 0, spent: 0, milliseconds: 0, length: 0, sum: '' };
    const journal = new Journal(path, openSync(path, 'wx'), { header, ...content, ...counts }, clock);
    journal.#append(header);
    journal.sync();
    syncName(path);
    return journal;
  }

  static reopen(path: string, clock: () => number = () => performance.now()): Journal {
    const content = readJournal(path);
    // What follows a damaged line can't be trusted; it is kept for inspection.
    const aside = content.damagedLine === undefined ? undefined : `${path}.damaged-${randomBytes(4).toString('hex')}`;
    if (aside !== undefined) copyFileSync(path, aside, constants.COPYFILE_EXCL);
    const file = openSync(path, 'r+');
    // The last line may have been cut off by a crash.
    ftruncateSync(file, content.length);
    const journal = new Journal(path, file, content, clock);
    if (aside !== undefined)
      journal.#damage = `${path} is damaged in line ${content.damagedLine}: the run continues from the lines before it, and what followed is tested again. The damaged file is kept as ${aside}.`;
    return journal;
  }

  /** Describes which earlier records could not be used. */
  get damage(): string | undefined {
    return this.#damage;
  }

  get header(): Header {
    return this.#content.header;
  }

  /** How long the run has taken so far, without the time between interruptions. */
  get milliseconds(): number {
    return this.#content.milliseconds + this.#clock() - this.#opened;
  }

  /** The transcript has not yet reached the point where the last process ended. */
  get replaying(): boolean {
    return this.#replayed > 0;
  }

  /** How many bytes were written so far: always the end of a line. */
  get position(): number {
    return this.#at;
  }

  /** Removes what was written to a closed journal after a position; a resumed run asks for it again. */
  static rewind(path: string, position: number): void {
    const file = openSync(path, 'r+');
    try {
      ftruncateSync(file, position);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }

  /** Tests that finished before the run was resumed. */
  get executed(): number {
    return this.#content.executed;
  }

  /** What a budget had counted when the run was resumed. */
  get spent(): number {
    return this.#content.spent;
  }

  /** The signatures of other failures that the search found before it was resumed. */
  get others(): ReadonlySet<string> {
    return this.#content.others;
  }

  recall(identity: string): Verdict | undefined {
    return this.#content.verdicts.get(identity);
  }

  record(identity: string, verdict: Verdict): void {
    if (this.#content.verdicts.has(identity)) return;
    this.#content.verdicts.set(identity, verdict);
    this.#write({ test: identity, verdict });
  }

  /**
   * For runs that test again what was tested before: each recorded verdict is returned once, in the order of recording, and
   * verdicts of this process are not returned at all.
   */
  inOrder(): Memory {
    const { verdicts, again } = this.#content;
    const left = new Map([...verdicts].map(([identity, first]) => [identity, [first, ...(again.get(identity) ?? [])]]));
    return {
      recall: identity => left.get(identity)?.shift(),
      record: (test, verdict) => this.#write({ test, verdict }),
    };
  }

  /** Something that was decided once for the whole run; a resumed run finds it by its name. */
  note(name: string, value: unknown): void {
    this.#content.noted.set(name, value);
    this.#append({ noted: name, value });
  }

  /** The same with the checksum of the line before, so that what is noted belongs to exactly these lines. */
  noteAfter(name: string, value: object): void {
    this.note(name, { ...value, after: this.#sum });
  }

  /** The value that `note` stored under this name, if any. The caller knows its type: both are in the same file. */
  noted<Value = unknown>(name: string): Value | undefined {
    return this.#content.noted.get(name) as Value | undefined;
  }

  event(event: Event): void {
    if (isTranscript(event) && this.#replayed > 0) {
      this.#replayed--;
      return;
    }
    this.#append({ event: journalled(event), at: Math.round(this.milliseconds) });
  }

  /** Everything that was written is on the disk: not even a power cut can lose it. */
  sync(): void {
    try {
      this.#sync();
    } catch (error) {
      this.failed(error);
    }
  }

  #sync(): void {
    this.#unsynced = 0;
    this.#syncedAt = this.#clock();
    fdatasyncSync(this.#file);
  }

  close(): void {
    try {
      this.#sync();
    } catch {
      // A full or missing disk was reported when it was written to.
    }
    closeSync(this.#file);
  }

  #write(line: Line): void {
    try {
      this.#append(line);
    } catch (error) {
      this.failed(error);
    }
  }

  #append(line: Line): void {
    const { text, sum } = sealed(line, this.#sum);
    const bytes = Buffer.from(text);
    try {
      for (let done = 0; done < bytes.length; )
        done += writeSync(this.#file, bytes, done, bytes.length - done, this.#at + done);
      this.#at += bytes.length;
      this.#sum = sum;
      if (++this.#unsynced >= syncAfter.lines || this.#clock() - this.#syncedAt >= syncAfter.milliseconds) this.#sync();
    } catch (error) {
      throw new UserError(
        `The journal ${this.#path} can't be written: ${(error as Error).message}.`,
        'Free some disk space. The results so far are kept.',
        1,
      );
    }
  }
}

/** The name of a new file is on the disk once its folder is. */
function syncName(path: string): void {
  try {
    const folder = openSync(dirname(path), 'r');
    fsyncSync(folder);
    closeSync(folder);
  } catch {
    // Not every system can sync a folder.
  }
}
