/**
 * The difference of two sequences: E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), in its linear-space
 * form (§4b). Elements are compared by number, so lines are interned first. It departs from the paper in two ways that every
 * practical diff shares: what both ends have in common is cut off before the search, and a search that has become too expensive
 * takes the furthest path so far (the result is then still a difference, if not the shortest).
 */
export interface Hunk {
  /** Elements old[oldStart, oldStart + oldCount) are replaced by new[newStart, newStart + newCount). Counted from 0. */
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
}

/** The replacements that make `b` out of `a`, in order, with no context and never touching each other. */
export function difference(a: Int32Array, b: Int32Array): readonly Hunk[] {
  const gone = new Uint8Array(a.length);
  const come = new Uint8Array(b.length);
  mark(a, b, gone, come);
  return settle(a, b, hunksOf(gone, come));
}

/** The replacements that make one list out of the other. */
export function hunksBetween<Element>(passing: readonly Element[], failing: readonly Element[]): readonly Hunk[] {
  const numbers = new Map<Element, number>();
  const intern = (list: readonly Element[]) =>
    Int32Array.from(list, element => {
      const number = numbers.get(element) ?? numbers.size;
      numbers.set(element, number);
      return number;
    });
  return difference(intern(passing), intern(failing));
}

/** Elements that both have: old[start, end) is new[start + shift, end + shift). */
export interface Run {
  readonly start: number;
  readonly end: number;
  readonly shift: number;
}

/** What is between the hunks, in order; `length`: of the old list. */
export function* runsBetween(hunks: readonly Hunk[], length: number): Generator<Run> {
  let [start, shift] = [0, 0];
  for (const { oldStart, oldCount, newStart, newCount } of hunks) {
    yield { start, end: oldStart, shift };
    start = oldStart + oldCount;
    shift = newStart + newCount - start;
  }
  yield { start, end: length, shift };
}

/** Marks what is left out of `a` and what is new in `b`. */
function mark(a: Int32Array, b: Int32Array, gone: Uint8Array, come: Uint8Array): void {
  const reach = a.length + b.length + 3;
  const search: Search = {
    a,
    b,
    forward: new Int32Array(2 * reach + 1),
    backward: new Int32Array(2 * reach + 1),
    zero: reach,
    budget: Math.max(256, Math.ceil(Math.sqrt(a.length + b.length)) * 4),
  };
  const work: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  for (let box = work.pop(); box; box = work.pop()) {
    let [a0, a1, b0, b1] = box;
    for (; a0 < a1 && b0 < b1 && a[a0] === b[b0]; a0++) b0++;
    for (; a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]; a1--) b1--;
    if (a0 === a1) come.fill(1, b0, b1);
    else if (b0 === b1) gone.fill(1, a0, a1);
    else {
      const [x, y] = middle(search, { a0, a1, b0, b1 });
      work.push([a0, x, b0, y], [x, a1, y, b1]);
    }
  }
}

/** The two sequences, and the room that every search for a middle uses again. */
interface Search {
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** How far each diagonal was followed, from the start and from the end. */
  readonly forward: Int32Array;
  readonly backward: Int32Array;
  /** Where diagonal 0 is in them. */
  readonly zero: number;
  /** The cost at which a search takes the furthest path so far. */
  readonly budget: number;
}

/** a[a0, a1) beside b[b0, b1). */
interface Box {
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
}

/**
 * A point that a shortest path passes. Both searches keep, for each diagonal k = x − y, how far they got on it.
 * The boxes have nothing in common at their corners, so the point is never a corner that would leave the box as it is.
 */
