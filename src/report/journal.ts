/** Reads the events of a run from its journal. */
import { open } from 'node:fs/promises';
import { number, object, optional } from '../core/schema.js';
import type { Event } from '../engine/events.js';
import { readEvent } from '../run/journal-line.js';
import { fold, nothingYet, type ReportState } from './state.js';

/**
 * A run's journal, read for its events: lines of JSON, of which `{"event": …}` matter here, with `at` (milliseconds) if it
 * was recorded. The last line may be half written, and a journal that a resumed run truncated is read again.
 */
export class JournalReader {
  #offset = 0;
  #rest = Buffer.alloc(0);
  #state: ReportState = nothingYet;
  readonly #path: string;
  readonly #clock: () => number;

  constructor(path: string, clock: () => number = () => performance.now()) {
    this.#path = path;
    this.#clock = clock;
  }

  get state(): ReportState {
    return this.#state;
  }

  /** Reads what was written since the last call; returns whether there was an event in it. */
  async read(trusted = Number.POSITIVE_INFINITY): Promise<boolean> {
    const file = await open(this.#path, 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (!file) return false;
    try {
      const size = Math.min((await file.stat()).size, trusted);
      if (size < this.#offset) {
        this.#offset = 0;
        this.#rest = Buffer.alloc(0);
        this.#state = nothingYet;
      }
      const before = this.#state;
      const buffer = Buffer.alloc(1 << 20);
      while (this.#offset < size) {
        const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - this.#offset), this.#offset);
        if (bytesRead === 0) break;
        this.#offset += bytesRead;
        this.#take(buffer.subarray(0, bytesRead));
      }
      return this.#state !== before;
    } finally {
      await file.close();
    }
  }

  #take(bytes: Buffer): void {
    const all = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    let from = 0;
    for (let to = all.indexOf(10); to >= 0; to = all.indexOf(10, from)) {
      this.#line(all.toString('utf8', from, to));
      from = to + 1;
    }
    this.#rest = Buffer.from(all.subarray(from));
  }

  #line(line: string): void {
    // Most lines of a journal are verdicts: they are recognised without parsing them.
    if (!line.includes('"event"')) return;
    const record = parsed(line);
    if (!record) return;
    if (goesOn(record.event)) this.#state = notEnded(this.#state);
    this.#state = fold(this.#state, record.event, record.at ?? this.#clock());
  }
}

/** A stopped run ended, and a resumed one continues in the same journal. */
const goesOn = (event: Event): boolean =>
  event.type === 'pass' || event.type === 'answered' || event.type === 'reduced';

function notEnded({ ended: _, ...state }: ReportState): ReportState {
  return state;
}

/** The part of a line that matters here; a damaged line is ignored. */
function parsed(line: string): { readonly event: Event; readonly at?: number | undefined } | undefined {
  try {
    return written(JSON.parse(line));
  } catch {
    return undefined;
  }
}

const written = object({ event: readEvent, at: optional(number) });

/** The state according to a run's journal, up to its end or to the first damaged line. */
export async function stateOfJournal(path: string, clock?: () => number, trusted?: number): Promise<ReportState> {
  const reader = new JournalReader(path, clock);
  await reader.read(trusted);
  return reader.state;
}
