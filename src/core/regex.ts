/** Reads a regular expression that a user typed. */
import { UserError } from './user-error.js';

export function readRegex(text: string, name: string): RegExp {
  try {
    return new RegExp(text);
  } catch (error) {
    throw new UserError(
      `${name} is not a regular expression: ${(error as Error).message}.`,
      'Put a backslash before special characters to match them literally.',
    );
  }
}
