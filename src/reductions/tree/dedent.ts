/** What is moved to the left in a language whose blocks are indented. */
import type { Span } from '../../syntax/edit.js';
import { type FlatTree, grammarAt, isLeaf } from '../../syntax/flat-tree.js';
import type { Range } from '../../syntax/keep.js';

/**
 * The blanks by which the lines of a part are too far to the right once it is in the place of a node: with them, a block that
 * takes the place of its statement would be an error from its second line on. Lines inside a text literal stay as they are.
 */
export function dedent(tree: FlatTree, node: number, part: Range): readonly Span[] {
  if (grammarAt(tree, node).language.layout !== true) return [];
  const { text } = tree;
  const shift = columnOf(text, part.start) - columnOf(text, tree.start[node]!);
  if (shift <= 0) return [];
  const spans: Span[] = [];
  const lines = /\n([ \t]+)/g;
  lines.lastIndex = part.start;
  for (let found = lines.exec(text); found && found.index + 1 < part.end; found = lines.exec(text)) {
    const start = found.index + 1;
    const end = Math.min(start + Math.min(shift, found[1]!.length), part.end);
    if (!isInLeaf(tree, node, start)) spans.push({ start, end, text: '' });
  }
  return spans;
}

const columnOf = (text: string, at: number): number => at - (text.lastIndexOf('\n', at - 1) + 1);

/** Whether a place is inside a token, such as a text of several lines. */
function isInLeaf(tree: FlatTree, around: number, at: number): boolean {
  let node = around;
  while (!isLeaf(tree, node)) {
    let child = node + 1;
    while (child < tree.past[node]! && tree.end[child]! <= at) child = tree.past[child]!;
    if (child >= tree.past[node]! || tree.start[child]! >= at) return false;
    node = child;
  }
  return true;
}
