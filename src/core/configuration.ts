/**
 * Which deltas are applied: an immutable set of whole numbers from 0 on, held as sorted half-open ranges.
 * `[0, 3, 7, 9]` is {0, 1, 2, 7, 8}. A million deltas with a few holes is a few numbers, and it survives JSON as it is.
 */
export type Configuration = readonly number[];

/** A way to cut a configuration into n parts, in order; every part has at least one delta while n ≤ size. */
export type Partition = (configuration: Configuration, n: number) => readonly Configuration[];

export const empty: Configuration = [];

/**
 * {0, …, n − 1}: all deltas of a circumstance.
 *
 * @example
 * ```ts
 * all(5); // → [0, 5]
 * ```
 */
export const all = (n: number): Configuration => (n > 0 ? [0, n] : empty);

/**
 * The configuration of these deltas, in any order, repeated or not.
 *
 * @example
 * ```ts
 * of([7, 1, 0, 2, 8]); // → [0, 3, 7, 9]
 * ```
 */
export function of(deltas: Iterable<number>): Configuration {
  const sorted = [...deltas].sort((a, b) => a - b);
  const ranges: number[] = [];
  for (const delta of sorted) append(ranges, delta, delta + 1);
  return ranges;
}

/**
 * How many deltas there are.
 *
 * @example
 * ```ts
 * size([0, 3, 7, 9]); // → 5
 * ```
 */
export function size(configuration: Configuration): number {
  let total = 0;
  for (let i = 0; i < configuration.length; i += 2) total += configuration[i + 1]! - configuration[i]!;
  return total;
}

/**
 * Whether no delta is applied.
 *
 * @example
 * ```ts
 * isEmpty(minus(all(3), all(5))); // → true
 * ```
 */
export const isEmpty = (configuration: Configuration): boolean => configuration.length === 0;

/**
 * Whether a delta is applied.
 *
 * @example
 * ```ts
 * has([0, 3, 7, 9], 8); // → true
 * has([0, 3, 7, 9], 3); // → false
 * ```
 */
export function has(configuration: Configuration, delta: number): boolean {
  // The number of boundaries at or below delta is odd exactly inside a range.
  let low = 0;
  let high = configuration.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (configuration[middle]! <= delta) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}

/**
 * The deltas one by one, in ascending order.
 *
 * @example
 * ```ts
 * [...deltasOf([0, 3, 7, 9])]; // → [0, 1, 2, 7, 8]
 * ```
 */
export function* deltasOf(configuration: Configuration): Generator<number> {
  for (let i = 0; i < configuration.length; i += 2)
    for (let delta = configuration[i]!; delta < configuration[i + 1]!; delta++) yield delta;
}

/**
 * What is in one of them or in both.
 *
 * @example
 * ```ts
 * union([0, 3], [2, 5]); // → [0, 5]
 * ```
 */
export const union = (a: Configuration, b: Configuration): Configuration => merge(a, b, (inA, inB) => inA || inB);
/**
 * What is in `a` and not in `b`.
 *
 * @example
 * ```ts
 * minus(all(9), [3, 7]); // → [0, 3, 7, 9]
 * ```
 */
export const minus = (a: Configuration, b: Configuration): Configuration => merge(a, b, (inA, inB) => inA && !inB);
/**
 * What is in both of them.
 *
 * @example
 * ```ts
 * intersection([0, 3, 7, 9], [2, 8]); // → [2, 3, 7, 8]
 * ```
 */
export const intersection = (a: Configuration, b: Configuration): Configuration =>
  merge(a, b, (inA, inB) => inA && inB);

/**
 * Whether both hold the same deltas.
 *
 * @example
 * ```ts
 * equals(of([2, 1, 0]), all(3)); // → true
 * ```
 */
export function equals(a: Configuration, b: Configuration): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/**
 * Whether all deltas of `a` are in the other one.
 *
 * @example
 * ```ts
 * isSubset([7, 9], [0, 3, 7, 9]); // → true
 * ```
 */
export const isSubset = (a: Configuration, of: Configuration): boolean => isEmpty(minus(a, of));

/**
 * The deltas at positions from … to − 1, counted within the configuration.
 *
 * @example
 * ```ts
 * slice([0, 3, 7, 9], 2, 4); // → [2, 3, 7, 8]
 * ```
 */
export function slice(configuration: Configuration, from: number, to: number): Configuration {
  const ranges: number[] = [];
  let position = 0;
  for (let i = 0; i < configuration.length && position < to; i += 2) {
    const start = configuration[i]!;
    const end = configuration[i + 1]!;
    const next = position + end - start;
    if (next > from) {
      const low = start + Math.max(0, from - position);
      const high = end - Math.max(0, next - to);
      if (low < high) ranges.push(low, high);
    }
    position = next;
  }
  return ranges;
}

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

/**
 * A short text that is the same for the same set, and only for it: the ranges themselves while they are few,
 * four independent 32-bit hashes of them when they are many (a collision is less likely than a broken disk).
 *
 * @example
 * ```ts
 * key(of([3, 1, 2])) === key([1, 4]); // → true
 * ```
 */
export function key(configuration: Configuration): string {
  if (configuration.length <= 32) return configuration.join();
  let a = 0x9e3779b9;
  let b = 0x85ebca6b;
  let c = 0xc2b2ae35;
  let d = 0x27d4eb2f;
  for (const boundary of configuration) {
    a = Math.imul(a ^ boundary, 0x01000193);
    b = Math.imul(b ^ (boundary + (b >>> 15)), 0x5bd1e995);
    c = Math.imul((c << 5) | (c >>> 27), 0x2545f491) ^ boundary;
    d = Math.imul(d + boundary, 0x165667b1) ^ (d >>> 13);
  }
  const words = [a, b, c, d].map(word => (word >>> 0).toString(36));
  return `#${configuration.length}:${words.join('')}`;
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

function merge(a: Configuration, b: Configuration, keep: (inA: boolean, inB: boolean) => boolean): Configuration {
  const ranges: number[] = [];
  let i = 0;
  let j = 0;
  let inside = false;
  while (i < a.length || j < b.length) {
    const boundary = Math.min(a[i] ?? Infinity, b[j] ?? Infinity);
    if (a[i] === boundary) i++;
    if (b[j] === boundary) j++;
    const now = keep(i % 2 === 1, j % 2 === 1);
    if (now !== inside) {
      ranges.push(boundary);
      inside = now;
    }
  }
  return ranges;
}

function append(ranges: number[], start: number, end: number): void {
  const last = ranges.length - 1;
  if (last >= 0 && ranges[last]! >= start) ranges[last] = Math.max(ranges[last]!, end);
  else ranges.push(start, end);
}
