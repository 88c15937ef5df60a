/**
 * Pairs functions that two versions of a text export under the same name. That says what they are, whatever they are called inside: in a bundle, the name of
 * one may be that of a function from another module in the other version.
 */
import { type FlatTree, grammarAt } from '../flat-tree.js';
import { isFunction } from '../functions.js';
import type { NamedFunction } from './renamed-functions.js';

type FunctionPair = readonly [old: number, now: number];

/** `olds`, `news`: functions with the names of the variables that stand for them. A pair with the same name on both sides is left out. */
export function exportedFunctions(
  old: FlatTree,
  now: FlatTree,
  olds: readonly NamedFunction[],
  news: readonly NamedFunction[],
): readonly FunctionPair[] {
  const [before, after] = [variablesOf(old), variablesOf(now)];
  const others = [...after].filter(([name, variable]) => (before.get(name) ?? variable) !== variable);
  if (others.length === 0) return [];
  const [oldAt, newAt] = [outermost(old, olds), outermost(now, news)];
  const taken = new Set<number>();
  const found: FunctionPair[] = [];
  for (const [name, variable] of others) {
    const [a, b] = [oldAt(before.get(name)!), newAt(variable)];
    // One function with two names in one version may be two in the other one.
    if (a === undefined || b === undefined || taken.has(a) || taken.has(-b)) continue;
    taken.add(a).add(-b);
    found.push([a, b]);
  }
  return found;
}

const variablesOf = (tree: FlatTree): ReadonlyMap<string, string> =>
  grammarAt(tree, 0).language.modules?.exports?.variables(tree) ?? new Map();

/** What is exported is not inside another function of the same name; undefined if there are several. */
function outermost(tree: FlatTree, these: readonly NamedFunction[]): (name: string) => number | undefined {
  const found = new Map<string, { readonly depth: number; readonly nodes: number[] }>();
  for (const { node, name } of these) {
    const depth = depthOf(tree, node);
    const known = found.get(name);
    if (!known || depth < known.depth) found.set(name, { depth, nodes: [node] });
    else if (depth === known.depth) known.nodes.push(node);
  }
  return name => {
    const { nodes } = found.get(name) ?? { nodes: [] };
    return nodes.length === 1 ? nodes[0] : undefined;
  };
}

/** How many functions it is in. */
function depthOf(tree: FlatTree, node: number): number {
  let depth = 0;
  for (let at = tree.parent[node]!; at > 0; at = tree.parent[at]!) if (isFunction(tree, at)) depth++;
  return depth;
}
