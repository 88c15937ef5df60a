/** What is said if a command line has nothing to run. */
import { UserError } from './user-error.js';

/** `example`: a command line that has. */
export const noCommand = (example: string): UserError =>
  new UserError('No command to run. Put it after `--`.', `For example: ${example}`);
