/**
 * shortest: the shortest beginning of a list that fails, by bisection. The whole list fails and the empty one passes; if the
 * failure never goes away again, no beginning is shorter; otherwise, the next shorter one does not fail.
 */
import { type Configuration, type Strategy, size, slice } from '../core/index.js';

export interface Shortest {
  readonly all: Configuration;
  /** This many deltas from the beginning do not fail. */
  readonly passing: number;
  /** This many fail. */
  readonly failing: number;
}

/**
 * The shortest failing prefix, in a logarithmic number of tests.
 *
 * @example
 * ```ts
 * runInOrder(shortest(), all(8), configuration => (has(configuration, 4) ? 'fail' : 'pass')).result; // → [0, 5]
 * ```
 */
export function shortest(): Strategy<Shortest> {
  const middle = ({ passing, failing }: Shortest) => (passing + failing) >> 1;
  return {
    name: 'shortest',
    twoValued: true,
    start: all => ({ all, passing: 0, failing: size(all) }),
    next: state =>
      state.failing - state.passing <= 1
        ? { kind: 'done', result: slice(state.all, 0, state.failing) }
        : { kind: 'ask', configuration: slice(state.all, 0, middle(state)) },
    answer: (state, outcome) =>
      outcome === 'fail' ? { ...state, failing: middle(state) } : { ...state, passing: middle(state) },
    best: state => slice(state.all, 0, state.failing),
  };
}
