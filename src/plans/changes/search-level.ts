/** Searches one level of changes: causes one by one, what they need, and what must be reverted so that new passes. */
import type { Artifact } from '../../core/artifact.js';
import {
  type Configuration,
  deltasOf,
  empty,
  equals,
  intersection,
  isEmpty,
  isSubset,
  minus,
  of,
  size,
  type Test,
  union,
} from '../../core/index.js';
import type { Event } from '../../engine/index.js';
import { askerFor, type BlameOptions, Stopped } from './asker.js';
import type { Level } from './levels.js';

export { type BlameOptions, Stopped };

export interface Cause {
  /** Applied to old, they make it fail; no single one of them can be left out. In order of number. */
  readonly changes: Configuration;
  /** Those of them that the search found first. */
  readonly suspects: Configuration;
  /** Those of them without which the rest can't be built or run: they do no harm themselves. */
  readonly needed?: Configuration;
}

export interface Found {
  readonly causes: readonly Cause[];
  readonly back: Configuration;
  readonly widened: boolean;
}

/** A cause as the search finds it. */
interface CandidateCause extends Cause {
  /** What the search removed last, needed or not, when the failure disappeared. */
  readonly revertSet: Configuration;
  readonly widened: boolean;
}

/** What is worth keeping when the search is stopped. */
export interface Progress {
  failing(smaller: Configuration): void;
  causes(known: readonly Cause[]): void;
  /** Verified, though not the smallest revert yet. */
  found(known: Found): void;
}

/** A level, and how likely each of its changes is to blame. */
interface WeightedLevel {
  readonly level: Level;
  likely(delta: number): number;
}

