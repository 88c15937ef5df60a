/** Searches one level of changes: what must be reverted so that new passes, then the causes, one by one. */
import type { Artifact } from '../../../core/artifact.js';
import {
  type Configuration,
  deltasOf,
  empty,
  intersection,
  isEmpty,
  isSubset,
  minus,
  type Outcome,
  of,
  size,
  type Test,
  union,
} from '../../../core/index.js';
import type { Event } from '../../../engine/index.js';
import { type AskedLevel, askerFor, type BlameOptions, Stopped } from './asker.js';
import { pass as likeliest, likeliestFunctions } from './likeliest-functions.js';
import { mostAfterRevert, type Patience } from './patience.js';
import { type Cause, causesAt, type Located, mostAskedAbout } from './search-causes.js';
import { manyChanges } from './shrink.js';

export { type BlameOptions, type Cause, mostAskedAbout, Stopped };

export interface Found {
  readonly causes: readonly Cause[];
  readonly back: Configuration;
  readonly widened: boolean;
}

/** What is worth keeping when the search is stopped. */
export interface Progress {
  failing(smaller: Configuration): void;
  causes(known: readonly Cause[]): void;
  /** Verified, though not the smallest revert yet. */
  found(known: Found): void;
}

/** A level, how likely each of its changes is to blame, and what is left for the search for causes. */
interface WeightedLevel extends AskedLevel {
  likely(delta: number): number;
  readonly patience: Patience;
}

