/** What jobs that read files and folders check and report about their input. */
import { UserError } from '../core/index.js';
import type { Given } from '../sources/files.js';
import type { Context } from './job.js';

/** A command that reads its standard input reads one file. */
export function demandStdin({ stdin }: { readonly stdin?: boolean }, given: readonly Given[]): void {
  if (!stdin || (given.length === 1 && !given[0]!.folder)) return;
  throw new UserError(
    '--stdin passes one file to the command, but the input has more.',
    'Remove --stdin, and use {} or the names of the files in the command.',
  );
}

const fewNames = 3;

/** A command may need excluded files, so a message names them and the option that includes them. */
export function noteLeftOut(leftOut: readonly string[], { say }: Context): void {
  if (leftOut.length === 0) return;
  const more = leftOut.length > fewNames ? ` and ${leftOut.length - fewNames} more` : '';
  say(
    `Left out of the input: ${leftOut.slice(0, fewNames).join(', ')}${more} (.gitignore or --exclude; to add some, use --include).`,
  );
}
