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

/** `auto`, `off`, or a rate. */
export function flakiness(text: string): 'auto' | 'off' | number {
  if (text === 'auto' || text === 'off') return text;
  const rate = Number(text);
  if (text.trim() === '' || !(rate >= 0.01 && rate <= 1))
    throw new UserError(
      `--flaky ${text} is neither auto nor off nor a rate between 0.01 and 1.`,
      'For example: --flaky 0.7, for a failure that shows in 7 of 10 runs.',
    );
  return rate;
}

export function confidence(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0.5 && value <= 0.999999))
    throw new UserError(`--confidence ${text} is not between 0.5 and 0.999999.`, 'For example: --confidence 0.99.');
  return value;
}
