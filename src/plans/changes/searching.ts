/** Searches one level of changes for a cause. */
import type { Artifact } from '../../core/artifact.js';
import {
  all,
  type Configuration,
  empty,
  equals,
  has,
  intersection,
  isEmpty,
  minus,
  type Outcome,
  of,
  type Strategy,
  size,
  type Test,
  union,
} from '../../core/index.js';
import { type Ended, type Event, type ExploreOptions, explore } from '../../engine/index.js';
import { askAll } from '../../strategies/ask-all.js';
import { cutting } from '../../strategies/cutting.js';
import { minimiseAdded, minimiseReverted } from '../../strategies/minimise-changes.js';
import { narrow } from '../../strategies/narrow.js';
import type { SingleRuns } from '../job.js';
import type { Level } from './levels.js';

export interface Cause {
  /** Applied to old, they make it fail; no single one of them can be left out. In order of number. */
  readonly changes: Configuration;
  /** Those of them that the search came upon first. */
  readonly suspects: Configuration;
}

export interface BlameOptions extends ExploreOptions<Artifact> {
  readonly identify: (artifact: Artifact) => string;
  /** If the failure shows only sometimes. */
  readonly flaky?: SingleRuns<Artifact>;
}

export interface Found {
  readonly causes: readonly Cause[];
  readonly back: Configuration;
  readonly widened: boolean;
}

/** The search was stopped: what is known goes out as the result. */
export class Stopped extends Error {
  constructor(readonly ended: Ended) {
    super(ended);
  }
}

/** A cause as the search comes upon it. */
interface CandidateCause extends Cause {
  /** What the search took out last, needed or not, when the failure was gone. */
  readonly revertSet: Configuration;
  readonly widened: boolean;
}

/** What is worth keeping when the search is stopped. */
export interface Sofar {
  failing(smaller: Configuration): void;
  causes(known: readonly Cause[]): void;
}

/** The searches at one level: for the first time, and inside the causes of the level above. */
export function searching(
  level: Level,
  likely: (delta: number) => number,
  test: Test<Artifact>,
  options: BlameOptions,
  sofar: Sofar,
) {
  const { circumstance, groups } = level;
  const cuts = cutting({ likely, ...(groups ? { groups } : {}) });
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
    run(askAll(everything, questions), pass, circumstance.count);

  /** With all that is in the same groups. */
  const whole = (some: Configuration): Configuration =>
    union(some, of((groups ?? []).filter(members => members.some(delta => has(some, delta))).flat()));

  /** Some of it in groups, and not all of it in one. */
  const isGrouped = (free: Configuration): boolean => {
    const sizes = (groups ?? []).map(members => members.filter(delta => has(free, delta)).length);
    return sizes.some(count => count > 1) && sizes.filter(count => count > 0).length > 1;
  };

  /** The fewest of `free` with which, beside `fixed`, old fails. */
  async function* needed(
    free: Configuration,
    fixed: Configuration,
    pass: string,
  ): AsyncGenerator<Event, Configuration> {
    const few = isEmpty(free) || (isEmpty(fixed) && size(free) === 1);
    if (few) return free;
    const coarse = isGrouped(free)
      ? yield* run(minimiseAdded({ free, fixed, ...(groups && { groups }) }), pass, size(free))
      : free;
    return isEmpty(coarse) ? coarse : yield* run(minimiseAdded({ free: coarse, fixed }), pass, size(coarse));
  }

  /** One cause inside F, which fails: first what is suspected, then what that needs. */
  async function* cause(failing: Configuration, dubious: Configuration): AsyncGenerator<Event, CandidateCause> {
    const narrowing = narrow(dubious, cuts);
    const inside = { ...narrowing, start: () => narrowing.start(failing) };
    const came = yield* run(inside, `${level.name}s under suspicion`, size(dubious));
    const { suspects, failing: left, refuted } = came;
    const come = { revertSet: came.revertSet, widened: false };
    if (refuted) {
      if (!equals(dubious, failing)) {
        yield note('What the test runs does not explain the failure: the search widens to all changes.');
        return { ...(yield* cause(failing, failing)), widened: true };
      }
      // All of F taken out of F is old, which passes: only an unstable test comes here.
      return { ...come, changes: left, suspects };
    }
    const [alone] = yield* ask('the suspects alone', suspects);
    if (alone === 'fail') {
      const changes = yield* needed(suspects, empty, `${level.name}s that fail alone`);
      return { ...come, changes, suspects: changes };
    }
    yield note('The suspects alone do not fail: what they need is searched for.');
    const executed = intersection(left, union(dubious, suspects));
    const [enough] = equals(executed, left) ? (['pass'] as const) : yield* ask('what the test runs, alone', executed);
    const base = enough === 'fail' ? executed : left;
    const more = yield* needed(minus(base, suspects), suspects, `${level.name}s that they need`);
    const grown = union(suspects, more);
    const isNeeded = size(suspects) === 1 && (yield* ask('without the suspect', more))[0] !== 'fail';
    const changes = isNeeded ? grown : yield* needed(grown, empty, `${level.name}s that fail together`);
    const first = intersection(suspects, changes);
    return { ...come, changes, suspects: isEmpty(first) ? changes : first };
  }

  /** Goes on until new passes without the causes. `within`: taking all of these back is known, or hoped, to be enough. */
  async function* complete(
    known: readonly Cause[],
    dubious: Configuration,
    within: Configuration,
    thorough: boolean,
  ): AsyncGenerator<Event, Found> {
    const causes = [...known];
    let [widened, freeing] = [false, empty];
    for (;;) {
      const blamed = causes.map(({ changes }) => changes).reduce(union, empty);
      const left = minus(everything, blamed);
      const [without] = causes.length === 0 ? (['fail'] as const) : yield* ask('new without the causes', left);
      if (without === 'pass') return { causes, back: blamed, widened };
      if (without === 'unresolved') {
        const back = thorough ? yield* takenBack(causes, blamed, freeing, dubious) : within;
        return { causes, back, widened };
      }
      if (causes.length > 0) yield note('New still fails without them: there is another cause.');
      const rest = minus(dubious, blamed);
      const { widened: wider, revertSet: more, ...next } = yield* cause(left, isEmpty(rest) ? left : rest);
      widened ||= wider;
      freeing = union(freeing, more);
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
    freeing: Configuration,
    dubious: Configuration,
  ): AsyncGenerator<Event, Configuration> {
    // Less than the causes, where others need something in them; else what the search took out, or all of their places.
    const suspects = causes.map(cause => cause.suspects).reduce(union, empty);
    for (const set of [suspects, freeing, whole(union(blamed, freeing))]) {
      const [without] = yield* ask('new without the suspects', minus(everything, set));
      if (without === 'pass') return set;
    }
    const wider = union(union(blamed, freeing), dubious);
    const [executed] = yield* ask('new without what the test runs', minus(everything, wider));
    const free = minus(executed === 'pass' ? wider : everything, blamed);
    const pass = `${level.name}s to take back with them`;
    const coarse = isGrouped(free)
      ? yield* run(minimiseReverted(everything, { free, fixed: blamed, ...(groups && { groups }) }), pass, size(free))
      : free;
    const more = yield* run(minimiseReverted(everything, { free: coarse, fixed: blamed }), pass, size(coarse));
    return union(blamed, more);
  }

  return {
    first(dubious: Configuration) {
      return complete([], isEmpty(dubious) ? everything : whole(dubious), everything, true);
    },

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
