/**
 * A smallest hitting set by branch and bound: fewest elements that meet every given set.
 *
 * This is the seed finder of MARCO (see marco.ts). A SAT solver is the usual choice, because it can enumerate thousands of sets;
 * people look at a few dozen causes at most, and for these a search with a bound by disjoint sets is enough and needs no
 * dependency. The effort is bounded: a hard instance gives the best set that was found, made minimal, or none.
 */

export interface HittingOptions {
  /** The result must contain none of these sets as a whole. */
  readonly excluded?: readonly (readonly number[])[];
  /** How many elements may be examined before the search ends with what it has. */
  readonly effort?: number;
}

export interface Hitting {
  /** The elements, ascending; missing if there is no such set, or none was found within the effort. */
  readonly set?: readonly number[];
  /** The whole space was searched: a set is a smallest one, and a missing set means that there is none. */
  readonly certain: boolean;
}

/**
 * The smallest set that has an element of each given set, and none of the excluded sets as a whole. It is always minimal: without
 * any one of its elements, some given set is missed.
 *
 * @example
 * ```ts
 * smallestHittingSet([[1, 2], [2, 9], [30]]); // → { set: [2, 30], certain: true }
 * smallestHittingSet([[1, 2], [2, 9], [30]], { excluded: [[2, 30]] }); // → { set: [1, 9, 30], certain: true }
 * ```
 */
export function smallestHittingSet(
  sets: readonly (readonly number[])[],
  { excluded = [], effort = 400_000 }: HittingOptions = {},
): Hitting {
  const chosen = new Set<number>();
  const forbidden = new Set<number>();
  const least = disjointCount(sets, forbidden);
  let best: readonly number[] | undefined;
  let left = effort;

  const isExcluded = () => excluded.some(each => each.every(element => chosen.has(element)));
  /** Returns true if nothing better can come: the bound is met, or the effort is spent. */
  const search = (unmet: readonly (readonly number[])[]): boolean => {
    left -= 1 + unmet.reduce((sum, set) => sum + set.length, 0);
    if (isExcluded()) return false;
    if (unmet.length === 0) {
      best = [...chosen].sort((a, b) => a - b);
      return best.length <= least;
    }
    if (left < 0) return true;
    if (best && chosen.size + disjointCount(unmet, forbidden) >= best.length) return false;
    const branches = fewestBranches(unmet, forbidden);
    const tried: number[] = [];
    let isOver = false;
    for (const element of branches) {
      chosen.add(element);
      isOver = search(unmet.filter(set => !set.includes(element)));
      chosen.delete(element);
      if (isOver) break;
      // The rest of the search leaves this element out: all sets with it were searched.
      forbidden.add(element);
      tried.push(element);
    }
    for (const element of tried) forbidden.delete(element);
    return isOver;
  };

  if (sets.some(set => set.length === 0)) return { certain: true };
  search(sets);
  if (left >= 0) return best ? { set: best, certain: true } : { certain: true };
  return best ? { set: withoutSpare(best, sets), certain: false } : { certain: false };
}

/** How many of the sets share no element that may still be chosen: at least this many elements are needed. */
function disjointCount(sets: readonly (readonly number[])[], forbidden: ReadonlySet<number>): number {
  const taken = new Set<number>();
  let count = 0;
  for (const set of sets) {
    if (set.some(element => taken.has(element))) continue;
    for (const element of set) if (!forbidden.has(element)) taken.add(element);
    count++;
  }
  return count;
}

/** The elements of the set with the fewest choices, those that meet most of the sets first. */
function fewestBranches(unmet: readonly (readonly number[])[], forbidden: ReadonlySet<number>): readonly number[] {
  let fewest: readonly number[] | undefined;
  const met = new Map<number, number>();
  for (const set of unmet) {
    const open = set.filter(element => !forbidden.has(element));
    if (!fewest || open.length < fewest.length) fewest = open;
    for (const element of open) met.set(element, (met.get(element) ?? 0) + 1);
  }
  return [...fewest!].sort((a, b) => met.get(b)! - met.get(a)! || a - b);
}

/** Drops every element that is not needed, the last ones first. */
function withoutSpare(set: readonly number[], sets: readonly (readonly number[])[]): readonly number[] {
  let kept = set;
  for (const element of set.toReversed()) {
    const fewer = kept.filter(each => each !== element);
    if (sets.every(each => each.some(one => fewer.includes(one)))) kept = fewer;
  }
  return kept;
}
