/** Calls that old has around something and new has not: `x` in the place of `x.trim()`, or of `encode(x)`. */

import type { FlatTree } from '../flat-tree.js';
import { isNamed, textOf } from '../flat-tree.js';
import { callsIn, countingRuns } from './added-calls.js';
import type { LostPart, Versions } from './lost-part.js';
import type { Range } from './put-back.js';

/** Each lost call of a part, if what it is about is in one place of the same part of new. `own`: the tokens of the part. */
export function* lostCalls(
  { old, now, write }: Versions,
  [before, after]: readonly [before: number, after: number],
  own: { readonly old: readonly string[]; readonly new: readonly string[] },
): Generator<LostPart> {
  const [was, is] = [countingRuns(own.old), countingRuns(own.new)];
  for (const { node, stays, added } of callsIn(old, before)) {
    if (was.count(added) <= is.count(added)) continue;
    const from: Range = [old.start[node]!, old.end[node]!];
    const about = write([old.start[stays]!, old.end[stays]!], stays);
    const text = write(from, node);
    // With a declaration before it, it is no expression any more.
    if (linesIn(text) > linesIn(textOf(old, node))) continue;
    const places = placesOf(now, after, about);
    const [place] = places;
    if (place !== undefined && places.length === 1) yield { from, node, start: place[0], end: place[1], text };
  }
}

const linesIn = (text: string): number => text.split('\n').length;

/** Where a part has an expression. */
function placesOf(tree: FlatTree, part: number, text: string): readonly Range[] {
  const found = new Map<number, Range>();
  for (let node = part + 1; node < tree.past[part]!; node++)
    if (isNamed(tree, node) && tree.end[node]! - tree.start[node]! === text.length && textOf(tree, node) === text)
      found.set(tree.start[node]!, [tree.start[node]!, tree.end[node]!]);
  return [...found.values()];
}
