/**
 * dd with guesses: asks first whether one of a few small configurations fails by itself, then whether the whole does at all,
 * and only then searches. For a series of searches, each of which is likely to end with the same result as the one before
 * (Cleve and Zeller 2005, §4: the same variable is the cause at many places). It departs from dd in one more way: that all
 * deltas together fail is a question and not an assumption, so it can end without a result.
 */
import { type Configuration, empty, equals, type Outcome, type Strategy, size } from '../core/index.js';
import { type Dd, dd, type Isolation } from './dd.js';

export type Guessing =
  | { readonly phase: 'guess'; readonly i: number; readonly all: Configuration }
  | { readonly phase: 'whole'; readonly all: Configuration }
  | { readonly phase: 'search'; readonly dd: Dd; readonly isGuess: boolean }
  | { readonly phase: 'nothing'; readonly all: Configuration };

/**
 * The smallest difference between nothing and all, or nothing if all deltas together do not fail.
 *
 * @example
 * ```ts
 * const needs = configuration => (has(configuration, 5) ? 'fail' : 'pass');
 * const { result, transcript } = runInOrder(guess([[5, 6]]), all(8), needs);
 * [result.difference, transcript.length]; // → [[5, 6], 1]
 * ```
 */
export function guess(guesses: readonly Configuration[]): Strategy<Guessing, Isolation | undefined> {
  const search = dd();
  const from = (i: number, all: Configuration): Guessing => {
    for (let next = i; next < guesses.length; next++)
      if (size(guesses[next]!) > 0 && !equals(guesses[next]!, all)) return { phase: 'guess', i: next, all };
    return { phase: 'whole', all };
  };
  const asked = (state: Guessing): Configuration =>
    state.phase === 'guess' ? guesses[state.i]! : state.phase === 'whole' ? state.all : empty;
  return {
    name: 'dd',
    start: all => (size(all) === 0 ? { phase: 'nothing', all } : from(0, all)),
    next(state) {
      switch (state.phase) {
        case 'guess':
        case 'whole':
          return { kind: 'ask', configuration: asked(state), questionKind: state.phase };
        case 'search':
          return search.next(state.dd);
        case 'nothing':
          return { kind: 'done', result: undefined };
        default:
          state satisfies never;
          throw new Error('unreachable');
      }
    },
    answer(state, outcome) {
      switch (state.phase) {
        case 'guess':
          if (outcome === 'fail') return { phase: 'search', dd: search.start(asked(state)), isGuess: true };
          return from(state.i + 1, state.all);
        case 'whole':
          if (outcome === 'fail') return { phase: 'search', dd: search.start(state.all), isGuess: false };
          return { phase: 'nothing', all: state.all };
        case 'search':
          return { ...state, dd: search.answer(state.dd, outcome) };
        case 'nothing':
          throw new Error('guess is done; it has no question to answer.');
        default:
          state satisfies never;
          throw new Error('unreachable');
      }
    },
    best: state => (state.phase === 'search' ? search.best(state.dd) : state.all),
    passing: state => (state.phase === 'search' ? search.passing!(state.dd) : empty),
    explain(state, outcome: Outcome) {
      if (state.phase === 'search') return search.explain!(state.dd, outcome);
      return { part: state.phase === 'guess' ? 'as before' : 'all' };
    },
  };
}
