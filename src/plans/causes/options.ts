/** `--all` and `--limit`: the options of every job that can list all causes of a failure. */
import { cannotCombine } from '../../core/cannot-combine.js';
import { UserError } from '../../core/index.js';

export interface AllOptions {
  readonly all?: boolean;
  readonly limit?: number;
}

/** More causes than anyone reads, and few enough to find in reasonable time. */
export const defaultLimit = 100;

/** `others`: options that conflict with --all. */
export function checkAll(options: AllOptions, others: Readonly<Record<string, unknown>> = {}): void {
  if (options.limit !== undefined && !options.all)
    throw new UserError('--limit sets how many causes are enough, and needs --all.', 'Add --all, or drop --limit.');
  const clash = Object.keys(others).find(name => others[name] !== undefined && others[name] !== false);
  if (options.all && clash !== undefined) throw cannotCombine('--all', clash, 'Run culprit once with each of them.');
}