function middle(search: Search, box: Box): readonly [number, number] {
  const { a, b, forward, backward, zero, budget } = search;
  const { a0, a1, b0, b1 } = box;
  const low = a0 - b1;
  const high = a1 - b0;
  const start = a0 - b0;
  const end = a1 - b1;
  const odd = ((start - end) & 1) !== 0;
  forward[zero + start] = a0;
  backward[zero + end] = a1;
  let fromMin = start;
  let fromMax = start;
  let toMin = end;
  let toMax = end;
  for (let cost = 1; ; cost++) {
    // Diagonals outside the box are never walked: the borders shrink by one if they would leave it.
    if (fromMin > low) forward[zero + --fromMin - 1] = -1;
    else fromMin++;
    if (fromMax < high) forward[zero + ++fromMax + 1] = -1;
    else fromMax--;
    for (let k = fromMax; k >= fromMin; k -= 2) {
      const left = forward[zero + k - 1]!;
      const right = forward[zero + k + 1]!;
      let x = left >= right ? left + 1 : right;
      while (x < a1 && x - k < b1 && a[x] === b[x - k]) x++;
      forward[zero + k] = x;
      if (odd && k >= toMin && k <= toMax && backward[zero + k]! <= x) return [x, x - k];
    }
    if (toMin > low) backward[zero + --toMin - 1] = 0x7fffffff;
    else toMin++;
    if (toMax < high) backward[zero + ++toMax + 1] = 0x7fffffff;
    else toMax--;
    for (let k = toMax; k >= toMin; k -= 2) {
      const left = backward[zero + k - 1]!;
      const right = backward[zero + k + 1]!;
      let x = left < right ? left : right - 1;
      while (x > a0 && x - k > b0 && a[x - 1] === b[x - k - 1]) x--;
      backward[zero + k] = x;
      if (!odd && k >= fromMin && k <= fromMax && x <= forward[zero + k]!) return [x, x - k];
    }
    if (cost >= budget) return furthest(search, box, fromMin, fromMax);
  }
}

function furthest(
  { forward, zero }: Search,
  { a0, a1, b0, b1 }: Box,
  min: number,
  max: number,
): readonly [number, number] {
  let best: readonly [number, number] = [a0, b0];
  for (let k = min; k <= max; k += 2) {
    const x = Math.min(forward[zero + k]!, a1, b1 + k);
    const y = x - k;
    if (x >= a0 && y >= b0 && x + y > best[0] + best[1]) best = [x, y];
  }
  return best;
}

/**
 * Slides what was only added, or only deleted, over equal elements: up to the hunk before it if it can touch that one,
 * else down to the hunk after it, else as low as it goes. Hunks that touch become one. This is how `diff` and `git` show a
 * new function as one block that ends with its own closing brace.
 */
function settle(a: Int32Array, b: Int32Array, hunks: readonly Hunk[]): readonly Hunk[] {
  const settled: Hunk[] = [];
  const waiting = hunks.toReversed();
  for (let hunk = waiting.pop(); hunk; hunk = waiting.pop()) {
    const before = settled.at(-1);
    const after = waiting.at(-1);
    if (hunk.oldCount > 0 && hunk.newCount > 0) {
      settled.push(hunk);
      continue;
    }
    const [sequence, start, count] =
      hunk.newCount > 0 ? [b, hunk.newStart, hunk.newCount] : [a, hunk.oldStart, hunk.oldCount];
    const above = hunk.oldStart - (before ? before.oldStart + before.oldCount : 0);
    const below = (after ? after.oldStart : a.length) - hunk.oldStart - hunk.oldCount;
    let up = 0;
    while (up < above && sequence[start - 1 - up] === sequence[start + count - 1 - up]) up++;
    let down = 0;
    while (down < below && sequence[start + down] === sequence[start + count + down]) down++;
    if (before && up === above) {
      settled.pop();
      waiting.push(joined(before, hunk));
    } else if (after && down === below) {
      waiting.pop();
      waiting.push(joined(moved(hunk, down), after));
    } else settled.push(moved(hunk, down));
  }
  return settled;
}

const moved = (hunk: Hunk, by: number): Hunk => ({
  ...hunk,
  oldStart: hunk.oldStart + by,
  newStart: hunk.newStart + by,
});

/** One hunk made of two; the second has moved up to the first, if it was not there already. */
const joined = (first: Hunk, second: Hunk): Hunk => ({
  ...first,
  oldCount: first.oldCount + second.oldCount,
  newCount: first.newCount + second.newCount,
});

function hunksOf(gone: Uint8Array, come: Uint8Array): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let i = 0;
  let j = 0;
  while (i < gone.length || j < come.length) {
    const oldStart = i;
    const newStart = j;
    while (i < gone.length && gone[i] === 1) i++;
    while (j < come.length && come[j] === 1) j++;
    if (i > oldStart || j > newStart)
      hunks.push({ oldStart, oldCount: i - oldStart, newStart, newCount: j - newStart });
    else {
      i++;
      j++;
    }
  }
  return hunks;
}
