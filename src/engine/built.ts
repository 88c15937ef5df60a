/** Keeps the artifacts of the newest questions, so that each is built only once. */
import { type Circumstance, type Configuration, key } from '../core/index.js';

/** Lookahead asks about a few dozen questions repeatedly. */
const mostHeld = 256;
/** How many are kept in addition to the current artifact and those under test. */
const mostBytes = 32 * 1024 * 1024;

/** `measure`: an artifact may be a hundred megabytes; without this, only the newest few are kept. */
export function buildOnce<Artifact>(
  circumstance: Circumstance<Artifact>,
  measure: ((artifact: Artifact) => number) | undefined,
) {
  const newest = new Map<string, { readonly artifact: Artifact | undefined; readonly bytes: number }>();
  let held = 0;
  let present: { readonly deltas: string; readonly artifact: Artifact | undefined } | undefined;
  const build = (configuration: Configuration): Artifact | undefined => {
    const deltas = key(configuration);
    if (present?.deltas === deltas) return present.artifact;
    const known = newest.get(deltas);
    if (known) return known.artifact;
    const artifact = circumstance.build(configuration);
    const bytes = artifact === undefined ? 0 : measure ? measure(artifact) : mostBytes / 8;
    newest.set(deltas, { artifact, bytes });
    held += bytes;
    for (const [old, { bytes: freed }] of newest) {
      if (newest.size <= 1 || (newest.size <= mostHeld && held <= mostBytes)) break;
      newest.delete(old);
      held -= freed;
    }
    return artifact;
  };
  return {
    build,
    /** The current question: its artifact is kept until the next one. */
    ask(configuration: Configuration): void {
      const deltas = key(configuration);
      if (present?.deltas !== deltas) present = { deltas, artifact: build(configuration) };
    },
  };
}
