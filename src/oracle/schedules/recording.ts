/** Reads what the processes of a run recorded about their events. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LateEvent } from '../../circumstances/lateness.js';

/** What is known about an event. */
export interface RecordedEvent {
  readonly id: string;
  readonly process: string;
  /** `timer`, `fs`, `data`, `close` … */
  readonly kind: string;
  /** The function of Node that was called: `rename`. */
  readonly call: string;
  /** Its number among the events of its kind that its line asked for. */
  readonly nth: number;
  /** The line that asked for it: `lib/store.js:12`. */
  readonly place: string;
  /** The event whose callback asked for it. */
  readonly parent: string;
  readonly stack: readonly string[];
}

/** An event that was overtaken, and by which others, in order. */
export interface Overtaken {
  readonly process: string;
  readonly id: string;
  readonly by: readonly string[];
}

/** What one run did: plain data, kept in the journal. */
export interface Recording {
  /** Names of the processes under the schedule. */
  readonly processes: readonly string[];
  readonly events: Readonly<Record<string, RecordedEvent>>;
  /** The events in the order in which they ran, with the time of the schedule's clock in ms. */
  readonly order: readonly { readonly id: string; readonly at: number }[];
  readonly late: readonly Overtaken[];
  /** What could not be controlled. */
  readonly notes: readonly string[];
}

type Line = {
  readonly process?: string;
  readonly event?: string;
  readonly ran?: string;
  readonly at?: number;
  readonly late?: string;
  readonly by?: string;
  readonly note?: string;
} & Partial<Omit<RecordedEvent, 'id'>>;

/** Reads what the processes of a run recorded, each in its own file. */
export function readRecording(folder: string): Recording {
  const processes: string[] = [];
  const events: Record<string, RecordedEvent> = {};
  const order: { id: string; at: number }[] = [];
  const late = new Map<string, { process: string; id: string; by: string[] }>();
  const notes = new Set<string>();
  for (const name of filesIn(folder)) {
    let process = 'main';
    for (const line of linesOf(join(folder, name))) {
      if (line.event !== undefined) events[line.event] = eventOf(line.event, process, line);
      else if (line.process !== undefined) processes.push((process = line.process));
      else if (line.ran !== undefined) order.push({ id: line.ran, at: line.at ?? 0 });
      else if (line.note !== undefined) notes.add(line.note);
      else if (line.late !== undefined) {
        const known = late.get(line.late) ?? { process, id: line.late, by: [] };
        known.by.push(line.by ?? '');
        late.set(line.late, known);
      }
    }
  }
  return { processes, events, order, late: [...late.values()], notes: [...notes] };
}

/** The late events of a run as deltas, each with its real delay. */
export const deltasIn = (recording: Recording): readonly LateEvent[] =>
  recording.late.map(({ process, id, by }) => ({ process, id, n: by.length }));

const eventOf = (id: string, process: string, line: Line): RecordedEvent => ({
  id,
  process,
  kind: line.kind ?? '',
  call: line.call ?? '',
  nth: line.nth ?? 1,
  place: line.place ?? '',
  parent: line.parent ?? '',
  stack: line.stack ?? [],
});

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith('.jsonl'))
      .sort();
  } catch {
    return [];
  }
}

/** The last line may be cut off: a killed process does not finish it. */
function linesOf(path: string): readonly Line[] {
  const lines: Line[] = [];
  for (const text of readFileSync(path, 'utf8').split('\n')) {
    if (text === '') continue;
    try {
      lines.push(JSON.parse(text) as Line);
    } catch {
      break;
    }
  }
  return lines;
}