/** The searches at one level: for the first time, and inside the causes of the level above. */
export function searchLevel(
  { level, likely }: WeightedLevel,
  test: Test<Artifact>,
  options: BlameOptions,
  progress: Progress,
) {
  const asker = askerFor(level, test, options, progress.failing);
  const { everything, ask } = asker;

  /** One cause inside F, which fails: first what is suspected, then what that needs. */
  async function* cause(failing: Configuration, candidates: Configuration): AsyncGenerator<Event, CandidateCause> {
    const found = yield* asker.down(failing, candidates, likely);
    const { suspects, failing: left, refuted } = found;
    const common = { revertSet: found.revertSet, widened: false };
    if (refuted) {
      if (!isSubset(failing, candidates)) {
        yield note('What the test runs does not explain the failure: the search widens to all changes.');
        return { ...(yield* cause(failing, failing)), widened: true };
      }
      // All of F removed from F is old, which passes: only an unstable test gets here.
      return { ...common, changes: left, suspects };
    }
    const [alone] = yield* ask('the suspects alone', suspects);
    if (alone === 'fail') {
      const changes = yield* asker.needed(suspects, empty, `${level.name}s that fail alone`);
      return { ...common, changes, suspects: changes };
    }
    yield note('The suspects alone do not fail: what they need is searched for.');
    const executed = intersection(left, union(candidates, suspects));
    const [enough] = equals(executed, left) ? (['pass'] as const) : yield* ask('what the test runs, alone', executed);
    const base = enough === 'fail' ? executed : left;
    const more = yield* asker.needed(minus(base, suspects), suspects, `${level.name}s that they need`);
    const grown = union(suspects, more);
    const isNeeded = size(suspects) === 1 && (yield* ask('without the suspect', more))[0] !== 'fail';
    const changes = isNeeded ? grown : yield* asker.needed(grown, empty, `${level.name}s that fail together`);
    const first = intersection(suspects, changes);
    return { ...common, changes, suspects: isEmpty(first) ? changes : first };
  }

  /** Continues until new passes without the causes. `within`: reverting all of these is known, or assumed, to be enough. */
  async function* complete(
    known: readonly Cause[],
    candidates: Configuration,
    within: Configuration,
    thorough: boolean,
  ): AsyncGenerator<Event, Found> {
    const causes = [...known];
    let [widened, revertSet] = [false, empty];
    for (;;) {
      const blamed = causes.map(({ changes }) => changes).reduce(union, empty);
      const left = minus(everything, blamed);
      const [without] = causes.length === 0 ? (['fail'] as const) : yield* ask('new without the causes', left);
      if (without === 'pass') return { causes, back: blamed, widened };
      if (without === 'unresolved') {
        const back = thorough ? yield* takenBack(causes, blamed, revertSet, candidates) : within;
        return { causes, back, widened };
      }
      if (causes.length > 0) yield note('New still fails without them: there is another cause.');
      const rest = minus(candidates, blamed);
      const { widened: wider, revertSet: more, ...next } = yield* cause(left, isEmpty(rest) ? left : rest);
      widened ||= wider;
      revertSet = union(revertSet, more);
      // Only an unstable test leads to a cause with nothing new in it.
      if (isEmpty(minus(next.changes, blamed))) return { causes, back: within, widened };
      causes.push(next);
      progress.causes([...causes]);
    }
  }

  /** Without the causes new can't be tested: what must be reverted with them? */
  async function* takenBack(
    causes: readonly Cause[],
    blamed: Configuration,
    revertSet: Configuration,
    candidates: Configuration,
  ): AsyncGenerator<Event, Configuration> {
    // Less than the causes, if others need something in them; otherwise what the search removed, or all of their places.
    const suspects = causes.map(cause => cause.suspects).reduce(union, empty);
    const closed = level.dependencies?.withNeeding(blamed) ?? blamed;
    for (const set of [suspects, closed, revertSet, asker.whole(union(blamed, revertSet))]) {
      const [without] = yield* ask('new without the suspects', minus(everything, set));
      if (without === 'pass') return set;
    }
    const wider = union(union(blamed, revertSet), candidates);
    const [executed] = yield* ask('new without what the test runs', minus(everything, wider));
    const free = minus(executed === 'pass' ? wider : everything, blamed);
    return union(blamed, yield* asker.back(free, blamed, `${level.name}s to take back with them`));
  }

  /** The smallest revert: all of it is needed. Then: which parts of the causes are there only so that they build. */
  async function* smallest(found: Found): AsyncGenerator<Event, Found> {
    progress.found(found);
    const back = yield* asker.back(found.back, empty, `${level.name}s to take back`);
    progress.found({ ...found, back });
    const causes: Cause[] = [];
    for (const cause of found.causes) causes.push({ ...cause, needed: yield* onlyNeeded(cause.changes, back) });
    return { ...found, causes, back };
  }

  /** The proof has already tested all of this, so no test is run. */
  async function* onlyNeeded(changes: Configuration, back: Configuration): AsyncGenerator<Event, Configuration> {
    const others = [...deltasOf(minus(changes, back))];
    if (others.length === 0 || size(changes) < 2) return empty;
    const outcomes = yield* ask('what is only needed', ...others.map(delta => minus(changes, of([delta]))));
    return of(others.filter((_, i) => outcomes[i] === 'unresolved'));
  }

  return {
    smallest,
    isProven: asker.isProven,

    first(candidates: Configuration): AsyncGenerator<Event, Found> {
      return complete([], isEmpty(candidates) ? everything : asker.whole(candidates), everything, true);
    },

    /** Inside the causes of the level above, each of which fails by itself. */
    async *finer(above: Found): AsyncGenerator<Event, Found> {
      const causes: Cause[] = [];
      for (const { changes, suspects } of above.causes) {
        const fewer = yield* asker.needed(changes, empty, `${level.name}s of a cause`);
        const first = intersection(suspects, fewer);
        causes.push({ changes: fewer, suspects: isEmpty(first) ? fewer : first });
      }
      const before = above.causes.map(({ changes }) => changes).reduce(union, empty);
      const blamed = causes.map(({ changes }) => changes).reduce(union, empty);
      // A hunk may hold two causes that are each enough.
      const found = equals(before, blamed)
        ? { ...above, causes }
        : yield* complete(causes, above.back, above.back, false);
      return { ...found, widened: above.widened || found.widened };
    },
  };
}

const note = (text: string): Event => ({ type: 'noticed', what: 'note', text });
