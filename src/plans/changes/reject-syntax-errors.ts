/** Leaves out candidates of `changes` that do not parse. */
import type { Changes } from '../../circumstances/changes/changes.js';
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
  return {
    ...changes,
    build(configuration) {
      const artifact = changes.build(configuration);
      return artifact && fits(artifact) ? artifact : undefined;
    },
  };
}
