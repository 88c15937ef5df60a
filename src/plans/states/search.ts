/**
 * How a failure develops: the cause at each of a few places, found by putting the failing run's values into the passing run.
 */
import { isTransplantable, stateDifferences, type Transplant } from '../../circumstances/states/circumstance.js';
import { type Compared, compareStates, type Difference } from '../../circumstances/states/differences.js';
import type { State } from '../../circumstances/states/graph.js';
import { type Configuration, DeadEnd, deltasOf, of, type Test } from '../../core/index.js';
import { greatestOf } from '../../core/lists.js';
import { type Ended, type Event, type ExploreOptions, explore } from '../../engine/index.js';
import type { Ran, Request, Stop } from '../../oracle/states/protocol.js';
import { guess } from '../../strategies/index.js';
import { type Finding, isCause, nextPlaces, type Searching } from './bisect.js';
import { type Chain, chainOf } from './chain.js';
import { type Choice, chooseLocations, commonPlaces, divergenceOf, type Place } from './places.js';

export type { Chain, Row, Transition } from './chain.js';

/** A change of the passing run at a place. */
export interface Mixture extends Transplant {
  readonly request: Extract<Request, { kind: 'apply' }>;
}

/** What the plan needs from outside. Observations are stored by name, so a resumed run does not repeat them. */
export interface Observer {
  /** What ran in each of the two runs; refuses a pair that does not differ in outcome. */
  look(): Promise<Looks>;
  trace(side: Side, request: Request): Promise<Int32Array>;
  capture(side: Side, request: Request): Promise<ReadonlyMap<number, State>>;
  readonly test: Test<Mixture>;
  readonly kept: Kept;
}

export type Side = 'passing' | 'failing';

/** What ran, by the number of the process. */
export interface Looks extends Readonly<Record<Side, readonly (readonly [number, readonly Ran[]])[]>> {
  /** `own`: the failure does not show in the fixed order of events, so the program runs in its own. */
  readonly order: 'fixed' | 'own' | 'none to fix';
}

export interface Kept {
  read<T>(name: string): T | undefined;
  write(name: string, value: unknown): void;
}

export interface StatesSettings extends ExploreOptions<Mixture> {
  /** Which source files to look at. */
  readonly isIn: (path: string) => boolean;
  /** A sentence about what may be missing if the program was not observed. */
  readonly needs: string;
  /** How many times statements may be reached in a traced run. */
  readonly steps: number;
  /** How many places may be inspected. */
  readonly places: number;
  /** Called whenever the chain has grown. */
  readonly found?: (chain: Chain) => void;
}

export interface ExplainedStates extends Chain {
  readonly ended: Ended;
  /** Places that both runs reach, and those that were inspected. */
  readonly common: number;
  readonly examined: number;
  /** Differences that can't be put into another run, at the place with the most of them. */
  readonly hidden: number;
}

/** How many bytes of states are captured in one run, and how many states at most. */
const mostBytes = 24_000_000;
const mostStates = 32;
const leastStates = 4;
/** Longer lines were not written by hand. */
const mostColumns = 2000;

