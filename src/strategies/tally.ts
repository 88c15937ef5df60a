/** How often deltas turned out to be needed: after a needed one, and after a removable one. */
export interface Tally {
  readonly needed: readonly [number, number];
  readonly seen: readonly [number, number];
}

/** By default as if the first needed delta were expected halfway; else as if `expected` of the n deltas were needed. */
export const priorOf = (n: number, expected = 5.5 / 8): Tally => ({
  needed: [0.5, (8 * expected) / Math.max(n, expected, 1)],
  seen: [1, 8],
});

/** How many deltas can be removed together with a chance of about one half, according to the counts so far. */
export function groupSize({ needed, seen }: Tally, isAfterNeeded: boolean): number {
  const afterNeeded = needed[0] / seen[0];
  const afterGone = needed[1] / seen[1];
  const spare = Math.log(0.5) - Math.log(1 - (isAfterNeeded ? afterNeeded : afterGone));
  return spare >= 0 ? 1 : 1 + Math.max(0, Math.floor(spare / Math.log(1 - afterGone)));
}

/** One more delta was decided, and with it the others of its group, which could be removed. */
export function addToTally({ needed, seen }: Tally, afterNeeded: boolean, isNeeded: boolean, k: number): Tally {
  const first = afterNeeded ? 0 : 1;
  const add = (pair: readonly [number, number], at: number, by: number) =>
    at === 0 ? ([pair[0] + by, pair[1]] as const) : ([pair[0], pair[1] + by] as const);
  const tally = { needed: isNeeded ? add(needed, first, 1) : needed, seen: add(seen, first, 1) };
  const more = k > 1 ? { ...tally, seen: add(tally.seen, 1, k - 1) } : tally;
  // Old observations count less: the stretches of a file differ.
  return more.seen[0] + more.seen[1] < 512 ? more : { needed: half(more.needed), seen: half(more.seen) };
}

const half = (pair: readonly [number, number]) => [pair[0] / 2, pair[1] / 2] as const;
