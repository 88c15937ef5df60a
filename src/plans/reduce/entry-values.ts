/** The values in what starts a program, before anything of it is left out. */
import { inFiles } from '../../circumstances/files.js';
import type { Artifact } from '../../core/artifact.js';
import type { Pass } from '../pass.js';
import { entriesIn, type LastRun, textsOf } from './entries.js';
import { allAtOnce } from './large-text.js';
import { partsIn } from './parts.js';
import type { RunWithValues } from './seen-values.js';
import type { ReduceOptions } from './text-passes.js';

/**
 * A script that prints what a library computes needs all of the library, and nearly all of its own statements. If it has the value, it needs neither. Only
 * its own expressions report, so the run takes no longer than a test, and there are few of them.
 */
export function entryValues(run: RunWithValues, options: ReduceOptions, last: () => LastRun): Pass<Artifact> {
  let seen: string | undefined;
  const isNew = (artifact: Artifact, entries: readonly string[]): boolean =>
    entries.length > 0 && textsOf(artifact, entries) !== seen;
  return {
    name: 'values of what starts it',
    early: true,
    isObserved: true,
    needsRun: artifact => isNew(artifact, entriesIn(artifact, last().loaded)),
    async over(artifact) {
      const entries = entriesIn(artifact, last().loaded);
      if (!isNew(artifact, entries)) return undefined;
      seen = textsOf(artifact, entries);
      const values = await run(artifact, new Set(entries), 'what starts it');
      const parts = await partsIn(
        artifact,
        path => values[path] !== undefined,
        options,
        (structure, path) => structure.seenValues(values[path]!, 'others'),
      );
      return parts.length === 0 ? undefined : inFiles(artifact, 'value', parts);
    },
    strategy: allAtOnce,
  };
}
