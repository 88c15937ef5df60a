/** The state of a report: a fold of all events of a run. */
import { type Configuration, type Outcome, size as sizeOf } from '../core/index.js';
import type { Counts, Ended, Event, Size } from '../engine/events.js';
import { append, chunk, itemsOf, type Log, lastOf, lengthOf, logOf } from './log.js';

/** The first and the last answers of a run are all kept; between them only those that made the best smaller. */
export const keepFirst = 1_000;
export const keepLast = 2_000;
const keepImprovements = 10_000;
const keepPoints = 4_000;
const keepNoticed = 200;
const longestText = 300;

/** One row of the transcript. */
export interface Row {
  readonly step: number;
  readonly outcome: Outcome;
  readonly known?: true;
  /** The number of its pass, from 0. */
  readonly pass: number;
  readonly deltas: number;
  readonly bytes?: number;
  readonly n?: number;
  readonly part?: string;
  readonly rule?: string;
  readonly reason?: string;
  /** Which deltas were applied, as a picture: up to 24 cells, each a digit from 0 (none) to 8 (all). */
  readonly cells: string;
  /** The size of the best after this answer, if the answer made it smaller. */
  readonly reduced?: number;
}

export interface Pass {
  readonly name: string;
  readonly round: number;
  readonly strategy: string;
  readonly deltas: number;
  readonly bytes?: number;
  /** How many answers had been given before it began. */
  readonly from: number;
  /** The best size when it began, in the unit of the run; see `measure`. */
  readonly before: number;
}

export interface Noticed {
  readonly text: string;
  readonly path?: string;
  readonly times: number;
}

/** Everything that people see about a run. Plain data: it survives JSON unchanged. */
export interface ReportState {
  readonly job: string;
  readonly signature?: string;
  readonly rule?: string;
  readonly command?: string;
  readonly before: Size;
  readonly best: Size;
  /** Milliseconds on the caller's clock. */
  readonly began: number;
  readonly latest: number;
  readonly counts: Counts;
  readonly passes: readonly Pass[];
  /** The best size after a step; see `measure`. Thinned out if there are very many. */
  readonly series: Log<{ readonly step: number; readonly size: number }>;
  /** A few samples of the last seconds, for the current speed. */
  readonly moments: readonly { readonly at: number; readonly tests: number }[];
  /** The progress of the current pass, if its strategy knows it. */
  readonly progress?: Progress;
  readonly kept: Log<Row>;
  readonly recent: Log<Row>;
  readonly otherFailures: readonly Noticed[];
  readonly notes: readonly Noticed[];
  readonly ended?: {
    readonly ended: Ended;
    readonly minimal: readonly string[];
    readonly seconds: number;
    readonly sentence?: string;
  };
}

export interface Progress {
  readonly done: number;
  readonly of: number;
  readonly proof: boolean;
}

export const nothingYet: ReportState = {
  job: '',
  before: { deltas: 0 },
  best: { deltas: 0 },
  began: 0,
  latest: 0,
  counts: { tests: 0, executed: 0, cached: 0, unresolved: 0, speculative: 0 },
  passes: [],
  series: [],
  moments: [],
  kept: [],
  recent: [],
  otherFailures: [],
  notes: [],
};

/** Bytes if the artifact has any, deltas otherwise: deltas of different passes are not comparable, bytes are. */
export const unitOf = (state: ReportState): 'bytes' | 'deltas' =>
  state.before.bytes === undefined ? 'deltas' : 'bytes';
export const measure = (state: ReportState, size: Size): number =>
  unitOf(state) === 'bytes' ? (size.bytes ?? 0) : size.deltas;

export const rowsOf = (state: ReportState): Row[] => [...itemsOf(state.kept), ...itemsOf(state.recent)];

export const secondsOf = (state: ReportState, now = state.latest): number =>
  state.ended?.seconds ?? Math.max(0, now - state.began) / 1000;

/** Answers per second: over the last seconds during the run, over the whole run after it. */
export function speedOf(state: ReportState, now = state.latest): number {
  const from = state.ended ? undefined : state.moments[0];
  const seconds = from ? (now - from.at) / 1000 : secondsOf(state, now);
  return seconds > 0 ? (state.counts.tests - (from?.tests ?? 0)) / seconds : 0;
}

export const foldAll = (events: Iterable<Event>, now: number): ReportState => {
  let state = nothingYet;
  for (const event of events) state = fold(state, event, now);
  return state;
};

/** The fold that everything visible is made of. `now` is in milliseconds, on any clock that never goes back. */
export function fold(state: ReportState, event: Event, now: number): ReportState {
  const latest = Math.max(state.latest, now);
  switch (event.type) {
    case 'began': {
      // A resumed run repeats its events from the beginning.
      const { type: _, before, ...said } = event;
      const fresh = { ...nothingYet, ...said, before, best: before, began: now, latest: now };
      return { ...fresh, series: [[{ step: 0, size: measure(fresh, before) }]], moments: [{ at: now, tests: 0 }] };
    }
    case 'pass': {
      const { type: _, pass: name, ...said } = event;
      const pass = { ...said, name, from: state.counts.tests, before: measure(state, state.best) };
      const { progress: __, ...rest } = state;
      return { ...rest, latest, passes: [...state.passes, pass] };
    }
    case 'answered':
      return answered({ ...state, latest }, event);
    case 'reduced':
      return reduced({ ...state, latest }, event.step, event.size);
    case 'noticed': {
      const key = event.what === 'other failure' ? 'otherFailures' : 'notes';
      return { ...state, latest, [key]: notice(state[key], event.text, event.path) };
    }
    case 'ended': {
      const { ended, minimal, seconds, size, counts, sentence } = event;
      const end = { ended, minimal, seconds, ...(sentence === undefined ? {} : { sentence }) };
      return { ...state, latest, best: size, counts, ended: end };
    }
    default:
      event satisfies never;
      return state; // A newer culprit may have written an event that this one does not know.
  }
}

