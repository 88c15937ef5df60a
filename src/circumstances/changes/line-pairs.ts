/** Pairs the lines of a hunk: which new line replaces which old one, and which lines are only added or removed. */
import type { Hunk } from '../../core/diff.js';
import { addAll } from '../../core/lists.js';
import type { Lines } from './lines.js';

/** Above this many pairs of lines in a hunk, an alignment takes longer than it helps. */
const mostPairs = 40_000;
/** Lines that share less than this are different lines. */
const alike = 0.4;
/** As many lines on both sides replace each other in order, unless others have this much more in common: one was put in, and another one taken out. */
const isMoved = 0.5;

/**
 * Splits a hunk into the smallest replacements: a line for a line if the two are similar, and single added or removed lines
 * otherwise. To a reader a replaced line is one change, and half of it (the old line next to the new one) hardly ever makes
 * sense.
 */
export function pairLines(hunk: Hunk, oldLines: Lines, newLines: Lines): readonly Hunk[] {
  const { oldStart, oldCount, newStart, newCount } = hunk;
  if (oldCount === 0 || newCount === 0 || oldCount * newCount > mostPairs) return between(hunk);
  const words = (lines: Lines, start: number, count: number) =>
    lines.slice(start, start + count).map(line => line.match(/\w+|[^\w\s]/g) ?? []);
  const [before, after] = [words(oldLines, oldStart, oldCount), words(newLines, newStart, newCount)];
  const pairs = aligned(before, after);
  if (oldCount === newCount) {
    const total = (some: typeof pairs) => some.reduce((sum, [i, k]) => sum + likeness(before[i]!, after[k]!), 0);
    const inOrder = before.map((_, i) => [i, i] as const);
    if (total(pairs) < total(inOrder) + isMoved) return between(hunk);
  }
  const found: Hunk[] = [];
  let [fromOld, fromNew] = [oldStart, newStart];
  const gap = (toOld: number, toNew: number) =>
    addAll(
      found,
      between({ oldStart: fromOld, oldCount: toOld - fromOld, newStart: fromNew, newCount: toNew - fromNew }),
    );
  for (const [i, k] of pairs) {
    gap(oldStart + i, newStart + k);
    found.push({ oldStart: oldStart + i, oldCount: 1, newStart: newStart + k, newCount: 1 });
    [fromOld, fromNew] = [oldStart + i + 1, newStart + k + 1];
  }
  gap(oldStart + oldCount, newStart + newCount);
  return found;
}

/** If both sides have as many lines, each is replaced on its own. Otherwise each line is removed or added alone. */
function between({ oldStart, oldCount, newStart, newCount }: Hunk): readonly Hunk[] {
  if (oldCount === newCount)
    return Array.from({ length: oldCount }, (_, i) => ({
      oldStart: oldStart + i,
      oldCount: 1,
      newStart: newStart + i,
      newCount: 1,
    }));
  return [
    ...Array.from({ length: oldCount }, (_, i) => ({ oldStart: oldStart + i, oldCount: 1, newStart, newCount: 0 })),
    ...Array.from({ length: newCount }, (_, i) => ({
      oldStart: oldStart + oldCount,
      oldCount: 0,
      newStart: newStart + i,
      newCount: 1,
    })),
  ];
}

type Words = readonly string[];

/** The pairs, in order, with the greatest total similarity; each line is in at most one. */
function aligned(old: readonly Words[], now: readonly Words[]): readonly (readonly [number, number])[] {
  const score = old.map(a => now.map(b => likeness(a, b)));
  /** `best[i][k]`: the most that old lines from i on and new lines from k on can share. */
  const best = Array.from({ length: old.length + 1 }, () => new Float64Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i--)
    for (let k = now.length - 1; k >= 0; k--)
      best[i]![k] = Math.max(best[i + 1]![k]!, best[i]![k + 1]!, score[i]![k]! + best[i + 1]![k + 1]!);
  const pairs: [number, number][] = [];
  for (let i = 0, k = 0; i < old.length && k < now.length; ) {
    if (score[i]![k]! > 0 && best[i]![k] === score[i]![k]! + best[i + 1]![k + 1]!) pairs.push([i++, k++]);
    else if (best[i]![k] === best[i + 1]![k]) i++;
    else k++;
  }
  return pairs;
}

/** How many words two lines share, relative to how many they have; 0 if they are not similar. */
function likeness(a: Words, b: Words): number {
  if (a.length === 0 || b.length === 0) return 0;
  const counts = new Map<string, number>();
  for (const word of a) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of b) {
    const left = counts.get(word) ?? 0;
    if (left === 0) continue;
    common++;
    counts.set(word, left - 1);
  }
  const share = common / Math.sqrt(a.length * b.length);
  return share < alike ? 0 : share;
}
