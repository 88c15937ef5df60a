/** Parsers for option values. */
import { UserError } from '../core/index.js';

/** Turns an option's text into a number, or says what was expected. */
export const number =
  (name: string, { least = 1, whole = true }: { readonly least?: number; readonly whole?: boolean } = {}) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value) || value < least || (whole && !Number.isInteger(value)))
      throw new UserError(
        `${name} ${text} is not a ${whole ? 'whole ' : ''}number of at least ${least}.`,
        `For example: ${name} ${Math.max(least, 4)}.`,
      );
    return value;
  };

/** For options that may be repeated. */
export const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];