export async function* explainStates(
  observer: Observer,
  options: StatesSettings,
): AsyncGenerator<Event, ExplainedStates> {
  const { process, choice, dense, order } = await chosen(observer, options);
  if (order === 'own')
    yield {
      type: 'noticed',
      what: 'note',
      text: 'The two inputs do not differ in outcome if events run in a fixed order, so the program runs in its own order.',
    };
  if (dense !== undefined)
    yield {
      type: 'noticed',
      what: 'note',
      text: `${dense} looks minified: lines say little there. Use the unminified source, or leave the file out with --in.`,
    };
  const { locations, onlyFailing } = choice;
  if (choice.of > locations.length)
    yield {
      type: 'noticed',
      what: 'note',
      text: `Watching ${locations.length} of ${choice.of} statements; the rest is reached too often. Use --in to choose.`,
    };
  const traces = await kept(observer, 'traces', async () => ({
    passing: [...(await observer.trace('passing', { kind: 'trace', process, locations }))],
    failing: [...(await observer.trace('failing', { kind: 'trace', process, locations }))],
  }));
  const trace = Int32Array.from(traces.failing);
  const places = commonPlaces(Int32Array.from(traces.passing), trace);
  if (places.length === 0)
    throw new DeadEnd(
      'The two runs have no place in common at which their states could be compared.',
      'Give two inputs that take a similar path through the program, or choose other files with --in.',
    );
  const findings = new Map<number, Finding>();
  const searching: Searching = {
    depths: places.map(({ depth }) => depth),
    findings,
    divergence: divergenceOf(trace, places, onlyFailing),
  };
  const observed = () => ({ ...searching, places, locations, onlyFailing, trace });
  const states = new Map<number, Captured>();
  let bytes = mostBytes / mostStates;
  const seen: Seen = new Map();
  let hidden = 0;
  const end = (ended: Ended): ExplainedStates => ({
    ...chainOf(observed()),
    ended,
    common: places.length,
    examined: findings.size,
    hidden,
  });

  while (findings.size < options.places) {
    const most = Math.max(leastStates, Math.min(mostStates, Math.floor(mostBytes / bytes)));
    const next = nextPlaces(searching, most);
    const [place] = next;
    if (place === undefined) break;
    if (options.signal?.aborted) return end('interrupted');
    if (!states.has(place)) {
      const missing = next.filter(each => !states.has(each));
      const batch = await kept(observer, `states-${place}`, () =>
        captured(observer, places, missing, { process, locations }),
      );
      for (const [i, each] of batch) states.set(i, each);
      bytes = Math.max(1, greatestOf(batch.map(([, each]) => each.bytes)));
    }
    const compared = comparedAt(states.get(place));
    states.delete(place);
    if (!compared) {
      findings.set(place, 'unknown');
      continue;
    }
    hidden = Math.max(hidden, compared.hidden);
    if (compared.differences.length === 0) {
      findings.set(place, compared.hidden > 0 ? 'unknown' : 'same');
      continue;
    }
    const outcome = yield* causeAt(place, compared, { observer, options, searching, seen, places, choice, process });
    if (outcome.ended !== 'done') return end(outcome.ended);
    findings.set(place, outcome.finding);
    if (isCause(outcome.finding)) options.found?.(chainOf(observed()));
  }
  return end('done');
}

interface Captured {
  readonly passing: State;
  readonly failing: State;
  readonly bytes: number;
}

/** Both runs are captured at the same places, several at a time. */
async function captured(
  observer: Observer,
  places: readonly Place[],
  wanted: readonly number[],
  request: { readonly process: number; readonly locations: Choice['locations'] },
): Promise<readonly (readonly [number, Captured])[]> {
  const stops = (side: Side): readonly Stop[] => wanted.map(place => places[place]![side]);
  const passing = await observer.capture('passing', { kind: 'capture', ...request, places: stops('passing') });
  const failing = await observer.capture('failing', { kind: 'capture', ...request, places: stops('failing') });
  return wanted.flatMap((place, i) => {
    const [a, b] = [passing.get(i), failing.get(i)];
    return a && b ? [[place, { passing: a, failing: b, bytes: JSON.stringify(b).length }] as const] : [];
  });
}

type ComparedAt = Compared & { readonly failing: State; readonly hidden: number };

function comparedAt(pair: Captured | undefined): ComparedAt | undefined {
  const compared = pair && compareStates(pair.passing, pair.failing);
  if (!pair || !compared) return undefined;
  const { failing } = pair;
  const differences = compared.differences.filter(({ change }) => isTransplantable(change, compared.partners, failing));
  return { ...compared, differences, failing, hidden: compared.differences.length - differences.length };
}

interface At {
  readonly observer: Observer;
  readonly options: StatesSettings;
  readonly searching: Searching;
  readonly seen: Seen;
  readonly places: readonly Place[];
  readonly choice: Choice;
  readonly process: number;
}

