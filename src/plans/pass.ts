/** The interface of a pass. */
import type { Circumstance, Configuration, Strategy } from '../core/index.js';

/** One way to look at an artifact: which deltas it has now, and how they are searched. */
export interface Pass<Artifact> {
  /** Its own name, for events and the page: `lines`, `hoist`, `declarations with uses`. */
  readonly name: string;
  /** What is proven when it finds nothing more, as the result says it: `line`, `node`. Passes may share one. */
  readonly proves?: string;
  /** The circumstance over the artifact as it is now; `undefined` where the pass has nothing to offer. */
  over(
    artifact: Artifact,
    rough?: boolean,
  ): Circumstance<Artifact> | undefined | Promise<Circumstance<Artifact> | undefined>;
  /** The search. `thorough`: nothing is left untried; else it may give way when it finds nothing. */
  strategy?(circumstance: Circumstance<Artifact>, thorough: boolean): Strategy<unknown, Configuration>;
  /** It asks a test for nearly every part, so it waits until the artifact is no larger than this, or others find nothing more. */
  readonly largest?: number;
  /** Of a larger artifact it offers, as long as that helps, only what takes much away: there is less to ask for then. */
  readonly rough?: number;
  /** It makes room for the others: it takes part only in the first stage, and at once again where it took half away. */
  readonly early?: boolean;
  /** It seldom finds what others leave, and asks for much: it waits until the others find nothing more. */
  readonly late?: boolean;
  /** A last resort that proves nothing: once it found nothing, it waits until the artifact is smaller. */
  readonly lastResort?: boolean;
  /** Blank space means nothing to it: until the last proof it does not look again where only that went. */
  readonly blind?: boolean;
  /** The deltas of its result are those of its input that remained: a finished search holds for the result as it is. */
  readonly stable?: boolean;
}
