/** Leaves out candidates of `changes` that do not parse. */
import type { Changes } from '../../../circumstances/changes/changes.js';
import { enclosing } from '../../../circumstances/changes/functions.js';
import { linesOf } from '../../../circumstances/changes/lines.js';
import type { Place } from '../../../circumstances/changes/needs/complaints.js';
import { type Configuration, key } from '../../../core/index.js';
import { syntaxErrorFinder } from '../../parse-guard.js';

export interface Checked extends Changes {
  /** Where the syntax error is because of which a candidate can't be built. */
  syntaxErrorIn(configuration: Configuration): Place | undefined;
}

/**
 * The same changes, but a candidate with a syntax error in a file that has none in either version can't be built: it is
 * unresolved, as it would be if it were run, and no test is spent on it.
 */
export async function rejectSyntaxErrors(changes: Changes): Promise<Checked> {
  const mixed = changes.files
    .filter(({ hunks }) => hunks.length > 0)
    .map(({ oldPath, newPath, old, new: now }) => ({
      paths: [oldPath, newPath].filter(path => path !== undefined),
      ends: [old, now] as const,
    }));
  const find = await syntaxErrorFinder(mixed);
  /** A search asks about the same candidates in several passes, and to parse takes longer than to remember. */
  const refused = new Map<string, Place>();
  return {
    ...changes,
    syntaxErrorIn: configuration => refused.get(key(configuration)),
    build(configuration) {
      const name = key(configuration);
      const artifact = refused.has(name) ? undefined : changes.build(configuration);
      const error = artifact && find?.(artifact);
      if (!error) return artifact;
      const entry = artifact.files.get(error.path);
      const around = entry?.kind === 'file' ? enclosing(linesOf(entry.bytes), error.line - 1)?.name : undefined;
      refused.set(name, { ...error, ...(around === undefined ? {} : { around }) });
      return undefined;
    },
  };
}
