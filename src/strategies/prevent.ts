/**
 * Which options prevent a failure? Zeller and Hildebrandt 2002, section 5.3 ("Minimizing GCC options"): the question is
 * inverted. All candidate options together make the failure go away; the smallest set that still does is found and removed,
 * and the rest is tested again, until what is left prevents nothing.
 *
 * Departure: real tools refuse some of their options together. When a set can't be judged, its halves are asked one by
 * one, down to single options, instead of giving up.
 */

import { type Configuration, isEmpty, minus, nearlyEqual, type Step, type Strategy, size } from '../core/index.js';

export type Searching<State> =
  | { readonly phase: 'whole'; readonly sets: readonly Configuration[]; readonly found: readonly Configuration[] }
  | {
      readonly phase: 'narrow';
      readonly inner: State;
      readonly sets: readonly Configuration[];
      readonly found: readonly Configuration[];
    };

/**
 * Every set of options that prevents the failure, one after the other, each minimal in the sense of `inner`. Outcomes are
 * inverted (`fail` = the option set prevents the failure), as strategies expect.
 */
export function preventions<State>(inner: Strategy<State>): Strategy<Searching<State>, readonly Configuration[]> {
  type S = Searching<State>;
  const settled = (state: S): S => {
    if (state.phase === 'whole') return { ...state, sets: state.sets.filter(set => !isEmpty(set)) };
    const step = inner.next(state.inner);
    if (step.kind === 'ask') return state;
    const [set = [], ...others] = state.sets;
    // An empty inner result would mean that the failure is gone without any option: then there is nothing to prevent.
    if (isEmpty(step.result)) return { phase: 'whole', sets: others, found: state.found };
    const sets = [minus(set, step.result), ...others];
    return settled({ phase: 'whole', sets, found: [...state.found, step.result] });
  };
  return {
    name: `preventions(${inner.name})`,
    start: all => settled({ phase: 'whole', sets: [all], found: [] }),
    next(state): Step<readonly Configuration[]> {
      if (state.phase === 'narrow') {
        const step = inner.next(state.inner);
        if (step.kind === 'ask') return step;
      }
      const [set] = state.sets;
      if (set === undefined) return { kind: 'done', result: state.found };
      return { kind: 'ask', configuration: set, questionKind: 'whole' };
    },
    answer(state, outcome) {
      if (state.phase === 'narrow') return settled({ ...state, inner: inner.answer(state.inner, outcome) });
      const [set = [], ...others] = state.sets;
      switch (outcome) {
        case 'fail':
          return settled({ ...state, phase: 'narrow', inner: inner.start(set) });
        case 'pass':
          return settled({ ...state, sets: others });
        case 'unresolved':
          return settled({ ...state, sets: size(set) < 2 ? others : [...nearlyEqual(set, 2), ...others] });
      }
    },
    best: state => (state.phase === 'narrow' ? inner.best(state.inner) : (state.found.at(-1) ?? state.sets[0] ?? [])),
  };
}
