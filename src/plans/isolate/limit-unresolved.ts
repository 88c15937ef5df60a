/** Ends a strategy after too many unresolved answers, with the narrowest pair so far. */
import type { Outcome, Strategy } from '../../core/index.js';

interface Limited {
  readonly inner: unknown;
  readonly unresolved: number;
}

/** The result of a search that the limit ended. */
export const limitReached = Symbol('too many unresolved answers');

export function limitUnresolved(inner: Strategy<unknown, unknown>, most: number): Strategy<unknown, unknown> {
  const { passing, progress, explain } = inner;
  const innerOf = (state: unknown) => (state as Limited).inner;
  return {
    ...inner,
    start: all => ({ inner: inner.start(all), unresolved: 0 }) satisfies Limited,
    next: state =>
      (state as Limited).unresolved >= most ? { kind: 'done', result: limitReached } : inner.next(innerOf(state)),
    answer: (state, outcome: Outcome): Limited => ({
      inner: inner.answer(innerOf(state), outcome),
      unresolved: (state as Limited).unresolved + (outcome === 'unresolved' ? 1 : 0),
    }),
    best: state => inner.best(innerOf(state)),
    ...(passing ? { passing: (state: unknown) => passing.call(inner, innerOf(state)) } : {}),
    ...(progress ? { progress: (state: unknown) => progress.call(inner, innerOf(state)) } : {}),
    ...(explain ? { explain: (state: unknown, outcome: Outcome) => explain.call(inner, innerOf(state), outcome) } : {}),
  };
}
