/**
 * Which parts of an original are still in a result: an alignment by line, then token, then character. Results are mostly made
 * by deletions, and often a millionth of the original: a shortest edit script (Myers) would cost the square of what was
 * deleted. So: lines that are unique on both sides are anchors (patience diff), and between anchors an alignment that prefers
 * unbroken runs, at a cost of original × result; if even that is too much, the first place that fits.
 */
import { addTo } from '../core/lists.js';
export interface Alignment {
  /** Ranges of the original that remain, as start, end, start, end …; offsets in UTF-16 units. */
  readonly kept: readonly number[];
  /** Ranges of the result that are in the original too. What is between them comes from a rewriting reduction. */
  readonly old: readonly number[];
}

type Pair = readonly [i: number, j: number];
interface Span {
  readonly from: number;
  readonly to: number;
}

/** What alignments between anchors may cost together: about a third of a second. */
const mostCells = 30_000_000;
const patterns = [/[^\n]*\n|[^\n]+$/g, /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu, /./gsu] as const;

export function align(original: string, result: string): Alignment {
  const kept: number[] = [];
  const old: number[] = [];
  const budget = { cells: mostCells };
  within({ from: 0, to: original.length }, { from: 0, to: result.length }, 0);
  return { kept: joined(kept), old: joined(old) };

  function within(a: Span, b: Span, level: number): void {
    if (a.from === a.to || b.from === b.to) return;
    const pieces = split(original, a, patterns[level]!);
    const others = split(result, b, patterns[level]!);
    const pairs = level === 0 ? anchored(pieces, others, budget) : matched(pieces, others, budget);
    // Single characters count only if all of them are found: a renamed variable is not made of the letters of its old name.
    if (level === 2 && pairs.length < others.texts.length) return;
    let from = a.from;
    let other = b.from;
    for (const [i, j] of [...pairs, [pieces.texts.length, others.texts.length] as const]) {
      const at = pieces.offsets[i]!;
      const otherAt = others.offsets[j]!;
      if (level < 2) within({ from, to: at }, { from: other, to: otherAt }, level + 1);
      if (i === pieces.texts.length) break;
      from = pieces.offsets[i + 1]!;
      other = others.offsets[j + 1]!;
      kept.push(at, from);
      old.push(otherAt, other);
    }
  }
}

interface Pieces {
  readonly texts: readonly string[];
  /** Where each piece begins, and where the last one ends. */
  readonly offsets: readonly number[];
}

function split(text: string, span: Span, pattern: RegExp): Pieces {
  const texts = text.slice(span.from, span.to).match(pattern) ?? [];
  const offsets = [span.from];
  for (const piece of texts) offsets.push(offsets.at(-1)! + piece.length);
  return { texts, offsets };
}

/** Patience diff: the longest ordered series of pieces that are unique on both sides; between them, everything else. */
function anchored(a: Pieces, b: Pieces, budget: Budget): Pair[] {
  const where = new Map<string, { i: number; j: number; times: number }>();
  a.texts.forEach((text, i) => {
    const seen = where.get(text);
    if (seen) seen.times = Number.NaN;
    else if (text.trim().length > 2) where.set(text, { i, j: -1, times: 0 });
  });
  b.texts.forEach((text, j) => {
    const seen = where.get(text);
    if (seen) {
      seen.j = j;
      seen.times++;
    }
  });
  const unique = [...where.values()].filter(({ times }) => times === 1).map(({ i, j }): Pair => [i, j]);
  const anchors = longestInOrder(unique);
  if (anchors.length === 0) return matched(a, b, budget);
  const pairs: Pair[] = [];
  let [i, j] = [0, 0];
  for (const [nextI, nextJ] of [...anchors, [a.texts.length, b.texts.length] as const]) {
    for (const [p, q] of matched(part(a, i, nextI), part(b, j, nextJ), budget)) pairs.push([i + p, j + q]);
    if (nextI < a.texts.length) pairs.push([nextI, nextJ]);
    [i, j] = [nextI + 1, nextJ + 1];
  }
  return pairs;
}

const part = (pieces: Pieces, from: number, to: number): Pieces => ({
  texts: pieces.texts.slice(from, to),
  offsets: pieces.offsets.slice(from, to + 1),
});

