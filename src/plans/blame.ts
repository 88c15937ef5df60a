/**
 * Which changes between two versions are to blame: an old one that passes, and a new one that fails.
 * `add` narrows the dubious changes (see blame/narrow.ts); then what it suspects is put to the proof. A cause is a set of changes
 * that makes old fail, and of which none can be left out there; the causes together, taken back, make new pass. Where the suspects
 * alone do not fail, what they need is searched for; where new still fails without them, so is the next cause.
 * Level by level: what an ordinary diff shows as one hunk, then single hunks, then lines, each inside the causes of the level above.
 */
import type { Artifact } from '../circumstances/artifact.js';
import {
  all,
  type Configuration,
  empty,
  equals,
  intersection,
  isEmpty,
  minus,
  type Outcome,
  type Strategy,
  size,
  type Test,
  union,
} from '../core/index.js';
import { type Ended, type Event, type ExploreOptions, explore } from '../engine/index.js';
import { asking, fewest, fewestBack } from './blame/asking.js';
import type { Level } from './blame/levels.js';
import { narrow } from './blame/narrow.js';

export interface Cause {
  /** Applied to old, they make it fail; no single one of them can be left out. In order of number. */
  readonly changes: Configuration;
  /** Those of them that the search came upon first. */
  readonly suspects: Configuration;
}

export interface Blamed {
  readonly ended: Ended;
  /** The level that the numbers below are of: the finest that was reached. */
  readonly level: Level;
  /** Each is enough to make old fail, in the order in which they were found. */
  readonly causes: readonly Cause[];
  /** Taken back, they make new pass; the old version itself where nothing smaller is known. */
  readonly back: Configuration;
  /** The smallest failing configuration, where the search was stopped before a cause was found. */
  readonly failing: Configuration;
  /** What was proven: no single one of these can be left out of a cause. */
  readonly minimal: readonly string[];
  /** The changes that were set aside mattered after all. */
  readonly widened: boolean;
}

export interface BlameOptions extends ExploreOptions<Artifact> {
  readonly identify: (artifact: Artifact) => string;
}

interface Found {
  readonly causes: readonly Cause[];
  readonly back: Configuration;
  readonly widened: boolean;
}

/** The search was stopped: what is known goes out as the result. */
class Stopped extends Error {
  constructor(readonly ended: Ended) {
    super(ended);
  }
}

/**
 * `levels`: the coarsest first; the others are opened when the search comes so far. `dubious`: the changes of the first level
 * that may matter, as far as coverage can tell.
 */
export async function* blame(
  levels: readonly [Level, ...(() => Promise<Level>)[]],
  dubious: Configuration,
  test: Test<Artifact>,
  options: BlameOptions,
): AsyncGenerator<Event, Blamed> {
  const minimal: string[] = [];
  const [coarsest, ...finer] = levels;
  let reached = coarsest;
  let failing = all(reached.circumstance.count);
  let found: Found = { causes: [], back: failing, widened: false };
  const now = (ended: Ended): Blamed => ({ ...found, ended, level: reached, failing, minimal });
  try {
    for (const [i, open] of [async () => coarsest, ...finer].entries()) {
      const level = await open();
      const search = searching(level, test, options, {
        failing: smaller => {
          if (i === 0 && size(smaller) < size(failing)) failing = smaller;
        },
        causes: causes => {
          if (i === 0) found = { ...found, causes };
        },
      });
      found = i === 0 ? yield* search.first(dubious) : yield* search.finer(lowered(found, level));
      reached = level;
      if (level.proves !== undefined) minimal.push(level.proves);
      const settled = level.settles?.(found.causes.map(({ changes }) => changes).reduce(union, empty));
      if (settled !== undefined && i < finer.length) {
        minimal.push(settled);
        break;
      }
    }
    return now('done');
  } catch (stopped) {
    if (stopped instanceof Stopped) return now(stopped.ended);
    throw stopped;
  }
}

const lowered = ({ causes, back, widened }: Found, level: Level): Found => ({
  causes: causes.map(cause => ({ changes: level.inside(cause.changes), suspects: level.inside(cause.suspects) })),
  back: level.inside(back),
  widened,
});

/** What is worth keeping when the search is stopped. */
interface Sofar {
  failing(smaller: Configuration): void;
  causes(known: readonly Cause[]): void;
}

