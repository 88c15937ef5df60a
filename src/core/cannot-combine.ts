/** The message for two options that exclude each other: every command words it the same way. */
import { UserError } from './user-error.js';

/** `one` and `other` as the user typed them: `--match`, `--flaky off`. */
export const cannotCombine = (one: string, other: string, advice = 'Use one of them.'): UserError =>
  new UserError(`${one} and ${other} cannot be combined.`, advice);

/** The name of an option on the command line: `allowHost` is `--allow-host`. */
export const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
