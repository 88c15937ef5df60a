/** Parsers for option values. */
import { UserError } from '../core/index.js';

interface Bounds {
  readonly least?: number;
  readonly most?: number;
  readonly whole?: boolean;
}

/** Turns an option's text into a number, or says what was expected. */
export const number =
  (name: string, { least = 1, most = Infinity, whole = true }: Bounds = {}) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value) || value < least || (whole && !Number.isInteger(value)))
      throw new UserError(
        `${name} ${text} is not a ${whole ? 'whole ' : ''}number of at least ${least}.`,
        `For example: ${name} ${Math.max(least, 4)}.`,
      );
    if (value > most) throw new UserError(`${name} ${text} is more than ${most}.`, `Give a number up to ${most}.`);
    return value;
  };

/** Each test that runs has a folder of its own, which is made at the start. More would take longer to make than to use. */
export const jobs = (least: 0 | 1) => number('--jobs', { least, most: 1000 });

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
