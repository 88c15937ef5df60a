/** each: every delta alone, whatever the answers are. The result is those that fail: how often something can be repeated. */
import { type Configuration, of, type Strategy, size, slice } from '../core/index.js';

export interface Each {
  readonly all: Configuration;
  readonly at: number;
  readonly failing: readonly number[];
}

/**
 * The deltas that fail alone.
 *
 * @example
 * ```ts
 * runInOrder(each(), all(4), configuration => (has(configuration, 2) ? 'pass' : 'fail')).result; // → [0, 2, 3, 4]
 * ```
 */
export function each(): Strategy<Each> {
  const present = ({ all, at }: Each) => slice(all, at, at + 1);
  return {
    name: 'each',
    twoValued: true,
    start: all => ({ all, at: 0, failing: [] }),
    next: state =>
      state.at >= size(state.all)
        ? { kind: 'done', result: of(state.failing) }
        : { kind: 'ask', configuration: present(state), questionKind: 'each' },
    answer: (state, outcome) => ({
      ...state,
      at: state.at + 1,
      failing: outcome === 'fail' ? [...state.failing, present(state)[0]!] : state.failing,
    }),
    best: state => state.all,
  };
}
