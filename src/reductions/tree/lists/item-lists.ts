/** Lists in a tree: items between brackets, or on lines of their own, and the elements of an element. */
import { pauseIfDue } from '../../../core/pause.js';
import { bracketed, isTagPart } from '../../../syntax/delimiters.js';
import {
  childAt,
  childrenOf,
  type FlatTree,
  grammarAt,
  is,
  isComment,
  isNamed,
  sizeOf,
  textOf,
} from '../../../syntax/flat-tree.js';
import type { ItemList } from '../../columns.js';

/** Between two looks at the clock. */
export const nodesAtOnce = 1_024;

export interface List {
  readonly node: number;
  readonly items: ItemList;
  /** The keys of its items, if it is an object. */
  readonly keys?: readonly string[];
  /** Whether its items are elements. */
  readonly isMarkup: boolean;
}

export function listAt(tree: FlatTree, node: number): List | undefined {
  if (!isNamed(tree, node)) return undefined;
  if (is(tree, node, 'collection') || is(tree, node, 'bracketPart')) return inBrackets(tree, node);
  if (is(tree, node, 'indented')) return listOf(tree, node, itemsOf(tree, childrenOf(tree, node)), '');
  return isElement(tree, node) || isElement(tree, tree.parent[node]!) ? ofElements(tree, node) : undefined;
}

/** The key of a pair, or the name of an element. */
export function nameOf(tree: FlatTree, node: number): string | undefined {
  const key = is(tree, node, 'pair')
    ? childAt(tree, node, 'key')
    : isElement(tree, node)
      ? tagName(tree, node)
      : undefined;
  return key === undefined ? undefined : textOf(tree, key);
}

const isElement = (tree: FlatTree, node: number): boolean => node >= 0 && is(tree, node, 'element');

/** In the first tag of the element. */
function tagName(tree: FlatTree, element: number): number | undefined {
  for (let leaf = element + 2; leaf < tree.past[element]!; leaf++) if (isNamed(tree, leaf)) return leaf;
  return undefined;
}

function inBrackets(tree: FlatTree, node: number): List | undefined {
  const { constraint } = grammarAt(tree, node).language;
  const inside = itemsOf(tree, bracketed(tree, node)?.inside ?? []);
  const columns = constraint ? inside.filter(item => !constraint.test(textOf(tree, item))) : inside;
  return listOf(tree, node, columns, ',');
}

const itemsOf = (tree: FlatTree, nodes: readonly number[]): readonly number[] =>
  nodes.filter(node => isNamed(tree, node) && !isComment(tree, node));

/** Nothing may be between two items but this. */
function listOf(tree: FlatTree, node: number, inside: readonly number[], separator: string): List | undefined {
  if (inside.length === 0) return undefined;
  // In a bracket tree, an item includes the comma after it.
  const ends = inside.map(each => tree.end[each]! - (tree.text[tree.end[each]! - 1] === ',' ? 1 : 0));
  const items = inside.map((each, i) => ({ start: tree.start[each]!, end: ends[i]! }));
  if (items.some(({ start }, i) => i > 0 && tree.text.slice(ends[i - 1]!, start).trim() !== separator))
    return undefined;
  const names = inside.map(each => (is(tree, each, 'pair') ? nameOf(tree, each) : undefined));
  const keys = names.filter(name => name !== undefined);
  if (keys.length === names.length) return { node, items, keys, isMarkup: false };
  return items.length < 2 ? undefined : { node, items, isMarkup: false };
}

/** Cells of a row, or values with different names: `<user><id>1</id><name>a</name></user>`. */
function ofElements(tree: FlatTree, node: number): List | undefined {
  const inside = childrenOf(tree, node).filter(child => !isTagPart(tree, child) && !isBlank(tree, child));
  if (inside.length < 2 || !inside.every(child => isElement(tree, child))) return undefined;
  const items = inside.map(child => ({ start: tree.start[child]!, end: tree.end[child]! }));
  const names = inside.map(child => nameOf(tree, child) ?? '');
  const isObject = new Set(names).size === names.length && !names.every(name => cell.test(name));
  return { node, items, ...(isObject ? { keys: names } : {}), isMarkup: true };
}
const cell = /^t[dh]$/i;

const isBlank = (tree: FlatTree, node: number): boolean =>
  sizeOf(tree, node) === 0 || (!isElement(tree, node) && textOf(tree, node).trim() === '');

/** Where a node is, by the keys above it: the same for `name` of each element of a list. */
export async function placesIn(tree: FlatTree): Promise<Int32Array> {
  const numbers = new Map<string, number>();
  const found = new Int32Array(tree.count);
  for (let node = 0; node < tree.count; node++) {
    const above = tree.parent[node]!;
    const path = `${above < 0 ? '' : found[above]} ${tree.kind[node]} ${nameOf(tree, node) ?? ''}`;
    found[node] = numbers.get(path) ?? numbers.size;
    numbers.set(path, found[node]!);
    if (node % nodesAtOnce === 0) await pauseIfDue();
  }
  return found;
}
