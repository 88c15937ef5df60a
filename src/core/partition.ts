/** Ways to cut a configuration into parts. */
import { type Configuration, deltasOf, of, size } from './configuration.js';

/** A way to cut a configuration into n parts, in order; every part has at least one delta while n ≤ size. */
export type Partition = (configuration: Configuration, n: number) => readonly Configuration[];

/**
 * n parts of nearly equal count, the smaller ones first, as Zeller's own `split` cuts them.
 *
 * @example
 * ```ts
 * nearlyEqual(all(8), 3); // → [[0, 2], [2, 5], [5, 8]]
 * ```
 */
export const nearlyEqual: Partition = (configuration, n) => cut(configuration, n, Math.floor);

/**
 * n parts of nearly equal count, the larger ones first, as the lecture's table shows them.
 *
 * @example
 * ```ts
 * largerFirst(all(8), 3); // → [[0, 3], [3, 6], [6, 8]]
 * ```
 */
export const largerFirst: Partition = (configuration, n) => cut(configuration, n, Math.ceil);

/**
 * n parts of nearly equal weight (bytes, say), each with at least one delta. Zhou et al., WDD: heavy deltas are tested alone early.
 *
 * @example
 * ```ts
 * byWeight([90, 10, 10, 10])(all(4), 2); // → [[0, 1], [1, 4]]
 * ```
 */
export function byWeight(weights: ArrayLike<number>): Partition {
  return (configuration, n) => cutByWeight([...deltasOf(configuration)], delta => weights[delta]!, n).map(of);
}

/**
 * A list cut into n parts of nearly equal weight, in order; each has at least one item while there are as many.
 *
 * @example
 * ```ts
 * cutByWeight(['long word', 'a', 'b', 'c'], word => word.length, 2); // → [['long word'], ['a', 'b', 'c']]
 * ```
 */
export function cutByWeight<Item>(
  items: readonly Item[],
  weightOf: (item: Item) => number,
  n: number,
): readonly (readonly Item[])[] {
  let left = items.reduce((sum, item) => sum + weightOf(item), 0);
  let from = 0;
  return Array.from({ length: n }, (_, i) => {
    const latest = items.length - (n - i - 1);
    const goal = left / (n - i);
    let [to, weight] = [from, 0];
    while (to < latest && (to === from || i === n - 1 || weight + weightOf(items[to]!) / 2 <= goal))
      weight += weightOf(items[to++]!);
    const part = items.slice(from, to);
    left -= weight;
    from = to;
    return part;
  });
}

/** The last cut of each configuration: a strategy asks about its parts one by one, and each time names the cut by n alone. */
const cuts = new WeakMap<Configuration, { n: number; round: (x: number) => number; parts: readonly Configuration[] }>();

function cut(configuration: Configuration, n: number, round: (x: number) => number): readonly Configuration[] {
  const last = cuts.get(configuration);
  if (last?.n === n && last.round === round) return last.parts;
  const parts: Configuration[] = [];
  let left = size(configuration);
  let range = 0;
  let start = configuration[0] ?? 0;
  for (let i = 0; i < n; i++) {
    let wanted = round(left / (n - i));
    left -= wanted;
    const part: number[] = [];
    while (wanted > 0) {
      const end = Math.min(start + wanted, configuration[range + 1]!);
      part.push(start, end);
      wanted -= end - start;
      start = end;
      if (start === configuration[range + 1]!) {
        range += 2;
        start = configuration[range] ?? start;
      }
    }
    parts.push(part);
  }
  cuts.set(configuration, { n, round, parts });
  return parts;
}
