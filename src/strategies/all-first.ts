/** all-first: nothing at all, and if that does not fail, another strategy. For deltas that nearly always can all be left out. */
import { type Configuration, empty, isEmpty, type Strategy } from '../core/index.js';

export type AllFirst<Inner> =
  | { readonly phase: 'all'; readonly all: Configuration }
  | { readonly phase: 'done' }
  | { readonly phase: 'search'; readonly inner: Inner };

/**
 * The empty configuration, or what another strategy finds.
 *
 * @example
 * ```ts
 * runInOrder(allFirst(sweep()), all(9), () => 'fail').result; // → []
 * ```
 */
export function allFirst<Inner>(search: Strategy<Inner>): Strategy<AllFirst<Inner>> {
  return {
    ...(search.proves === undefined ? {} : { proves: search.proves }),
    name: 'all-first',
    twoValued: true,
    start: all => (isEmpty(all) ? { phase: 'done' } : { phase: 'all', all }),
    next(state) {
      if (state.phase === 'search') return search.next(state.inner);
      return state.phase === 'done'
        ? { kind: 'done', result: empty }
        : { kind: 'ask', configuration: empty, questionKind: 'all' };
    },
    answer(state, outcome) {
      if (state.phase === 'search') return { ...state, inner: search.answer(state.inner, outcome) };
      if (state.phase === 'done' || outcome === 'fail') return { phase: 'done' };
      return { phase: 'search', inner: search.start(state.all) };
    },
    best: state => (state.phase === 'search' ? search.best(state.inner) : state.phase === 'done' ? empty : state.all),
  };
}
