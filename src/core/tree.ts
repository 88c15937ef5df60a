/** Trees of deltas, stored as a list of parents. */
import { type Configuration, deltasOf, of } from './configuration.js';
import { addTo } from './lists.js';
import type { Partition } from './partition.js';

/** Each delta's parent, −1 for a root. A parent has a smaller number than its children, and subtrees are contiguous (preorder). */
export type Parents = ArrayLike<number>;

/**
 * Depth of every delta; roots have depth 0.
 *
 * @example
 * ```ts
 * depths([-1, 0, 1, 0]); // → [0, 1, 2, 1]
 * ```
 */
export function depths(parents: Parents): readonly number[] {
  const depth: number[] = [];
  for (let delta = 0; delta < parents.length; delta++)
    depth.push(parents[delta]! < 0 ? 0 : depth[parents[delta]!]! + 1);
  return depth;
}

/**
 * These deltas and all below them.
 *
 * @example
 * ```ts
 * subtrees([-1, 0, 1, 0], of([1])); // → [1, 3]
 * ```
 */
export function subtrees(parents: Parents, roots: Configuration): Configuration {
  const inside = new Uint8Array(parents.length);
  for (const root of deltasOf(roots)) inside[root] = 1;
  const result: number[] = [];
  for (let delta = 0; delta < parents.length; delta++) {
    if (parents[delta]! >= 0 && inside[parents[delta]!]) inside[delta] = 1;
    if (inside[delta]) result.push(delta);
  }
  return of(result);
}

/**
 * Whether every delta's parent is there too: an infeasible configuration is unresolved and costs no test.
 *
 * @example
 * ```ts
 * isClosed([-1, 0, 1, 0], of([0, 3])); // → true
 * isClosed([-1, 0, 1, 0], of([0, 2])); // → false
 * ```
 */
export function isClosed(parents: Parents, configuration: Configuration): boolean {
  const there = new Set(deltasOf(configuration));
  for (const delta of there) if (parents[delta]! >= 0 && !there.has(parents[delta]!)) return false;
  return true;
}

/**
 * n parts along the tree, as the lecture's "Syntactical Simplification" table cuts them: siblings fall into two groups of
 * nearly equal weight, each gets half of the parts that are left, and a group that is one subtree opens into its root and
 * its children. A group that is too small for its half leaves the rest to the other.
 *
 * @example
 * ```ts
 * bySubtree([-1, 0, 0, -1, 3])(all(5), 2); // → [[0, 3], [3, 5]]
 * ```
 */
export function bySubtree(parents: Parents): Partition {
  return (configuration, n) => {
    const children = new Map<number, number[]>();
    const weight = new Map<number, number>();
    const deltas = [...deltasOf(configuration)];
    const there = new Set(deltas);
    const roots: number[] = [];
    for (const delta of deltas) {
      const parent = parents[delta]!;
      if (there.has(parent)) addTo(children, parent, delta);
      else roots.push(delta);
    }
    for (const delta of deltas.toReversed())
      weight.set(delta, 1 + (children.get(delta) ?? []).reduce((sum, child) => sum + weight.get(child)!, 0));

    type Unit = { readonly delta: number; readonly whole: boolean };
    const weigh = (unit: Unit) => (unit.whole ? weight.get(unit.delta)! : 1);
    const collect = (units: readonly Unit[]): Configuration => {
      const found: number[] = [];
      const open = units.map(unit => [unit.delta, unit.whole] as const);
      for (let top = open.pop(); top; top = open.pop()) {
        found.push(top[0]);
        if (top[1]) for (const child of children.get(top[0]) ?? []) open.push([child, true]);
      }
      return of(found);
    };
    const split = (units: readonly Unit[], parts: number): readonly Configuration[] => {
      if (parts <= 1) return [collect(units)];
      if (units.length === 1) {
        const { delta } = units[0]!;
        const below = (children.get(delta) ?? []).map(child => ({ delta: child, whole: true }));
        return split([{ delta, whole: false }, ...below], parts);
      }
      const total = units.reduce((sum, unit) => sum + weigh(unit), 0);
      let cut = 1;
      for (let i = 1, running = 0; i < units.length; i++) {
        running += weigh(units[i - 1]!);
        const best = units.slice(0, cut).reduce((sum, unit) => sum + weigh(unit), 0);
        if (Math.abs(running - total / 2) < Math.abs(best - total / 2)) cut = i;
      }
      const left = units.slice(0, cut);
      const right = units.slice(cut);
      const room = (group: readonly Unit[]) => group.reduce((sum, unit) => sum + weigh(unit), 0);
      const first = Math.min(room(left), Math.max(Math.floor(parts / 2), parts - room(right)));
      return [...split(left, first), ...split(right, parts - first)];
    };
    const units = roots.map(delta => ({ delta, whole: true }));
    return deltas.length === 0 ? [] : split(units, Math.min(n, deltas.length));
  };
}