async function* causeAt(
  place: number,
  compared: ComparedAt,
  { observer, options, searching, seen, places, choice, process }: At,
): AsyncGenerator<Event, { readonly ended: Ended; readonly finding: Finding }> {
  const { locations } = choice;
  const { passing, location } = places[place]!;
  const { path, line, column } = locations[location]!;
  const at = `${path}:${line}:${column}#${passing.hit}`;
  const inner = stateDifferences(at, compared, compared.failing);
  const circumstance = {
    ...inner,
    build(configuration: readonly number[]): Mixture | undefined {
      const transplant = inner.build(configuration);
      if (!transplant) return undefined;
      const { key: _, ...changes } = transplant;
      return { ...transplant, request: { kind: 'apply', process, locations, places: [passing], ...changes } };
    },
  };
  yield {
    type: 'pass',
    pass: `state at ${path.split('/').at(-1)}:${line}`,
    round: 1,
    deltas: inner.count,
    strategy: 'dd',
  };
  const guesses = guessesAt(place, compared, searching, seen);
  seen.set(place, new Set(compared.differences.flatMap(idsOf)));
  const run = explore(guess(guesses), circumstance, observer.test, { ...options, identify: mixture => mixture.key });
  let tests = 0;
  for (;;) {
    const step = await run.next();
    if (!step.done) {
      if (step.value.type === 'answered') tests++;
      yield step.value;
      continue;
    }
    const { ended, result } = step.value;
    const chosen = result ? [...deltasOf(result.difference)].map(delta => compared.differences[delta]!) : [];
    return { ended, finding: chosen.length > 0 ? { differences: chosen, tests } : 'unknown' };
  }
}

/**
 * The likely cause: that of the next place after this one, if its values are already there; that of the last place before
 * this one, if its values are still there; and otherwise what has changed since then.
 */
function guessesAt(
  place: number,
  { differences }: Compared,
  { findings }: Searching,
  seen: Seen,
): readonly Configuration[] {
  const known = [...findings].filter(([, finding]) => finding !== 'unknown').sort(([a], [b]) => a - b);
  const [before] = known.findLast(([at]) => at < place) ?? [-1];
  const [after] = known.find(([at]) => at > place) ?? [-1];
  const like = (finding: Finding | undefined) => {
    const ids = new Set(isCause(finding) ? finding.differences.flatMap(idsOf) : []);
    return differences.map(difference => idsOf(difference).some(id => ids.has(id)));
  };
  const old = seen.get(before) ?? new Set();
  const fresh = differences.map(difference => !idsOf(difference).some(id => old.has(id)));
  return [like(findings.get(after)), like(findings.get(before)), fresh].map(chosen =>
    of(chosen.flatMap((is, i) => (is ? [i] : []))),
  );
}

/** The differences at the places that were inspected, by `idsOf`. */
type Seen = Map<number, ReadonlySet<string>>;

/** A variable with its two values, by each of its names. */
const idsOf = ({ names, passing, failing }: Difference): readonly string[] =>
  names.map(name => `${name} ${passing} ${failing}`);

/** The process that runs most of the inspected statements, and those statements. */
async function chosen(observer: Observer, options: StatesSettings) {
  const { steps, isIn } = options;
  const looks = await observer.look();
  const sizeOf = (all: readonly Ran[]) =>
    all.filter(({ path }) => isIn(path)).reduce((sum, { statements }) => sum + statements.length, 0);
  const [best] = [...looks.failing].sort(([m, a], [n, b]) => sizeOf(b) - sizeOf(a) || m - n);
  if (!best || sizeOf(best[1]) === 0)
    throw new DeadEnd(
      looks.failing.length === 0
        ? 'The command was run, but nothing of it could be watched.'
        : 'No statement of the program is in the files to look at.',
      looks.failing.length === 0
        ? `${options.needs} Say which debugger to use with --with node, python or gdb.`
        : `The run executes: ${
            best?.[1]
              .map(({ path }) => path)
              .slice(0, 5)
              .join(', ') || 'nothing'
          }. Choose files with --in.`,
    );
  const [process, failing] = best;
  const passing = looks.passing.find(([number]) => number === process)?.[1] ?? [];
  const dense = failing.find(({ path, longest }) => isIn(path) && longest > mostColumns)?.path;
  return { process, choice: chooseLocations(passing, failing, steps, isIn), dense, order: looks.order };
}

async function kept<T>({ kept }: Observer, name: string, observe: () => Promise<T>): Promise<T> {
  const known = kept.read<T>(name);
  if (known !== undefined) return known;
  const seen = await observe();
  kept.write(name, seen);
  return seen;
}
