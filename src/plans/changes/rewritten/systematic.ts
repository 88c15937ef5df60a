/**
 * How rarely something changed as it did. A rewrite makes the same change in many places: `self` becomes `this`, a variable becomes a member. What differs
 * in one place only is what someone changed on purpose.
 */
import { hunksBetween } from '../../../core/diff.js';

/** What is in new, and what takes its place. */
interface Differing {
  readonly now: string;
  readonly text: string;
}

/** Without quotes: a formatter chooses them. */
const tokensIn = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$'"`]/gu) ?? [];

/** The tokens in which both sides differ, each with its side. */
function differenceOf({ now, text }: Differing): ReadonlySet<string> {
  const [before, after] = [tokensIn(text), tokensIn(now)];
  return new Set(
    hunksBetween(before, after).flatMap(({ oldStart, oldCount, newStart, newCount }) => [
      ...before.slice(oldStart, oldStart + oldCount).map(token => `-${token}`),
      ...after.slice(newStart, newStart + newCount).map(token => `+${token}`),
    ]),
  );
}

/** From 0 to 1 for each: 1 if nothing of how it differs is in the difference of another one. */
export function raritiesOf(edits: readonly Differing[]): readonly number[] {
  const differences = edits.map(differenceOf);
  const counts = new Map<string, number>();
  for (const difference of differences) for (const token of difference) counts.set(token, (counts.get(token) ?? 0) + 1);
  return differences.map(difference => {
    const rarities = [...difference].map(token => 1 / counts.get(token)!);
    return rarities.length === 0 ? 0 : rarities.reduce((sum, each) => sum + each, 0) / rarities.length;
  });
}
