/** Passes over the code that a run did not execute. */
import { alsoFiles, inFiles } from '../../circumstances/files.js';
import { type Artifact, bytesOf } from '../../core/artifact.js';
import type { Circumstance } from '../../core/index.js';
import { mayBeExecuted, mayHoldCode, type Unexecuted } from '../../oracle/coverage/index.js';
import { importOrder } from '../../reductions/text/imports.js';
import { languageOf } from '../../reductions/tree/index.js';
import { identify } from '../../sources/files.js';
import type { Pass } from '../pass.js';
import { isProbedScript } from './compiled.js';
import { entriesIn, type LastRun, textsOf } from './entries.js';
import { allAtOnce, smallText } from './large-text.js';
import { partsIn } from './parts.js';
import { smallestProgram } from './seen-values.js';
import type { ReduceOptions } from './text-passes.js';

/** What a run of an artifact did not execute. Nothing if the artifact is not what is executed. */
export type RunWithCoverage = (artifact: Artifact) => Promise<Unexecuted>;

/**
 * Code that did not run is not needed by what did: the bodies of functions that nothing called, branches that were not taken,
 * files that nothing loaded. All of it is left out in one question. Something may still name a function that is not called,
 * so without coverage each of them would have to wait for what names it. A run is made again when half of what it left is gone:
 * less is executed then.
 */
export function unexecutedPass(run: RunWithCoverage, options: ReduceOptions): Pass<Artifact> {
  /** An artifact of at most this size is run with coverage. */
  let most = Number.POSITIVE_INFINITY;
  const needsRun = (artifact: Artifact): boolean =>
    bytesOf(artifact) > smallestProgram &&
    bytesOf(artifact) <= most &&
    [...artifact.files.keys()].some(path => mayBeExecuted(path) || mayHoldCode(path) || isProbedScript(path));
  return {
    name: 'code that did not run',
    early: true,
    isObserved: true,
    needsRun,
    async over(artifact) {
      if (!needsRun(artifact)) return undefined;
      const circumstance = await withoutIdle(artifact, await run(artifact), options);
      const least = circumstance?.build([]);
      most = least === undefined ? 0 : bytesOf(least) / 2;
      return circumstance;
    },
    strategy: allAtOnce,
  };
}

/** In a large program, a run is worth its time when one part in this many of it is gone. */
const muchLess = 8;

/** The same, as soon as what starts the program has changed, or what computed a value has lost its user. */
export function unexecutedAgain(run: RunWithCoverage, options: ReduceOptions, last: () => LastRun): Pass<Artifact> {
  const needsRun = (artifact: Artifact): boolean => {
    const { loaded, entries, valued, bytes } = last();
    if (loaded.size === 0) return false;
    if (bytesOf(artifact) > smallText && (bytes - bytesOf(artifact)) * muchLess >= bytes) return true;
    if (valued !== undefined && identify(artifact) !== valued) return true;
    const now = entriesIn(artifact, loaded);
    return now.length > 0 && textsOf(artifact, now) !== entries;
  };
  return {
    name: 'code that no longer runs',
    early: true,
    isObserved: true,
    needsRun,
    over: async artifact => (needsRun(artifact) ? withoutIdle(artifact, await run(artifact), options) : undefined),
    strategy: allAtOnce,
  };
}

async function withoutIdle(
  artifact: Artifact,
  idle: Unexecuted,
  options: ReduceOptions,
): Promise<Circumstance<Artifact> | undefined> {
  const loaded = new Set(Object.keys(idle).map(path => languageOf(path)));
  const unloaded = importOrder(artifact).filter(
    path => mayBeExecuted(path) && !idle[path] && loaded.has(languageOf(path)),
  );
  const parts = await partsIn(
    artifact,
    path => idle[path] !== undefined,
    options,
    (structure, path) => structure.unexecuted(idle[path]!),
  );
  return parts.length + unloaded.length === 0
    ? undefined
    : alsoFiles(artifact, inFiles(artifact, 'code', parts), unloaded);
}
