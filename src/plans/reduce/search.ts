/** The search of `reduce`, as a run makes it and as `verify` replays it: both must take the same steps. */
import type { Artifact } from '../../core/artifact.js';
import type { Test } from '../../core/index.js';
import type { Event } from '../../engine/index.js';
import { identifyIgnoringWhitespace } from '../../sources/files.js';
import { listStrategy } from '../../strategies/registry.js';
import { confirmations } from '../confirm.js';
import type { Pass } from '../pass.js';
import { type Simplified, type SimplifyOptions, simplify } from '../simplify.js';
import { passesForExecuted, type WatchedRuns } from './executed.js';
import type { ReduceOptions } from './passes.js';

/** The passes with the algorithm that the user chose, if any. */
export const passesBy = (strategy: string | undefined, passes: readonly Pass<Artifact>[]): readonly Pass<Artifact>[] =>
  strategy === undefined ? passes : passes.map(pass => ({ ...pass, strategy: () => listStrategy(strategy) }));

/** The passes of one search, and before them those for an input that is executed. */
export async function passesWithCoverage(
  passes: readonly Pass<Artifact>[],
  original: Artifact,
  options: ReduceOptions,
  runs: WatchedRuns | undefined,
): Promise<readonly Pass<Artifact>[]> {
  if (!runs || options.by !== undefined || options.level === 'lexical') return passes;
  const { coverage } = runs;
  return passesForExecuted(passes, original, options, options.values === false ? { coverage } : runs);
}

export const searchSmaller = (
  whole: Artifact,
  passes: readonly Pass<Artifact>[],
  test: Test<Artifact>,
  options: SimplifyOptions<Artifact>,
): AsyncGenerator<Event, Simplified<Artifact>> =>
  simplify(whole, passes, test, { confirm: confirmations, ...options, identifyIgnoringWhitespace });
