/**
 * Which deltas are applied: an immutable set of whole numbers from 0 on, held as sorted half-open ranges.
 * `[0, 3, 7, 9]` is {0, 1, 2, 7, 8}. A million deltas with a few holes is a few numbers, and it survives JSON as it is.
 */
export type Configuration = readonly number[];

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
  return `#${configuration.length}:${words.join('.')}`;
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
