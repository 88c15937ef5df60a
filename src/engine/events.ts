/** The events of a run: everything visible (terminal, page, journal, library) is made from them. */
import type { Configuration, Outcome } from '../core/index.js';

export type Ended = 'done' | 'budget' | 'interrupted';

export interface Size {
  readonly bytes?: number;
  readonly deltas: number;
}

/** What happened so far, in numbers. */
export interface Counts {
  /** Questions that were answered, in the order of the strategy: the transcript's length. */
  readonly tests: number;
  /** Questions that needed a test: `tests` = `executed` + `cached`, on any number of workers. */
  readonly executed: number;
  /** Questions whose answer was already known, or that need no test. */
  readonly cached: number;
  readonly unresolved: number;
  /** Tests that were run ahead and never used. */
  readonly speculative: number;
}

/**
 * Progress as facts. Terminal lines, journal, report page and library users all read these and nothing else.
 * Everything but `speculative` and `seconds` is the same on any number of workers.
 */
export type Event =
  | {
      readonly type: 'began';
      readonly job: string;
      readonly before: Size;
      /** The failure to reproduce, in words. */
      readonly signature?: string;
      /** The failure rule, in words: `fail = exits with 1 and prints …`. */
      readonly rule?: string;
      readonly command?: string;
    }
  | {
      /** A circumstance over the current artifact begins. */
      readonly type: 'pass';
      readonly pass: string;
      readonly round: number;
      readonly deltas: number;
      readonly strategy: string;
      readonly bytes?: number;
    }
  | {
      readonly type: 'answered';
      /** The number of this question in the whole run, from 1. */
      readonly step: number;
      readonly configuration: Configuration;
      readonly outcome: Outcome;
      /** The answer was known from an earlier question: nothing was run for it. */
      readonly known: boolean;
      readonly bytes?: number;
      readonly n?: number;
      readonly part?: string;
      readonly rule?: string;
      readonly reason?: string;
      /** How many deltas of the pass were still undecided when this question was asked. */
      readonly left?: number;
      /** Only the proof is left. */
      readonly proof?: boolean;
    }
  | {
      /** A smaller artifact that fails in the same way. */
      readonly type: 'reduced';
      readonly step: number;
      readonly size: Size;
    }
  | {
      readonly type: 'noticed';
      readonly what: 'other failure' | 'note' | 'cause';
      readonly text: string;
      readonly path?: string;
      /** The deltas that it is about. */
      readonly configuration?: Configuration;
    }
  | {
      readonly type: 'ended';
      readonly ended: Ended;
      /** What was proven: the names of the circumstances in which no single delta can be removed. */
      readonly minimal: readonly string[];
      readonly size: Size;
      readonly counts: Counts;
      readonly seconds: number;
      /** The end as a sentence, if the result is not something smaller. */
      readonly sentence?: string;
    };
