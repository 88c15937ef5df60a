/** How often functions and classes are defined under the same name in the same place. */
import { childAt, type FlatTree, is, isNamed, textOf } from './flat-tree.js';
import { isFunction } from './functions.js';

/** By name and place: the names of what is around it, from the outside. */
export function definitionCounts(tree: FlatTree): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  /** The places that are open: where they end, and how they are called. */
  const open: { readonly past: number; readonly path: string }[] = [];
  for (let node = 1; node < tree.count; node++) {
    while (open.length > 0 && open.at(-1)!.past <= node) open.pop();
    const name = definedAt(tree, node);
    if (name === undefined) continue;
    const path = `${open.at(-1)?.path ?? ''} ${name}`;
    counts.set(path, (counts.get(path) ?? 0) + 1);
    open.push({ past: tree.past[node]!, path });
  }
  return counts;
}

function definedAt(tree: FlatTree, node: number): string | undefined {
  if (!isNamed(tree, node) || !(isFunction(tree, node) || is(tree, node, 'class'))) return undefined;
  const name = childAt(tree, node, 'name') ?? childAt(tree, node, 'declarator');
  return name === undefined ? undefined : textOf(tree, name);
}