/** Pairs come sorted by i; the longest subsequence that is sorted by j too (patience sorting). */
function longestInOrder(pairs: readonly Pair[]): Pair[] {
  const tops: number[] = [];
  const previous = new Int32Array(pairs.length);
  pairs.forEach(([, j], index) => {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tops[middle]!]![1] < j) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? tops[low - 1]! : -1;
    tops[low] = index;
  });
  const chain: Pair[] = [];
  for (let index = tops.at(-1) ?? -1; index >= 0; index = previous[index]!) chain.push(pairs[index]!);
  return chain.reverse();
}

interface Budget {
  cells: number;
}

function matched(a: Pieces, b: Pieces, budget: Budget): Pair[] {
  const cells = a.texts.length * b.texts.length;
  if (cells === 0) return [];
  if (cells > budget.cells) return firstThatFits(a, b);
  budget.cells -= cells;
  return heaviest(a, b);
}

/** Each piece of the result, at its next place in the original. */
function firstThatFits(a: Pieces, b: Pieces): Pair[] {
  const places = new Map<string, number[]>();
  for (const [i, text] of a.texts.entries()) addTo(places, text, i);
  const pairs: Pair[] = [];
  const used = new Map<string, number>();
  let next = 0;
  b.texts.forEach((text, j) => {
    const all = places.get(text) ?? [];
    let at = used.get(text) ?? 0;
    while (at < all.length && all[at]! < next) at++;
    used.set(text, at);
    if (at >= all.length) return;
    pairs.push([all[at]!, j]);
    next = all[at]! + 1;
  });
  return pairs;
}

/**
 * The alignment of greatest weight: a pair weighs more the longer its piece is, and half as much again if it continues an
 * unbroken run, so that `<SELECT` stays together; a closing token ends a run. Among equals the leftmost.
 */
function heaviest(a: Pieces, b: Pieces): Pair[] {
  const ids = new Map<string, number>();
  const idOf = (text: string): number => {
    const id = ids.get(text) ?? ids.size;
    if (id === ids.size) ids.set(text, id);
    return id;
  };
  const left = Int32Array.from(a.texts, idOf);
  const right = Int32Array.from(b.texts, idOf);
  const weights = Float64Array.from(b.texts, text => (text.trim() === '' ? 0.2 : 2 + Math.min(20, text.length)));
  const bonuses = weights.map((weight, j) => (/^[>)\]};,]$/.test(b.texts[j - 1] ?? '') ? 0.01 : weight / 2));
  const columns = right.length + 1;
  const cameFrom = new Uint8Array(left.length * right.length);
  let best = new Float64Array(columns);
  let run = new Float64Array(columns);
  let nextBest = new Float64Array(columns);
  let nextRun = new Float64Array(columns);
  for (let i = 0; i < left.length; i++) {
    for (let j = 0; j < right.length; j++) {
      let value = best[j + 1]!;
      let from = up;
      nextRun[j + 1] = 0;
      if (nextBest[j]! > value) {
        value = nextBest[j]!;
        from = back;
      }
      if (left[i] === right[j]) {
        const weight = weights[j]!;
        const onRun = run[j]! + bonuses[j]!;
        const goesOn = run[j]! > 0 && onRun > best[j]!;
        const here = weight + (goesOn ? onRun : best[j]!);
        nextRun[j + 1] = here;
        if (here > value) {
          value = here;
          from = pair;
        }
        if (goesOn) from |= unbroken;
      }
      nextBest[j + 1] = value;
      cameFrom[i * right.length + j] = from;
    }
    [best, nextBest] = [nextBest, best];
    [run, nextRun] = [nextRun, run];
  }
  const pairs: Pair[] = [];
  let goesOn = false;
  for (let i = left.length - 1, j = right.length - 1; i >= 0 && j >= 0; ) {
    const from = cameFrom[i * right.length + j]!;
    if (goesOn || (from & 3) === pair) {
      pairs.push([i--, j--]);
      goesOn = (from & unbroken) !== 0;
    } else if ((from & 3) === back) j--;
    else i--;
  }
  return pairs.reverse();
}

const up = 0;
const back = 1;
const pair = 2;
const unbroken = 4;

function joined(ranges: readonly number[]): number[] {
  const all: number[] = [];
  for (let i = 0; i < ranges.length; i += 2) {
    if (all.at(-1) === ranges[i]) all[all.length - 1] = ranges[i + 1]!;
    else all.push(ranges[i]!, ranges[i + 1]!);
  }
  return all;
}
