/** Declarations and their uses, as the tree shows them. */
import { addTo } from '../../core/lists.js';
import { childrenOf, type FlatTree, fieldOf, is } from '../flat-tree.js';
import { isIntroduced } from '../introduced.js';
import { names } from './names.js';

/** A thing with a name: the leaves that introduce it and the leaves that refer to it. */
export interface Binding {
  readonly name: string;
  readonly definitions: readonly number[];
  readonly uses: readonly number[];
}

/**
 * Names and scopes as the tree shows them, for languages without a specific analysis. A leaf that is the `name` or
 * `declarator` of its parent introduces the name; if none does, the first leaf does (as in Vulcan). A name that is introduced
 * inside a function or block is looked for only there.
 */
export function bindingsByName(tree: FlatTree): readonly Binding[] {
  const found: Binding[] = [];
  for (const { text, leaves } of names(tree)) {
    const definitions = leaves.filter(leaf => isIntroduced(tree, leaf));
    if (definitions.length === 0) {
      if (leaves.length > 1 || isAssigned(tree, leaves[0]!))
        found.push({ name: text, definitions: [leaves[0]!], uses: leaves.slice(1) });
      continue;
    }
    const taken = new Set<number>();
    // The innermost scopes come first: they claim their leaves before the outer ones do.
    const scopes = new Map<number, number[]>();
    for (const leaf of definitions) {
      const scope = scopeOf(tree, leaf);
      addTo(scopes, scope, leaf);
    }
    for (const [scope, own] of [...scopes].sort((a, b) => b[0] - a[0])) {
      const inside = leaves.filter(
        leaf => leaf >= scope && leaf < tree.past[scope]! && !taken.has(leaf) && !definitions.includes(leaf),
      );
      for (const leaf of inside) taken.add(leaf);
      found.push({ name: text, definitions: own, uses: inside });
    }
  }
  return found;
}

/** Names that are used without a declaration around them, as far as the tree shows. */
export function freeByName(tree: FlatTree): ReadonlySet<string> {
  const settled = new Set<number>();
  for (const { definitions, uses } of bindingsByName(tree))
    if (isIntroduced(tree, definitions[0]!)) for (const leaf of [...definitions, ...uses]) settled.add(leaf);
  return new Set(
    names(tree)
      .filter(({ leaves }) => leaves.some(leaf => !settled.has(leaf)))
      .map(({ text }) => text),
  );
}

/** In many languages, an assignment is all that declares a variable. */
const isAssigned = (tree: FlatTree, leaf: number): boolean =>
  fieldOf(tree, leaf) === 'left' && is(tree, tree.parent[leaf]!, 'assignment');

/** The nearest function or block around the declaration; the root for what a file or class declares. */
export function scopeOf(tree: FlatTree, leaf: number): number {
  let node = tree.parent[leaf]!;
  let names = true;
  for (; node > 0; node = tree.parent[node]!) {
    // A function's own name belongs to the scope around it, its parameters to the function.
    const isFunction = is(tree, node, 'scopedFunction');
    if (isFunction && names && ownName(tree, node) !== leaf) return node;
    if (is(tree, node, 'scopedBlock') && !is(tree, tree.parent[node]!, 'classOrModule')) return node;
    if (isFunction) names = false;
  }
  return 0;
}

/** The leaf that names a declaration, found through the fields that lead to a name. */
export function ownName(tree: FlatTree, node: number): number {
  let at = node;
  for (let down = 0; down < 8; down++) {
    const children = childrenOf(tree, at);
    const next =
      children.find(child => fieldOf(tree, child) === 'name') ??
      children.find(child => fieldOf(tree, child) === 'declarator');
    if (next === undefined) return at === node ? -1 : at;
    at = next;
    if (tree.past[at] === at + 1) return at;
  }
  return -1;
}
