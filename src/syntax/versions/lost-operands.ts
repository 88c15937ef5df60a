/**
 * Sides of a condition that new has lost: `a` in the place of `a && b`. The rest of the condition is often written anew, so that its old form does not fit; but
 * the lost side by itself may.
 */
import { addAll } from '../../core/lists.js';
import { childAt, childrenOf, type FlatTree, fieldOf, isLeaf, isNamed, kindOf, textOf } from '../flat-tree.js';
import { isFunction } from '../functions.js';
import { logicalOperatorOf } from './additions.js';
import { isPart } from './aligned-parts.js';
import type { LostPart, Versions } from './lost-part.js';
import type { Range } from './put-back.js';

/** Each lost side of the conditions of a part. */
export function* lostOperands(
  { old, now, write }: Versions,
  [before, after]: readonly [before: number, after: number],
): Generator<LostPart> {
  for (const { chain, operator, way } of chainsIn(old, before)) {
    const place = wayDown({ old, now }, way, after);
    if (place === undefined) continue;
    const isSameChain = logicalOperatorOf(now, place) === operator;
    const said = new Set((isSameChain ? operandsOf(now, place, operator) : [place]).map(node => tokensIn(now, node)));
    const there = isSameChain || binds(now, place) ? textOf(now, place) : `(${textOf(now, place)})`;
    const operands = operandsOf(old, chain, operator);
    for (const [i, node] of operands.entries()) {
      const from: Range = [old.start[node]!, old.end[node]!];
      const text = write(from, node);
      // With a declaration before it, it is no expression any more.
      if (said.has(tokensIn(old, node)) || text.includes('\n') !== textOf(old, node).includes('\n')) continue;
      // What is behind another side may rely on it.
      const sides = i === 0 ? [text, there] : [there, text];
      yield { from, node, start: now.start[place]!, end: now.end[place]!, text: sides.join(` ${operator} `) };
    }
  }
}

interface Chain {
  readonly chain: number;
  readonly operator: string;
  /** From what is directly in the part to the condition. */
  readonly way: readonly number[];
}

/** The outermost conditions of a part, without those of the parts and functions inside it. */
function* chainsIn(tree: FlatTree, part: number): Generator<Chain> {
  for (let node = part + 1; node < tree.past[part]!; node++) {
    const operator = logicalOperatorOf(tree, node);
    if (operator === undefined && !isPart(tree, node) && !isFunction(tree, node)) continue;
    if (operator !== undefined) {
      const way: number[] = [];
      for (let at = node; at !== part; at = tree.parent[at]!) way.unshift(at);
      yield { chain: node, operator, way };
    }
    node = tree.past[node]! - 1;
  }
}

/** `a && b && c` has three. */
function operandsOf(tree: FlatTree, node: number, operator: string): readonly number[] {
  const found: number[] = [];
  const waiting = [node];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const sides = [childAt(tree, at, 'right'), childAt(tree, at, 'left')].filter(side => side !== undefined);
    if (logicalOperatorOf(tree, at) === operator && sides.length === 2) addAll(waiting, sides);
    else found.push(at);
  }
  return found;
}

/** What is in the same place of another part. */
function wayDown(
  { old, now }: Pick<Versions, 'old' | 'now'>,
  way: readonly number[],
  part: number,
): number | undefined {
  let at: number | undefined = part;
  for (const step of way) {
    const field = fieldOf(old, step);
    const around: number = at;
    const named = childrenOf(now, around).filter(child => isNamed(now, child));
    at =
      field !== ''
        ? childAt(now, around, field)
        : named.length === 1
          ? named[0]
          : named.find(child => kindOf(now, child) === kindOf(old, step));
    if (at === undefined) return undefined;
  }
  return at;
}

function tokensIn(tree: FlatTree, node: number): string {
  const tokens: string[] = [];
  for (let leaf = node; leaf < tree.past[node]!; leaf++) if (isLeaf(tree, leaf)) tokens.push(textOf(tree, leaf));
  return tokens.join(' ');
}

/** Whether an expression stays together beside `&&` without brackets. */
const binds = (tree: FlatTree, node: number): boolean =>
  isLeaf(tree, node) ||
  (logicalOperatorOf(tree, node) === undefined &&
    childAt(tree, node, 'consequence') === undefined &&
    !/[^=!<>]=(?!=)|,|\?|=>/.test(textOf(tree, node).replace(/\([^()]*\)/g, '')));
