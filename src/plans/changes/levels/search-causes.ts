/** The cause side of a level: which changes make old fail, the suspects and what they need, as long as that gets anywhere. */
import { type Configuration, empty, equals, intersection, isEmpty, minus, size, union } from '../../../core/index.js';
import type { Event } from '../../../engine/index.js';
import type { Descended } from '../../../strategies/index.js';
import type { Asker } from './asker.js';
import type { Level } from './levels.js';
import { type Patience, patiently } from './patience.js';
import { fewEnough, manyChanges } from './shrink.js';

export interface Cause {
  /** Applied to old, they make it fail; no single one of them can be left out. In order of number. */
  readonly changes: Configuration;
  /** Those of them that the search found first. */
  readonly suspects: Configuration;
  /** Those of them without which the rest can't be built or run: they do no harm themselves. */
  readonly needed?: Configuration;
}

/** Where the difference is inside a failing set. */
export interface Located extends Descended {
  /** What the suspects were searched in. */
  readonly candidates: Configuration;
  readonly widened: boolean;
}

interface CauseOptions {
  readonly level: Level;
  readonly asker: Asker;
  readonly patience: Patience;
  likely(delta: number): number;
}

export function causesAt({ level, asker, patience, likely }: CauseOptions) {
  const { ask } = asker;

  /** The result of a search inside a failing set, or the smallest failing set that it knows when the patience ends. */
  async function* bounded(
    failing: Configuration,
    search: AsyncGenerator<Event, Configuration>,
  ): AsyncGenerator<Event, Configuration> {
    const { smallest, result } = yield* patiently(patience, failing, search);
    if (result) return result;
    // So few can be proven all the same.
    if (size(smallest) <= fewEnough) return yield* asker.needed(smallest, empty, `${level.name}s of a cause`);
    yield note(entangled(size(smallest)));
    asker.leaveUnproven();
    return smallest;
  }

  /** What makes old fail: the suspects, and what they need. */
  async function* changesAt({ suspects, failing: left, candidates, refuted }: Located) {
    if (refuted) return left;
    const supplied = yield* asker.supplied(suspects);
    if (typeof supplied !== 'string') return yield* asker.needed(supplied, empty, `${level.name}s that fail alone`);
    if (supplied === 'untestable' && size(left) > manyChanges && hasDeclared(suspects)) {
      // Old would need most of new to compile with them. What must be reverted in new is known all the same.
      yield note('Old cannot be built with the suspects and what they visibly need, so only new is searched further.');
      asker.leaveUnproven();
      return left;
    }
    yield note('The suspects alone do not fail: what they need is searched for.');
    const grown = (yield* grownOnce(left, suspects, candidates)) ?? (yield* grownFully(left, suspects, candidates));
    if (size(grown) <= manyChanges) return yield* asker.needed(grown, empty, `${level.name}s that fail together`);
    // What could not be told apart beside the suspects can't be told apart with them either.
    yield note(entangled(size(grown)));
    asker.leaveUnproven();
    return grown;
  }

  /** Whether what these need is known from declarations, and not guessed. */
  const hasDeclared = (suspects: Configuration): boolean =>
    size(level.dependencies?.certain.withNeeded(suspects) ?? suspects) > size(suspects);

  /** The suspects and one more place that matters, if these fail together: most causes have two places at most. */
  async function* grownOnce(
    left: Configuration,
    suspects: Configuration,
    candidates: Configuration,
  ): AsyncGenerator<Event, Configuration | undefined> {
    const others = minus(intersection(left, candidates), suspects);
    if (size(others) < 2) return undefined;
    const { suspects: more, refuted } = yield* asker.down(left, others, likely, quickLook);
    if (refuted) return undefined;
    const grown = union(suspects, more);
    const [outcome] = yield* ask('the suspects together', grown);
    return outcome === 'fail' ? grown : undefined;
  }

  /** The suspects and everything that they need, of what is left. */
  async function* grownFully(
    left: Configuration,
    suspects: Configuration,
    candidates: Configuration,
  ): AsyncGenerator<Event, Configuration> {
    const executed = intersection(left, union(candidates, suspects));
    const [enough] = equals(executed, left) ? (['pass'] as const) : yield* ask('what the test runs, alone', executed);
    const base = enough === 'fail' ? executed : left;
    return union(suspects, yield* asker.needed(minus(base, suspects), suspects, `${level.name}s that they need`));
  }

  /** The fewest changes of a cause. What must be reverted too is the likeliest to do the harm, so the rest is chosen around it. */
  async function* narrowed(changes: Configuration, back: Configuration): AsyncGenerator<Event, Configuration> {
    const pass = `${level.name}s of a cause`;
    const core = intersection(changes, back);
    if (isEmpty(core) || size(core) === size(changes)) return yield* few(changes, empty, pass);
    const [alone] = yield* ask('what must be taken back, alone', core);
    if (alone === 'fail') return yield* asker.needed(core, empty, pass);
    const supplied = alone === 'unresolved' ? yield* asker.supplied(core) : 'passes';
    if (typeof supplied !== 'string' && size(supplied) < size(changes))
      return yield* asker.needed(supplied, empty, pass);
    let free = minus(changes, core);
    for (let attempt = 0; ; attempt++) {
      const around = yield* few(free, core, pass);
      if (size(around) > mostAskedAbout) return level.isCutFromFew ? union(core, around) : changes;
      const found = yield* asker.needed(union(core, around), empty, pass);
      // Half of an edit is often wrong in a way that new is not: old then fails without the core, for a reason of its own.
      const left = minus(free, found);
      if (!isEmpty(intersection(found, core)) || isEmpty(left) || attempt === mostSideEffects) return found;
      const [without] = yield* ask('the cause without a side effect', union(core, left));
      if (without !== 'fail') return found;
      free = left;
    }
  }

  /** Nothing is asked about more changes than the level above could distinguish: there is nothing new to learn. */
  async function* few(free: Configuration, fixed: Configuration, pass: string): AsyncGenerator<Event, Configuration> {
    if (level.isCutFromFew || size(free) <= mostAskedAbout) return yield* asker.needed(free, fixed, pass);
    asker.leaveUnproven();
    return free;
  }

  const causeOf = (changes: Configuration, suspects: Configuration): Cause => {
    const first = intersection(suspects, changes);
    return { changes, suspects: isEmpty(first) ? changes : first };
  };

  return {
    async *causeAt(place: Located): AsyncGenerator<Event, Cause> {
      return causeOf(yield* bounded(place.failing, changesAt(place)), place.suspects);
    },

    /** A cause of the level above, with the fewest changes of this one. `back`: what must be reverted. */
    async *finer({ changes, suspects }: Cause, back: Configuration): AsyncGenerator<Event, Cause> {
      return causeOf(yield* bounded(changes, narrowed(changes, back)), suspects);
    },
  };
}

/** A larger cause than this was not proven change by change. */
export const mostAskedAbout = 64;

/** How many sets that fail without the core are left aside before one of them is the answer. */
const mostSideEffects = 3;

/** A second place is worth this many unresolved answers; entangled changes are left to a search that asks about groups. */
const quickLook = 16;

const entangled = (count: number): string =>
  `The cause can't be narrowed further than ${count} changes: most of them can't be built or run without each other.`;

const note = (text: string): Event => ({ type: 'noticed', what: 'note', text });
