/** When all names of a declaration go, the words around them must go too: `var ;` and `from a import` are errors. */
import type { Span } from '../edit.js';
import { childrenOf, type FlatTree, is, isNamed } from '../flat-tree.js';
import { cut } from '../text-cut.js';
import { type RemovalTable, withWrappers } from './repair.js';

/** A statement of which nothing is left but these words. */
export interface EmptiedStatement<Removed> {
  readonly span: Span;
  /** What empties it. */
  readonly by: readonly Removed[];
}

/** The statements that hold a list of names, all of which are removed, by more than one removal. */
export function emptiedStatements<Removed extends { readonly spans: readonly Span[] }>(
  tree: FlatTree,
  table: RemovalTable,
  removed: readonly Removed[],
): readonly EmptiedStatement<Removed>[] {
  const owners = new Int32Array(tree.text.length + 1);
  removed.forEach(({ spans }, i) => {
    for (const { start, end } of spans) owners.fill(i + 1, start, end);
  });
  const ownerOf = (node: number): number => owners[tree.start[node]!]!;
  return [...table.keys()].flatMap((node): EmptiedStatement<Removed>[] => {
    if (!is(tree, node, 'listed') || ownerOf(node) > 0) return [];
    const found = namesIn(tree, node).map(ownerOf);
    if (found.length < 2 || found.includes(0)) return [];
    const { start, end } = table.get(withWrappers(tree, table, node))!;
    return [{ span: cut(tree.text, start, end), by: [...new Set(found)].map(owner => removed[owner - 1]!) }];
  });
}

/** The children that commas stand between. */
function namesIn(tree: FlatTree, statement: number): readonly number[] {
  const children = childrenOf(tree, statement);
  const isComma = (at: number): boolean => children[at] !== undefined && tree.text[tree.start[children[at]!]!] === ',';
  return children.filter((child, i) => isNamed(tree, child) && (isComma(i - 1) || isComma(i + 1)));
}