/** The searches at one level: for the first time, and inside the causes of the level above. */
export function searchLevel(
  { level, lessons, likely, patience }: WeightedLevel,
  test: Test<Artifact>,
  options: BlameOptions,
  progress: Progress,
) {
  const asker = askerFor({ level, lessons }, test, options, progress.failing);
  const { everything, ask } = asker;
  const causeSide = causesAt({ level, asker, patience, likely });
  /** The revert has been minimised at this level. */
  let isSmallest = false;

  /**
   * In a large diff, the likeliest functions are taken back one by one before the descent, which begins with halves that can't be built. All
   * candidates, if that does not help.
   */
  async function* likeliestIn(failing: Configuration, candidates: Configuration): AsyncGenerator<Event, Configuration> {
    const ranked = likeliestFunctions(level, candidates, likely);
    if (ranked.length === 0) return candidates;
    const outcomes = yield* asker.askUntilPass(
      likeliest,
      ranked.map(each => minus(failing, each)),
    );
    return outcomes.at(-1) === 'pass' ? ranked[outcomes.length - 1]! : candidates;
  }

  /** What of the candidates makes the difference inside F, which fails. */
  async function* locate(failing: Configuration, candidates: Configuration): AsyncGenerator<Event, Located> {
    const found = yield* asker.down(failing, yield* likeliestIn(failing, candidates), likely);
    // All of F removed from F is old, which passes: only an unstable test refutes that.
    if (!found.refuted || isSubset(failing, candidates)) return { ...found, candidates, widened: false };
    yield note('What the test runs does not explain the failure: the search widens to all changes.');
    return { ...(yield* locate(failing, failing)), widened: true };
  }

  /**
   * First what must be reverted: it is small more often, and nearly all of new can be built. The causes come after it: old may need most of new
   * to be built with one of them.
   */
  async function* complete(known: readonly Cause[], candidates: Configuration): AsyncGenerator<Event, Found> {
    const causes = [...known];
    const located: Located[] = [];
    let back = known.map(({ changes }) => changes).reduce(union, empty);
    let without: Outcome | 'unstable' = 'fail';
    for (;;) {
      const left = minus(everything, back);
      if (!isEmpty(back)) [without = 'fail'] = yield* ask('new without the suspects', left);
      if (without !== 'fail') break;
      if (!isEmpty(back)) yield note('New still fails without them: there is another cause.');
      const rest = minus(candidates, back);
      const next = yield* locate(left, isEmpty(rest) ? left : rest);
      located.push(next);
      // Only an unstable test leads to a cause with nothing new in it.
      if (isEmpty(minus(next.suspects, back))) without = 'unstable';
      if (without === 'unstable') break;
      back = union(back, next.suspects);
    }
    const widened = located.some(({ widened: isWider }) => isWider);
    if (without === 'pass') {
      progress.found({ causes, back, widened });
      patience.most = mostAfterRevert;
    }
    for (const place of located) {
      causes.push(yield* causeSide.causeAt(place));
      progress.causes([...causes]);
    }
    if (without === 'pass') return { causes, back, widened };
    if (without === 'unstable') return { causes, back: everything, widened };
    return { causes, back: yield* takenBack(causes, located, candidates), widened };
  }

  /** Without the suspects new can't be tested: what must be reverted with them? */
  async function* takenBack(
    causes: readonly Cause[],
    located: readonly Located[],
    candidates: Configuration,
  ): AsyncGenerator<Event, Configuration> {
    const revertSet = located.map(place => place.revertSet).reduce(union, empty);
    const passing = located.at(-1)?.passing ?? empty;
    const blamed = causes
      .map(({ changes, suspects }) => (size(changes) > manyChanges ? suspects : changes))
      .reduce(union, empty);
    // All of the causes, and what needs them; otherwise what the search removed, or all of their places.
    const closed = level.dependencies?.withNeeding(blamed) ?? blamed;
    for (const set of [blamed, closed, revertSet, asker.whole(union(blamed, revertSet))]) {
      const [without] = yield* ask('new without the causes', minus(everything, set));
      if (without === 'pass') return set;
    }
    if (!isEmpty(passing)) return yield* asker.back(minus(everything, passing), empty, `${level.name}s to take back`);
    const wider = union(union(blamed, revertSet), candidates);
    const [executed] = yield* ask('new without what the test runs', minus(everything, wider));
    const free = minus(executed === 'pass' ? wider : everything, blamed);
    return union(blamed, yield* asker.back(free, blamed, `${level.name}s to take back with them`));
  }

  /** The smallest revert: all of it is needed. Then: which parts of the causes are there only so that they build. */
  async function* smallest(found: Found): AsyncGenerator<Event, Found> {
    progress.found(found);
    const back = yield* smallestBack(found);
    progress.found({ ...found, back });
    const { causes: all, widened } = yield* withOthers({ ...found, back });
    return { causes: yield* withNeeded(all, back), back, widened };
  }

  /** The causes, each with what is in it only so that the rest builds or runs. */
  async function* withNeeded(causes: readonly Cause[], back: Configuration): AsyncGenerator<Event, readonly Cause[]> {
    const found: Cause[] = [];
    for (const cause of causes) {
      const { changes, suspects } = cause;
      // Without a proof, nothing is known about the rest one by one, and to ask would take a test for each.
      const isKnown = size(changes) <= mostAskedAbout;
      const needed = isKnown ? yield* onlyNeeded(changes, back) : minus(changes, union(back, suspects));
      found.push({ ...cause, needed });
    }
    return found;
  }

  /** What is in a cause too is the likeliest to be enough. */
  async function* smallestBack({ causes, back }: Found): AsyncGenerator<Event, Configuration> {
    const both = intersection(back, causes.map(({ changes }) => changes).reduce(union, empty));
    const isFewer = !isEmpty(both) && size(both) < size(back);
    const [enough] = isFewer ? yield* ask('new without what fails', minus(everything, both)) : (['fail'] as const);
    if (enough !== 'pass' && isSmallest) return back;
    return yield* asker.back(enough === 'pass' ? both : back, empty, `${level.name}s to take back`);
  }

  /** Something must be reverted that is in no cause: then there may be another one, beside a known one in the same hunk say. */
  async function* withOthers(found: Found): AsyncGenerator<Event, Found> {
    const { causes, back, widened } = found;
    const blamed = causes.map(({ changes }) => changes).reduce(union, empty);
    if (causes.length === 0 || isSubset(back, blamed)) return found;
    const [without] = yield* ask('new without the causes', minus(everything, blamed));
    if (without !== 'fail') return found;
    const more = yield* complete(causes, back);
    return { causes: more.causes, back, widened: widened || more.widened };
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
    withNeeded,
    isProven: asker.isProven,
    testable: asker.testable,

    first(candidates: Configuration): AsyncGenerator<Event, Found> {
      return complete([], isEmpty(candidates) ? everything : asker.whole(candidates));
    },

    /** Inside the causes of the level above, each of which fails by itself. */
    async *finer(above: Found): AsyncGenerator<Event, Found> {
      // The revert first: it is small more often, and what it consists of is the likeliest core of the cause.
      const back = yield* asker.back(above.back, empty, `${level.name}s to take back`);
      isSmallest = true;
      const causes: Cause[] = [];
      for (const cause of above.causes) causes.push(yield* causeSide.finer(cause, back));
      return { ...above, causes, back };
    },
  };
}

const note = (text: string): Event => ({ type: 'noticed', what: 'note', text });
