/** The fewest changes of a set: what is irrelevant goes first, then what belongs together, then the proof removes the rest one by one. */
import type { Dependencies } from '../../../circumstances/changes/needs/needs.js';
import {
  type Configuration,
  deltasOf,
  empty,
  equals,
  has,
  intersection,
  isEmpty,
  minus,
  of,
  type Strategy,
  size,
} from '../../../core/index.js';
import type { Event } from '../../../engine/index.js';
import type { Grouping } from '../../../strategies/cutting.js';
import type { Sweep, SweepOptions } from '../../../strategies/index.js';
import type { MinimiseOptions } from '../../../strategies/minimise-changes.js';
import type { Level } from './levels.js';

/** Skips straight to the proof. */
const proofOnly: SweepOptions = { patience: 0 };
/** As long as one half is enough, the other goes; then the proof is left to others. */
export const halvesOnly: SweepOptions = { halves: true, patience: 0, prove: false };
/** A set of at most this size is as quickly decided one by one as by halves. */
export const tooFewToHalve = 4;
/** A set of at most this size is decided one by one: trying is as fast as working out what belongs together. */
export const fewEnough = 12;
/**
 * A walk gives up after this many questions without a success: a rewritten file can hardly be split. A success restores only some of it, so that
 * a walk over n changes asks about 3·n questions at most, however many of them can't be tested.
 */
const walkOnly: SweepOptions = { prove: false, patience: 48, worth: gone => 8 + 2 * size(gone) };
/** Of many changes, a success is worth what it removes of all of them: a walk asks at most 9 · 24 questions in vain, however many there are. */
const walkOver = (free: Configuration): SweepOptions =>
  size(free) <= manyChanges
    ? walkOnly
    : { prove: false, patience: 24, worth: gone => (8 * 24 * size(gone)) / size(free) };
/** A set of more than this many changes is most of the new version. */
export const manyChanges = 200;
/** With more indistinguishable changes than this, single changes are not proven individually. */
const mostProven = 64;

/** What is minimised: a set that makes old fail, or one without which new passes. */
export type Side = 'cause' | 'revert';

type Made = Strategy<Sweep, Configuration>;
type Make = (few: Omit<MinimiseOptions, 'fixed'>) => Made;
type Run = (strategy: Made, pass: string, deltas: number) => AsyncGenerator<Event, Configuration>;

/** `needs`: what is known by now about what belongs together. */
export function shrinkingIn(
  { groupings = [], inert = empty, proven = [] }: Level,
  run: Run,
  needs: () => Dependencies | undefined,
) {
  const unproven = new Set<Side>();

  /** Of many changes of a cause, a walk over finer groups is worth it only if the coarser one removed an eighth of them. */
  async function* shrink(
    side: Side,
    free: Configuration,
    pass: string,
    make: Make,
  ): AsyncGenerator<Event, Configuration> {
    const known = needs();
    const together = known ? { needs: known } : {};
    let left = free;
    const shrinkBy = (few: Omit<MinimiseOptions, 'fixed' | 'free'>) =>
      run(make({ free: left, ...few }), pass, size(left));
    const idle = intersection(free, inert);
    if (size(idle) > 1 && size(idle) < size(free))
      left = yield* shrinkBy({ groups: [[...deltasOf(minus(free, idle))], [...deltasOf(idle)]], sweep: proofOnly });
    for (const groups of [...groupings, undefined]) {
      if (size(left) <= fewEnough || (groups && !isGrouped(left, groups))) continue;
      const before = left;
      left = yield* shrinkBy({ ...(groups ? { groups } : {}), ...together, sweep: walkOver(left) });
      if (side === 'cause' && size(left) > manyChanges && 8 * size(left) > 7 * size(before)) break;
    }
    if (size(left) > mostProven) {
      unproven.add(side);
      return left;
    }
    for (;;) {
      if (!isEmpty(left)) left = yield* shrinkBy({ sweep: proofOnly });
      const single = left;
      // What can't be left out without others may be able to go with them.
      if (known && isTied(left, known)) left = yield* shrinkBy({ needs: known.certain, sweep: proofOnly });
      for (const groups of proven) if (isGrouped(left, groups)) left = yield* shrinkBy({ groups, sweep: proofOnly });
      if (equals(single, left)) return left;
    }
  }

  return {
    shrink,

    /** Whether no set of this side was too large, or too entangled, for the proof. */
    isProven: (side: Side): boolean => !unproven.has(side),

    /** From here on no cause is claimed to be minimal. */
    leaveUnproven(): void {
      unproven.add('cause');
    },
  };
}

const isTied = (left: Configuration, { certain }: Dependencies): boolean =>
  [...deltasOf(left)].some(delta => size(intersection(left, certain.withNeeding(of([delta])))) > 1);

/** Some of it is in groups, and not all of it in one. */
function isGrouped(free: Configuration, grouping: Grouping): boolean {
  const sizes = grouping.map(members => members.filter(delta => has(free, delta)).length);
  return sizes.some(count => count > 1) && sizes.filter(count => count > 0).length > 1;
}
