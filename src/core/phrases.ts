/** Small pieces of sentences that many messages have in common. */

/**
 * A number with its noun.
 *
 * @example
 * ```ts
 * [counted(1, 'test'), counted(12, 'test')]; // → ['1 test', '12 tests']
 * ```
 */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/**
 * The words as the beginning of a sentence.
 *
 * @example
 * ```ts
 * capital('the result'); // → 'The result'
 * ```
 */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
