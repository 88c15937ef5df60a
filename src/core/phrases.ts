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

/**
 * A number with its thousands apart. Not `toLocaleString`: its first call loads 20 ms of locale data, in every run.
 *
 * @example
 * ```ts
 * [grouped(987), grouped(1234567)]; // → ['987', '1,234,567']
 * ```
 */
export const grouped = (value: number): string => `${Math.round(value)}`.replace(/\B(?=(\d{3})+$)/g, ',');
