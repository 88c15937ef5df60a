/** Keeps the artifacts of the newest questions, so that each is built only once. */
import { type Circumstance, type Configuration, key } from '../core/index.js';

/** Looking ahead names some dozen questions again and again. */
const mostHeld = 256;
/** What is held beside the present artifact and those under test. */
const mostBytes = 32 * 1024 * 1024;

/** `measure`: an artifact may have a hundred megabytes; without it, only the newest few are held. */
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
    /** The question that is asked now: its artifact is held until the next one. */
    ask(configuration: Configuration): void {
      const deltas = key(configuration);
      if (present?.deltas !== deltas) present = { deltas, artifact: build(configuration) };
    },
  };
}
