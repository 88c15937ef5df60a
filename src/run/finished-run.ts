/** Reads what a run left on disk, for readers only: nothing is locked, repaired or written. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from '../core/artifact.js';
import { UserError, type Verdict } from '../core/index.js';
import type { Event } from '../engine/events.js';
import { type Header, isTranscript, readJournal } from './journal-file.js';
import { keptIn } from './run-folder.js';

export interface FinishedRun {
  readonly header: Header;
  /** All verdicts on each content, in the order in which they were made. */
  readonly verdicts: ReadonlyMap<string, readonly Verdict[]>;
  readonly noted: ReadonlyMap<string, unknown>;
  /** For each note, the checksum of the line before it. */
  readonly sumBefore: ReadonlyMap<string, string>;
  /** The events that any other run of the same search also has. */
  readonly transcript: readonly Event[];
  /** How the last process of the run ended; unset if it has not. */
  readonly ended?: Extract<Event, { readonly type: 'ended' }>;
  readonly original?: Artifact;
  readonly best?: Artifact;
  /** Why the journal is not as culprit wrote it, if it was changed. */
  readonly damage?: string;
}

export function readRun(run: string): FinishedRun {
  const path = join(run, 'journal.jsonl');
  if (!existsSync(path))
    throw new UserError(`There is no run at ${run}: it has no journal.jsonl.`, 'Runs are kept in .culprit/.');
  const { header, verdicts, again, noted, damagedLine, length } = readJournal(path);
  const lines = linesIn(path, length);
  const events = lines.flatMap(({ event }) => (event === undefined ? [] : [event]));
  const last = events.at(-1);
  const damage =
    damagedLine !== undefined
      ? `${path} is damaged in line ${damagedLine}: it was changed, or a line before it is missing`
      : length < statSync(path).size
        ? `${path} is cut off in its last line`
        : undefined;
  const [original, best] = [keptIn(run, 'original'), keptIn(run, 'best')];
  return {
    header,
    verdicts: new Map([...verdicts].map(([content, first]) => [content, [first, ...(again.get(content) ?? [])]])),
    noted,
    sumBefore: new Map(
      lines.flatMap(({ noted: name }, at) => (name === undefined ? [] : [[name, lines[at - 1]?.sum ?? '']])),
    ),
    transcript: events.filter(isTranscript),
    ...(last?.type === 'ended' ? { ended: last } : {}),
    ...(original ? { original } : {}),
    ...(best ? { best } : {}),
    ...(damage === undefined ? {} : { damage }),
  };
}

interface WrittenLine {
  readonly event?: Event;
  readonly noted?: string;
  readonly sum: string;
}

/** The lines up to here were found to be whole when the journal was read. */
const linesIn = (path: string, length: number): readonly WrittenLine[] =>
  readFileSync(path)
    .subarray(0, length)
    .toString('utf8')
    .split('\n')
    .flatMap(line => (line === '' ? [] : [JSON.parse(line) as WrittenLine]));
