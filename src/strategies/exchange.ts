/**
 * exchange: an alternative first, and then as little of it as possible. The last delta is what there was, and the others are what may take its
 * place: they do nothing as long as it is there. If the failure does not need it, another strategy searches the others. If it does, one question
 * is lost.
 */
import { type Configuration, type Strategy, size, slice } from '../core/index.js';

export type Exchange<Inner> =
  | { readonly phase: 'exchange' | 'kept'; readonly all: Configuration }
  | { readonly phase: 'search'; readonly inner: Inner };

/**
 * The smallest alternative that fails, by another strategy; everything if the last delta is needed.
 *
 * @example
 * ```ts
 * const needs = configuration => (has(configuration, 1) || has(configuration, 4) ? 'fail' : 'pass');
 * runInOrder(exchange(sweep()), all(5), needs).result; // → [1, 2]
 * ```
 */
export function exchange<Inner>(search: Strategy<Inner>): Strategy<Exchange<Inner>> {
  const others = (all: Configuration): Configuration => slice(all, 0, size(all) - 1);
  return {
    name: 'exchange',
    twoValued: true,
    start: all => ({ phase: size(all) > 1 ? 'exchange' : 'kept', all }),
    next(state) {
      if (state.phase === 'search') return search.next(state.inner);
      return state.phase === 'kept'
        ? { kind: 'done', result: state.all }
        : { kind: 'ask', configuration: others(state.all), questionKind: 'exchange' };
    },
    answer(state, outcome) {
      if (state.phase === 'search') return { ...state, inner: search.answer(state.inner, outcome) };
      return outcome === 'fail'
        ? { phase: 'search', inner: search.start(others(state.all)) }
        : { phase: 'kept', all: state.all };
    },
    best: state => (state.phase === 'search' ? search.best(state.inner) : state.all),
  };
}
