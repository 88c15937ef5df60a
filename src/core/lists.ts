/** Lists: by key, and of any length. */

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

/**
 * Puts values at the end of a list of any length. As arguments of `push`, a hundred thousand of them overflow the stack.
 *
 * @example
 * ```ts
 * const words = ['to'];
 * addAll(words, ['be', 'or']);
 * words; // → ['to', 'be', 'or']
 * ```
 */
export function addAll<Value>(list: Value[], more: Iterable<Value>): void {
  for (const value of more) list.push(value);
}

/**
 * The least of any number of numbers; `Infinity` if there are none.
 *
 * @example
 * ```ts
 * [leastOf([3, 1, 2]), leastOf([])]; // → [1, Infinity]
 * ```
 */
export function leastOf(numbers: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY;
  for (const number of numbers) found = Math.min(found, number);
  return found;
}

/**
 * The greatest of any number of numbers; `-Infinity` if there are none.
 *
 * @example
 * ```ts
 * [greatestOf([3, 1, 2]), greatestOf([])]; // → [3, -Infinity]
 * ```
 */
export function greatestOf(numbers: Iterable<number>): number {
  let found = Number.NEGATIVE_INFINITY;
  for (const number of numbers) found = Math.max(found, number);
  return found;
}
