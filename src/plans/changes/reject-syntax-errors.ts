/** Leaves out candidates of `changes` that do not parse. */
import type { Changes } from '../../circumstances/changes/changes.js';
import { key } from '../../core/index.js';
import { parseGuard } from '../parse-guard.js';

/**
 * The same changes, but a candidate with a syntax error in a file that has none in either version can't be built: it is
 * unresolved, as it would be if it were run, and no test is spent on it.
 */
export async function rejectSyntaxErrors(changes: Changes): Promise<Changes> {
  const mixed = changes.files
    .filter(({ hunks }) => hunks.length > 0)
    .map(({ oldPath, newPath, old, new: now }) => ({
      paths: [oldPath, newPath].filter(path => path !== undefined),
      ends: [old, now] as const,
    }));
  const fits = await parseGuard(mixed);
  if (!fits) return changes;
  /** A search asks about the same candidates in several passes, and to parse takes longer than to remember. */
  const refused = new Set<string>();
  return {
    ...changes,
    build(configuration) {
      const name = key(configuration);
      const artifact = refused.has(name) ? undefined : changes.build(configuration);
      if (artifact && fits(artifact)) return artifact;
      refused.add(name);
      return undefined;
    },
  };
}
