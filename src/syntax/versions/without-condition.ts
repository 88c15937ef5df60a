/** How a branch is taken out of a text: it becomes one of its sides, or goes. */
import type { Span } from '../edit.js';
import { childAt, childrenOf, type FlatTree, fieldOf, grammarAt, is, partsOf, textOf } from '../flat-tree.js';
import { cut, put } from '../text-cut.js';
import { isStatement } from './lost-declarations.js';
import type { Range } from './put-back.js';

interface Without extends Span {
  /** If this part of the text does not run, taking it out changes nothing. */
  readonly gone: Range;
  /** The side that goes. */
  readonly dropped?: number;
  /** It leaves the block in any case: nothing of what is behind it runs any more. */
  readonly isCutOff?: boolean;
}

/** A branch becomes one of its sides, or goes. */
export function* withoutCondition(tree: FlatTree, node: number): Generator<Without> {
  const others = childrenOf(tree, node).filter(child => fieldOf(tree, child) === 'alternative');
  const consequence = childAt(tree, node, 'consequence')!;
  const alternative = others.length === 1 ? sideOf(tree, others[0]!) : undefined;
  // With `elif`, the other side is a chain.
  if (others.length > 1 || (others.length === 1 && alternative === undefined)) return;
  const ranges = (of: number): Range => [tree.start[of]!, tree.end[of]!];
  if (alternative !== undefined) {
    for (const [dropped, stays] of [
      [consequence, alternative],
      [alternative, consequence],
    ] as const)
      yield { gone: ranges(dropped), dropped, isCutOff: cutsOff(tree, node, stays), ...only(tree, node, stays) };
    return;
  }
  if (isStatement(tree, node))
    yield { gone: ranges(consequence), dropped: consequence, ...cut(tree.text, ...ranges(node)) };
  yield { gone: ranges(node), isCutOff: cutsOff(tree, node, consequence), ...only(tree, node, consequence) };
}

/** Whether there is something behind a branch, and one of its sides never gets there. */
function cutsOff(tree: FlatTree, node: number, side: number): boolean {
  const behind = partsOf(tree, tree.parent[node]!).some(part => part > node);
  const last = is(tree, side, 'body') ? partsOf(tree, side).at(-1) : side;
  return behind && last !== undefined && is(tree, last, 'jump');
}

/** What follows `else`. */
function sideOf(tree: FlatTree, other: number): number | undefined {
  if (!is(tree, other, 'elseBranch')) return other;
  return childAt(tree, other, 'condition') === undefined ? partsOf(tree, other).at(-1) : undefined;
}

/** Replaces a node by one of its sides. Lines of the side stay as they are, so that little differs. */
function only(tree: FlatTree, node: number, side: number): Span {
  const { text } = tree;
  const [start, end] = [tree.start[node]!, tree.end[node]!];
  const inside = isStatement(tree, node) ? linesOf(tree, side) : undefined;
  if (inside === undefined) return put(text, start, end, textOf(tree, side));
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const isAtStart = text.slice(from, start).trim() === '';
  if (!isAtStart) return put(text, start, end, inside.trim());
  const { layout } = grammarAt(tree, node).language;
  return { start: from, end, text: layout ? atColumn(inside, start - from) : inside };
}

/** The lines of a side, without the brackets of a block; undefined if it shares a line with something else. */
function linesOf(tree: FlatTree, side: number): string | undefined {
  if (is(tree, side, 'body')) return linesInside(tree, side);
  const from = tree.text.lastIndexOf('\n', tree.start[side]! - 1) + 1;
  return tree.text.slice(from, tree.start[side]).trim() === '' ? tree.text.slice(from, tree.end[side]) : undefined;
}

/** The statements of a block on lines of their own, without its brackets; undefined if they are not. */
function linesInside(tree: FlatTree, block: number): string | undefined {
  const { text } = tree;
  const [start, end] = [tree.start[block]!, tree.end[block]!];
  if (text[start] !== '{') return text.slice(text.lastIndexOf('\n', start - 1) + 1, end);
  const [first, last] = [text.indexOf('\n', start), text.lastIndexOf('\n', end - 1)];
  const isAlone = first < last && text.slice(start + 1, first).trim() === '' && text.slice(last, end - 1).trim() === '';
  return isAlone ? text.slice(first + 1, last) : undefined;
}

/** The same lines, so that the first begins at a column: where indentation means something. */
function atColumn(lines: string, column: number): string {
  const deeper = Math.max(0, /^[ \t]*/.exec(lines)![0].length - column);
  return lines
    .split('\n')
    .map(line => (line.slice(0, deeper).trim() === '' ? line.slice(deeper) : line))
    .join('\n');
}
