/** Lifts deltas over arguments to deltas over a whole artifact. */
import type { Artifact } from '../../core/artifact.js';
import type { Circumstance } from '../../core/index.js';

export function overArgs(circumstance: Circumstance<readonly string[]>, artifact: Artifact): Circumstance<Artifact> {
  return {
    ...circumstance,
    build(configuration) {
      const args = circumstance.build(configuration);
      return args && { ...artifact, args };
    },
  };
}
