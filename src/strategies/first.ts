/**
 * first: one delta after the other, until one of them fails alone. A linear search: no order among the deltas helps to find it
 * faster, and an engine that looks ahead tests the next ones in parallel. The lowest one that fails is the result.
 */
import { type Configuration, empty, type Strategy, size, slice } from '../core/index.js';

export interface First {
  readonly all: Configuration;
  /** The position of the delta that is tested now. */
  readonly at: number;
  readonly found?: Configuration;
}

/**
 * The first delta that fails alone, or nothing.
 *
 * @example
 * ```ts
 * runInOrder(first(), all(8), configuration => (has(configuration, 2) || has(configuration, 6) ? 'fail' : 'pass')).result; // → [2, 3]
 * ```
 */
export function first(): Strategy<First> {
  return {
    name: 'first',
    twoValued: true,
    start: all => ({ all, at: 0 }),
    next: state =>
      state.found !== undefined || state.at >= size(state.all)
        ? { kind: 'done', result: state.found ?? empty }
        : { kind: 'ask', configuration: slice(state.all, state.at, state.at + 1), questionKind: 'first' },
    answer: (state, outcome) =>
      outcome === 'fail'
        ? { ...state, found: slice(state.all, state.at, state.at + 1) }
        : { ...state, at: state.at + 1 },
    best: state => state.found ?? state.all,
  };
}
