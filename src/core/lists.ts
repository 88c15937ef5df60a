/** Lists by key: what has the same key is kept together, in the order in which it came. */

/**
 * Puts a value at the end of the key's list.
 *
 * @example
 * ```ts
 * const byLength = new Map<number, string[]>();
 * for (const word of ['to', 'or', 'not']) addTo(byLength, word.length, word);
 * [...byLength]; // → [[2, ['to', 'or']], [3, ['not']]]
 * ```
 */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [value]);
  else known.push(value);
}
