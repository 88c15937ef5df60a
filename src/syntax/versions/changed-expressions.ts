/**
 * Parts of a statement that have changed, each by itself: another argument, another member. A rewrite changes several of them in one statement, so that its old
 * form does not fit, while one of them may.
 */
import { hunksBetween } from '../../core/diff.js';
import { type FlatTree, isComment, isLeaf, textOf } from '../flat-tree.js';
import { insideOf } from './aligned-parts.js';
import type { LostPart, Versions } from './lost-part.js';

/** A statement with more of them was written anew. */
const mostPlaces = 6;
/** What is longer is no expression. */
const mostTokens = 8;

const saysSomething = /[\p{L}\p{N}\p{S}&|%*?!]/u;
const declaring = /^(?:const|let|var)$/;

/** Each place where a part says something else, if there are several. */
export function* changedExpressions(
  { old, now, write }: Versions,
  [before, after]: readonly [before: number, after: number],
): Generator<LostPart> {
  const [left, right] = [leavesOf(old, before), leavesOf(now, after)];
  const tokens = right.map(leaf => textOf(now, leaf));
  const hunks = hunksBetween(
    left.map(leaf => write([old.start[leaf]!, old.end[leaf]!], leaf)),
    tokens,
  );
  if (hunks.length < 2 || hunks.length > mostPlaces) return;
  for (const { oldStart, oldCount, newStart, newCount } of hunks) {
    if (Math.max(oldCount, newCount) > mostTokens) continue;
    const first = left[oldStart];
    const from = oldCount === 0 ? undefined : ([old.start[first!]!, old.end[left[oldStart + oldCount - 1]!]!] as const);
    const text = from === undefined ? '' : write(from, first!);
    // With a declaration before it, it is no expression any more.
    if (from !== undefined && text.includes('\n') !== old.text.slice(...from).includes('\n')) continue;
    const gone = tokens.slice(newStart, newStart + newCount).join(' ');
    // Brackets come in pairs, and another way to declare a variable is no other value.
    if (![text, gone].some(each => saysSomething.test(each.replace(declaring, '')))) continue;
    const place = right[newStart] ?? right.at(-1)!;
    const start = newStart < right.length ? now.start[place]! : now.end[place]!;
    const end = newCount === 0 ? start : now.end[right[newStart + newCount - 1]!]!;
    const at = from ?? ([old.start[before]!, old.end[before]!] as const);
    yield { from: at, node: first ?? before, start, end, text };
  }
}

/** Those of a part, without those of the parts inside it. */
function leavesOf(tree: FlatTree, part: number): readonly number[] {
  const past = insideOf(tree, part) ?? tree.past[part]!;
  const found: number[] = [];
  for (let leaf = part; leaf < past; leaf++) if (isLeaf(tree, leaf) && !isComment(tree, leaf)) found.push(leaf);
  return found;
}
