/** Reads a large input while its first run is under way: parsing it takes as long as a test. */
import type { Artifact } from '../../core/artifact.js';
import type { Circumstance } from '../../core/index.js';
import type { Pass } from '../pass.js';

type Offer = Promise<Circumstance<Artifact> | undefined>;

export interface Begun {
  /** The same passes. What was computed early is there when the search asks for it. */
  readonly passes: readonly Pass<Artifact>[];
  /** Computes what the first of them offers for the original, in turns of the event loop. */
  begin(): void;
}

export function beginEarly(passes: readonly Pass<Artifact>[], original: Artifact): Begun {
  const offers = new Map<Pass<Artifact>, Offer>();
  const offered = (pass: Pass<Artifact>): Offer => {
    let offer = offers.get(pass);
    if (!offer) offers.set(pass, (offer = Promise.resolve(pass.over(original))));
    return offer;
  };
  const isBegun = (pass: Pass<Artifact>) => (pass.early || pass.opens) && !pass.afterFirstRun;
  const begin = async () => {
    for (const pass of passes) if (isBegun(pass) && (await offered(pass))) return;
  };
  const early = passes.map(pass => ({
    ...pass,
    async over(artifact, rough, place) {
      if (artifact === original && !rough && isBegun(pass)) return offered(pass);
      // The original will not be needed again.
      if (artifact !== original) offers.clear();
      return pass.over(artifact, rough, place);
    },
  })) satisfies readonly Pass<Artifact>[];
  // An error is found again by the search.
  return { passes: early, begin: () => void begin().catch(() => {}) };
}
