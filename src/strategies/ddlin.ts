/**
 * ddlin: remove one delta at a time while the failure persists.
 * Zeller, "Simplifying Test Cases" (lecture), Linear Simplification. The formula leaves open where to look after a success;
 * the lecture's table continues with the next delta, and so do we. Deltas are tried in a circle until every one that is left
 * has been tried alone against the same configuration: the result is 1-minimal.
 */
import { type Configuration, isEmpty, minus, type Outcome, type Strategy, size, slice } from '../core/index.js';

export interface Ddlin {
  readonly failing: Configuration;
  /** The position, within `failing`, of the delta that is tried now. */
  readonly at: number;
  /** How many deltas in a row were found to be needed. */
  readonly spared: number;
}

export interface DdlinOptions {
  /** Where to continue after a delta was removed: at the one after it (default), or at the first one again. */
  readonly afterSuccess?: 'continue' | 'start over';
}

/**
 * Simplifies one delta at a time, to a 1-minimal configuration. As many tests as there are deltas, or more.
 *
 * @example
 * ```ts
 * const { result, transcript } = runInOrder(ddlin(), all(8), configuration => (has(configuration, 6) ? 'fail' : 'pass'));
 * [result, transcript.length]; // → [[6, 7], 9]
 * ```
 */
export function ddlin({ afterSuccess = 'continue' }: DdlinOptions = {}): Strategy<Ddlin> {
  return {
    name: 'ddlin',
    twoValued: true,
    proves: true,
    start: all => ({ failing: all, at: 0, spared: 0 }),
    next: state =>
      state.spared >= size(state.failing)
        ? { kind: 'done', result: state.failing }
        : { kind: 'ask', configuration: without(state) },
    answer(state, outcome) {
      if (outcome !== 'fail') return { ...state, at: (state.at + 1) % size(state.failing), spared: state.spared + 1 };
      const failing = without(state);
      const at = afterSuccess === 'continue' && !isEmpty(failing) ? state.at % size(failing) : 0;
      return { failing, at, spared: 0 };
    },
    best: state => state.failing,
    explain: (state: Ddlin, outcome: Outcome) => (outcome === 'fail' ? { rule: `leave out ${nameOf(state)}` } : {}),
  };
}

const tried = (state: Ddlin): Configuration => slice(state.failing, state.at, state.at + 1);
const without = (state: Ddlin): Configuration => minus(state.failing, tried(state));
const nameOf = (state: Ddlin): string => String(tried(state)[0]! + 1);