function answered(state: ReportState, event: Extract<Event, { type: 'answered' }>): ReportState {
  const { configuration, known, outcome, bytes, n } = event;
  // Needs no test: it can't be built, or it follows from another answer.
  const isFree = known || event.reason === 'infeasible' || event.reason === 'a superset passed';
  const counts = {
    ...state.counts,
    tests: state.counts.tests + 1,
    executed: state.counts.executed + (isFree ? 0 : 1),
    cached: state.counts.cached + (isFree ? 1 : 0),
    unresolved: state.counts.unresolved + (outcome === 'unresolved' ? 1 : 0),
  };
  const row: Row = {
    step: event.step,
    outcome,
    ...(known && { known }),
    pass: state.passes.length - 1,
    deltas: sizeOf(configuration),
    ...(bytes !== undefined && { bytes }),
    ...(n !== undefined && { n }),
    ...shortened({ part: event.part, rule: event.rule, reason: event.reason }),
    cells: cellsOf(configuration, state.passes.at(-1)?.deltas ?? configuration.at(-1) ?? 0),
    // `reduced` may arrive before the answer that it follows from.
    ...(lastOf(state.series)?.step === event.step && { reduced: lastOf(state.series)!.size }),
  };
  const last = state.moments.at(-1);
  const moments =
    last && state.latest - last.at < 500
      ? state.moments
      : [...state.moments.slice(-10), { at: state.latest, tests: counts.tests }];
  return forgetful({ ...state, ...progressOf(state, event), counts, moments, recent: append(state.recent, row) });
}

function progressOf(
  { passes, best }: ReportState,
  { left, proof = false }: Extract<Event, { type: 'answered' }>,
): { readonly progress?: Progress } {
  const of = proof ? best.deltas : (passes.at(-1)?.deltas ?? 0);
  return left === undefined || left > of ? {} : { progress: { done: of - left, of, proof } };
}

function reduced(state: ReportState, step: number, size: Size): ReportState {
  const point = { step, size: measure(state, size) };
  const mark = (row: Row): Row => (row.step === step ? { ...row, reduced: point.size } : row);
  const tail = state.recent.at(-1);
  return {
    ...state,
    best: size,
    recent: tail ? [...state.recent.slice(0, -1), tail.map(mark)] : state.recent,
    series: thinned(append(state.series, point)),
  };
}

/** Old rows leave `recent` a chunk at a time; of these, the first of the run and the improvements stay. */
function forgetful(state: ReportState): ReportState {
  if (lengthOf(state.recent) < keepLast + chunk) return state;
  let kept = state.kept;
  for (const row of state.recent[0]!) {
    const stays = row.step <= keepFirst || (row.reduced !== undefined && lengthOf(kept) < keepFirst + keepImprovements);
    if (stays) kept = append(kept, row);
  }
  return { ...state, kept, recent: state.recent.slice(1) };
}

function thinned<Point>(series: Log<Point>): Log<Point> {
  if (lengthOf(series) <= keepPoints) return series;
  const points = itemsOf(series);
  return logOf(points.filter((point, i) => i % 2 === 0 || point === lastOf(series)));
}

function notice(all: readonly Noticed[], text: string, path?: string): readonly Noticed[] {
  if (all.some(one => one.text === text))
    return all.map(one => (one.text === text ? { ...one, times: one.times + 1 } : one));
  return all.length < keepNoticed ? [...all, { text, ...(path !== undefined && { path }), times: 1 }] : all;
}

function shortened<Texts extends Record<string, string | undefined>>(
  texts: Texts,
): Partial<Record<keyof Texts, string>> {
  const said = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(
    said.map(([key, text]) => [key, text.length > longestText ? `${text.slice(0, longestText)}…` : text]),
  ) as Partial<Record<keyof Texts, string>>;
}

/** How full each part of 0 … count − 1 is. */
export function cellsOf(configuration: Configuration, count: number): string {
  const cells = Math.min(24, count);
  const filled = new Array<number>(cells).fill(0);
  const width = count / cells;
  for (let i = 0; i < configuration.length; i += 2) {
    const start = configuration[i]!;
    const end = Math.min(configuration[i + 1]!, count);
    for (let cell = Math.floor(start / width); cell < cells && cell * width < end; cell++)
      filled[cell]! += Math.max(0, Math.min(end, (cell + 1) * width) - Math.max(start, cell * width));
  }
  // A cell that contains anything must not look empty, and one that lacks anything must not look full.
  return filled
    .map(sum => {
      const share = sum / width;
      return share <= 0 ? 0 : share > 1 - 1e-9 ? 8 : Math.min(7, Math.max(1, Math.round(share * 8)));
    })
    .join('');
}
