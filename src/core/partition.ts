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
 * n parts of nearly equal weight (bytes, say), each with at least one delta. Zhou et al., WDD: heavy deltas stand alone early.
 *
 * @example
 * ```ts
 * byWeight([90, 10, 10, 10])(all(4), 2); // → [[0, 1], [1, 4]]
 * ```
 */
export function byWeight(weights: ArrayLike<number>): Partition {
  return (configuration, n) => {
    const deltas = [...deltasOf(configuration)];
    let left = deltas.reduce((sum, delta) => sum + weights[delta]!, 0);
    const parts: Configuration[] = [];
    let from = 0;
    for (let i = 0; i < n; i++) {
      const latest = deltas.length - (n - i - 1);
      const goal = left / (n - i);
      let to = Math.max(from, Math.min(from + 1, latest));
      let weight = to > from ? weights[deltas[from]!]! : 0;
      while (to < latest && (i === n - 1 || weight + weights[deltas[to]!]! / 2 <= goal))
        weight += weights[deltas[to++]!]!;
      parts.push(of(deltas.slice(from, to)));
      left -= weight;
      from = to;
    }
    return parts;
  };
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