function searching(level: Level, test: Test<Artifact>, options: BlameOptions, sofar: Sofar) {
  const { circumstance } = level;
  const everything = all(circumstance.count);

  async function* run<State, Result>(
    strategy: Strategy<State, Result>,
    pass: string,
    deltas: number,
  ): AsyncGenerator<Event, Result> {
    yield { type: 'pass', pass, round: 1, deltas, strategy: strategy.name };
    const end = yield* explore(strategy, circumstance, test, options);
    sofar.failing(end.best);
    if (end.ended !== 'done') throw new Stopped(end.ended);
    return end.result!;
  }
  const ask = (pass: string, ...questions: readonly Configuration[]): AsyncGenerator<Event, readonly Outcome[]> =>
    run(asking(everything, questions), pass, circumstance.count);

  /** The fewest of `free` with which, beside `fixed`, old fails. */
  async function* needed(
    free: Configuration,
    fixed: Configuration,
    pass: string,
  ): AsyncGenerator<Event, Configuration> {
    if (isEmpty(free) || (isEmpty(fixed) && size(free) === 1)) return free;
    return yield* run(fewest(free, fixed), pass, size(free));
  }

  /** One cause inside F, which fails: first what is suspected, then what that needs. */
  async function* cause(
    failing: Configuration,
    dubious: Configuration,
  ): AsyncGenerator<Event, Cause & { readonly widened: boolean }> {
    const narrowing = narrow(dubious);
    const inside = { ...narrowing, start: () => narrowing.start(failing) };
    const { suspects, failing: left, refuted } = yield* run(inside, `${level.name}s under suspicion`, size(dubious));
    if (refuted) {
      if (!equals(dubious, failing)) {
        yield note('What the test runs does not explain the failure: the search widens to all changes.');
        return { ...(yield* cause(failing, failing)), widened: true };
      }
      // All of F taken out of F is old, which passes: only an unstable test comes here.
      return { changes: left, suspects, widened: false };
    }
    const [alone] = yield* ask('the suspects alone', suspects);
    if (alone === 'fail') {
      const changes = yield* needed(suspects, empty, `${level.name}s that fail alone`);
      return { changes, suspects: changes, widened: false };
    }
    yield note('The suspects alone do not fail: what they need is searched for.');
    const executed = intersection(left, union(dubious, suspects));
    const [enough] = equals(executed, left) ? (['pass'] as const) : yield* ask('what the test runs, alone', executed);
    const base = enough === 'fail' ? executed : left;
    const more = yield* needed(minus(base, suspects), suspects, `${level.name}s that they need`);
    const grown = union(suspects, more);
    const changes = size(suspects) > 1 ? yield* needed(grown, empty, `${level.name}s that fail together`) : grown;
    return { changes, suspects: intersection(suspects, changes), widened: false };
  }

  /** Goes on until new passes without the causes. `within`: taking all of these back is known, or hoped, to be enough. */
  async function* complete(
    known: readonly Cause[],
    dubious: Configuration,
    within: Configuration,
    thorough: boolean,
  ): AsyncGenerator<Event, Found> {
    const causes = [...known];
    let widened = false;
    for (;;) {
      const blamed = causes.map(({ changes }) => changes).reduce(union, empty);
      const left = minus(everything, blamed);
      const [without] = causes.length === 0 ? (['fail'] as const) : yield* ask('new without the causes', left);
      if (without === 'pass') return { causes, back: blamed, widened };
      if (without === 'unresolved') {
        const back = yield* takenBack(causes, blamed, dubious, within, thorough);
        return { causes, back, widened };
      }
      if (causes.length > 0) yield note('New still fails without them: there is another cause.');
      const rest = minus(dubious, blamed);
      const { widened: wider, ...next } = yield* cause(left, isEmpty(rest) ? left : rest);
      widened ||= wider;
      // Only a test that does not always say the same comes to a cause with nothing new in it.
      if (isEmpty(minus(next.changes, blamed))) return { causes, back: within, widened };
      causes.push(next);
      sofar.causes([...causes]);
    }
  }

  /** Without the causes new can't be tested: what must be taken back with them? */
  async function* takenBack(
    causes: readonly Cause[],
    blamed: Configuration,
    dubious: Configuration,
    within: Configuration,
    thorough: boolean,
  ): AsyncGenerator<Event, Configuration> {
    const suspects = causes.map(cause => cause.suspects).reduce(union, empty);
    const wider = union(blamed, dubious);
    if (!thorough) return within;
    const [fewer, executed] = yield* ask(
      'new without the suspects',
      minus(everything, suspects),
      minus(everything, wider),
    );
    if (fewer === 'pass') return suspects;
    const free = minus(executed === 'pass' ? wider : everything, blamed);
    const more = yield* run(fewestBack(everything, free, blamed), `${level.name}s to take back with them`, size(free));
    return union(blamed, more);
  }

  return {
    first: (dubious: Configuration) => complete([], isEmpty(dubious) ? everything : dubious, everything, true),

    /** Inside the causes of the level above, each of which fails by itself. */
    async *finer(above: Found): AsyncGenerator<Event, Found> {
      const causes: Cause[] = [];
      for (const { changes, suspects } of above.causes) {
        const fewer = yield* needed(changes, empty, `${level.name}s of a cause`);
        const first = intersection(suspects, fewer);
        causes.push({ changes: fewer, suspects: isEmpty(first) ? fewer : first });
      }
      const before = above.causes.map(({ changes }) => changes).reduce(union, empty);
      const blamed = causes.map(({ changes }) => changes).reduce(union, empty);
      if (equals(before, blamed)) return { ...above, causes };
      const found = yield* complete(causes, above.back, above.back, false);
      return { ...found, widened: above.widened || found.widened };
    },
  };
}

const note = (text: string): Event => ({ type: 'noticed', what: 'note', text });
