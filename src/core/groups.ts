/** Things that belong together, directly or through others. */

/**
 * Cuts a list into groups. Everything in one of `sets` belongs together; what is in none of them is alone. The order stays.
 *
 * @example
 * ```ts
 * joined(['a', 'b', 'c', 'd'], [['a', 'c'], ['c', 'd']]); // → [['a', 'c', 'd'], ['b']]
 * ```
 */
export function joined<One>(all: readonly One[], sets: readonly (readonly One[])[]): One[][] {
  const above = new Map<One, One>();
  const rootOf = (one: One): One => {
    let root = one;
    for (let next = above.get(root); next !== undefined; next = above.get(root)) root = next;
    return root;
  };
  for (const [first, ...others] of sets)
    for (const other of others) if (rootOf(other) !== rootOf(first!)) above.set(rootOf(other), rootOf(first!));
  const groups = new Map<One, One[]>();
  for (const one of all) groups.set(rootOf(one), [...(groups.get(rootOf(one)) ?? []), one]);
  return [...groups.values()];
}
