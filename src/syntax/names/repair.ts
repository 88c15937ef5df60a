/** Repairs a reference when its declaration is removed. */

import type { Span } from '../edit.js';
import { childrenOf, type FlatTree, fieldOf, grammarAt, is } from '../flat-tree.js';
import { canReplace } from '../parse-table.js';
import { type Removal, removals } from '../removals.js';
import { cut, put } from '../text-cut.js';
import type { Binding } from './bindings.js';

/** How a reference is fixed when what it refers to is removed: it is removed too, or it gets a default value. */
export type RemovalTable = ReadonlyMap<number, Removal>;
export const removalTable = (tree: FlatTree): RemovalTable => new Map(removals(tree).map(one => [one.node, one]));

export const isListed = (tree: FlatTree, node: number): boolean => is(tree, node, 'listed');

/** What must be removed with the leaf: the smallest removable node around it, or the statement that contains it. */
export function removalAround(tree: FlatTree, table: RemovalTable, leaf: number, statement: boolean): Span | undefined {
  for (let node = callAround(tree, leaf), up = 0; node > 0 && up < 40; node = tree.parent[node]!, up++) {
    const removal = table.get(node);
    if (removal === undefined || (statement && !isListed(tree, node))) continue;
    return cut(tree.text, removal.start, removal.end);
  }
  return undefined;
}

const leading = new Set(['name', 'declarator', 'pattern', 'alias', 'left', 'key']);

/** The parent means nothing without this child: `let` without its only declarator, `template<…>` without its class. */
function isAllOf(tree: FlatTree, table: RemovalTable, parent: number, child: number): boolean {
  if (parent <= 0 || !table.has(parent) || !isListed(tree, parent)) return false;
  if (is(tree, parent, 'declarationWrapper')) return true;
  const alike = childrenOf(tree, parent).filter(one => tree.kind[one] === tree.kind[child]);
  if (alike.length > 1) return false;
  return is(tree, parent, 'importing') || is(tree, child, 'declaring');
}

/** The node, or what means nothing without it. */
export function withWrappers(tree: FlatTree, table: RemovalTable, node: number): number {
  let whole = node;
  while (isAllOf(tree, table, tree.parent[whole]!, whole)) whole = tree.parent[whole]!;
  return whole;
}

/** The removable nodes that declare the name. */
export function declarationSpans(tree: FlatTree, table: RemovalTable, binding: Binding): Span[] | undefined {
  const spans: Span[] = [];
  for (const leaf of binding.definitions) {
    let node = leaf;
    while (leading.has(fieldOf(tree, node)) && tree.parent[node]! > 0) node = tree.parent[node]!;
    if (node === leaf && tree.parent[leaf]! > 0 && !table.has(leaf)) node = tree.parent[leaf]!;
    while (node > 0 && !table.has(node)) node = tree.parent[node]!;
    const removal = table.get(withWrappers(tree, table, node));
    if (removal === undefined) return undefined;
    spans.push(cut(tree.text, removal.start, removal.end));
  }
  return spans;
}

/** The use becomes 0, or something else that is allowed there; if nothing is, it is removed. */
export function toDefaultValue(tree: FlatTree, table: RemovalTable, use: number): Span | undefined {
  const { symbols, language } = grammarAt(tree, use);
  if (symbols === undefined) return removalAround(tree, table, use, false);
  const place = callAround(tree, use);
  for (const [kind, value] of language.defaults)
    if (symbols(kind).some(symbol => canReplace(tree, place, symbol)))
      return put(tree.text, tree.start[place]!, tree.end[place]!, value);
  return removalAround(tree, table, use, false);
}

/** The whole call, instantiation or access, if the use is the start of one: `f(x).y` for `f`. */
export function callAround(tree: FlatTree, use: number): number {
  let node = use;
  while (
    tree.parent[node]! > 0 &&
    tree.start[tree.parent[node]!] === tree.start[node] &&
    is(tree, tree.parent[node]!, 'access')
  )
    node = tree.parent[node]!;
  return node;
}
