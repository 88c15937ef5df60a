/** The interface of an algorithm, and the ten-line reference driver. */
import type { Configuration } from './configuration.js';
import type { Outcome } from './outcome.js';

/** What a strategy wants next: an answer about a configuration, or nothing more. */
export type Step<Result> =
  | {
      readonly kind: 'ask';
      readonly configuration: Configuration;
      /** A word for this sort of question. The engine learns per word how often such questions fail, to look ahead well. */
      readonly questionKind?: string;
      /** Questions that follow this one whatever its answer is: they can be tested at the same time, without guessing. */
      readonly sure?: readonly Configuration[];
    }
  | { readonly kind: 'done'; readonly result: Result };

/** One row of a transcript in the papers' own terms; see `culprit explain`. */
export interface Explanation {
  /** The granularity n, if the algorithm has one. */
  readonly n?: number;
  /** What is tested, in the paper's notation: Δ1, ∇2, c✓ ∪ Δ1 … */
  readonly part?: string;
  /** What follows from the answer: `reduce to complement, n = 3`. */
  readonly rule?: string;
}

/** What is left of a search. */
export interface Progress {
  /** How many deltas are not decided yet. */
  readonly left: number;
  /** What is left is the proof: each of these deltas is tried once more. */
  readonly proof?: true;
}

/**
 * An algorithm as a value and three pure functions: it asks, it never runs anything. No clock, no randomness outside
 * the state, no I/O. States are plain data that survive JSON, and an old state stays valid after `answer`: the engine may
 * copy one, try an answer on it and test ahead.
 */
export interface Strategy<State, Result = Configuration> {
  readonly name: string;
  /** A pass and an unresolved test mean the same to it, so the engine need not predict both. */
  readonly twoValued?: boolean;
  /** It finishes only when no single delta of its result can be removed. */
  readonly proves?: boolean;
  start(all: Configuration): State;
  /** The same state gives the same step, always. */
  next(state: State): Step<Result>;
  /** A new state; the old one stays valid. */
  answer(state: State, outcome: Outcome): State;
  /** The smallest failing configuration known in this state: what a run that is stopped here can show. */
  best(state: State): Configuration;
  /** The largest passing configuration known in this state, for a strategy that works from both sides. */
  passing?(state: State): Configuration;
  /** How far the search is; for people who wait. */
  progress?(state: State): Progress;
  /** The row that a transcript shows for this question and answer. */
  explain?(state: State, outcome: Outcome): Explanation;
}

export interface Answer {
  readonly configuration: Configuration;
  readonly outcome: Outcome;
}

/**
 * The reference driver: ten lines that define what every other driver must agree with.
 *
 * @example
 * ```ts
 * const needs = configuration => (has(configuration, 2) && has(configuration, 6) ? 'fail' : 'pass');
 * runInOrder(ddmin(), all(8), needs).result; // → [2, 3, 6, 7]
 * ```
 */
export function runInOrder<State, Result>(
  strategy: Strategy<State, Result>,
  all: Configuration,
  test: (configuration: Configuration) => Outcome,
): { readonly result: Result; readonly transcript: readonly Answer[] } {
  const transcript: Answer[] = [];
  let state = strategy.start(all);
  for (;;) {
    const step = strategy.next(state);
    if (step.kind === 'done') return { result: step.result, transcript };
    const outcome = test(step.configuration);
    transcript.push({ configuration: step.configuration, outcome });
    state = strategy.answer(state, outcome);
  }
}
