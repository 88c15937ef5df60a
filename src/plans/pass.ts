/** The interface of a pass. */
import type { Circumstance, Configuration, Strategy } from '../core/index.js';
import type { Hints } from './schedule.js';

/** Where a text is, if it is one of several that are searched together. */
export interface Place {
  /** The size of all of them. */
  readonly whole: number;
  /** The size of those after it. */
  readonly behind: number;
}

/** One way to look at an artifact: which deltas it has now, and how they are searched. */
export interface Pass<Artifact> extends Hints {
  /** What is proven when it finds nothing more, as named in the result: `line`, `node`. Passes may share one. */
  readonly proves?: string;
  /** Other passes removed nearly all of what it could remove, so it expects that most deltas are needed. */
  readonly dense?: boolean;
  /** It needs to know how the first run ended, so nothing of it can be computed before. */
  readonly afterFirstRun?: boolean;
  /** It is early, but begins at the end of the list: another pass has tried its halves. */
  readonly isHalved?: boolean;
  /** The circumstance over the artifact as it is now; `undefined` if the pass has nothing to offer. */
  over(
    artifact: Artifact,
    rough?: boolean,
    place?: Place,
  ): Circumstance<Artifact> | undefined | Promise<Circumstance<Artifact> | undefined>;
  /** It helps only if the artifact is read, and not executed. */
  readonly isForReaders?: boolean;
  /** To offer anything for this artifact, a run of its own is needed: nothing is tested ahead beyond it. */
  needsRun?(artifact: Artifact): boolean;
  /**
   * The search. `thorough`: everything is tried; otherwise the pass may stop early if it finds nothing. `price`: what a question
   * must remove on average, because other passes remove as much.
   */
  strategy?(circumstance: Circumstance<Artifact>, thorough: boolean, price?: number): Strategy<unknown, Configuration>;
}
