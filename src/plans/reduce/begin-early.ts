/** Reads a large input while its first run is under way: parsing it takes as long as a test. */
import type { Artifact } from '../../core/artifact.js';
import type { Circumstance } from '../../core/index.js';
import type { Pass } from '../pass.js';

type Offer = Promise<Circumstance<Artifact> | undefined>;

/**
 * The same passes. What the first of them offers for the original is computed from now on, in turns of the event loop, and
 * is there when the search asks for it.
 */
export function beginEarly(passes: readonly Pass<Artifact>[], original: Artifact): readonly Pass<Artifact>[] {
  const offers = new Map<Pass<Artifact>, Offer>();
  const offered = (pass: Pass<Artifact>): Offer => {
    let offer = offers.get(pass);
    if (!offer) offers.set(pass, (offer = Promise.resolve(pass.over(original))));
    return offer;
  };
  const begin = async () => {
    for (const pass of passes) if ((pass.early || pass.opens) && (await offered(pass))) return;
  };
  // An error is found again by the search.
  begin().catch(() => {});
  return passes.map(pass => ({
    ...pass,
    async over(artifact, rough, place) {
      if (artifact === original && !rough && (pass.early || pass.opens)) return offered(pass);
      // The original will not be needed again.
      if (artifact !== original) offers.clear();
      return pass.over(artifact, rough, place);
    },
  }));
}
