/**
 * dd: isolates a minimal difference between a passing and a failing configuration, from both sides.
 * Zeller and Hildebrandt, TSE 2002; the rules are numbered as in the "Step-by-Step Delta Debugging" sheet, §2.1:
 *   (1) c✓ ∪ Δi fails → it is the new failing side      (2) c✗ − Δi passes → it is the new passing side
 *   (3) c✓ ∪ Δi passes → the passing side grows         (4) c✗ − Δi fails → the failing side shrinks
 *   (5) twice as many parts                             (6) done
 * Rules 1 and 2 are taken as soon as they hold, 3 and 4 when a whole round shows neither. `round: 'complete'` asks the
 * whole round in any case, as the sheet's table prints it.
 */
import {
  type Configuration,
  type Explanation,
  empty,
  intersection,
  isSubset,
  minus,
  nearlyEqual,
  type Outcome,
  type Partition,
  type Strategy,
  size,
  union,
} from '../core/index.js';

export interface Isolation {
  readonly passing: Configuration;
  readonly failing: Configuration;
  /** failing − passing: what makes the difference. */
  readonly difference: Configuration;
}

export interface Dd {
  readonly phase: 'add' | 'remove' | 'done';
  readonly passing: Configuration;
  readonly failing: Configuration;
  readonly n: number;
  readonly i: number;
  /** The first part of this round for which each of the rules 1–4 held. */
  readonly held: Readonly<Partial<Record<Rule, number>>>;
}

type Rule = 1 | 2 | 3 | 4;

export interface DdOptions {
  /** The configuration that is known to pass (default: the empty one). */
  readonly passing?: Configuration;
  readonly round?: 'until a rule holds' | 'complete';
  readonly partition?: Partition;
}

/**
 * The smallest difference between a passing and a failing configuration: 1-minimal, and usually one delta.
 *
 * @example
 * ```ts
 * const needs = configuration => (has(configuration, 2) && has(configuration, 6) ? 'fail' : 'pass');
 * const { passing, failing, difference } = runInOrder(dd(), all(8), needs).result;
 * [difference, needs(passing), needs(failing)]; // → [[2, 3], 'pass', 'fail']
 * ```
 */
export function dd(options: DdOptions = {}): Strategy<Dd, Isolation> {
  const { passing: from = empty, round = 'until a rule holds', partition = nearlyEqual } = options;
  const difference = (state: Dd) => minus(state.failing, state.passing);
  const part = (state: Dd, i = state.i) => partition(difference(state), state.n)[i]!;
  const asked = (state: Dd) =>
    state.phase === 'add' ? union(state.passing, part(state)) : minus(state.failing, part(state));

  const granularity = (passing: Configuration, failing: Configuration, n: number): Dd => {
    const phase = size(minus(failing, passing)) < 2 ? 'done' : 'add';
    return { phase, passing, failing, n, i: 0, held: {} };
  };
  const ruleOf = (state: Dd, outcome: Outcome): Rule | undefined => {
    if (outcome === 'unresolved') return undefined;
    if (state.phase === 'add') return outcome === 'fail' ? 1 : 3;
    return outcome === 'pass' ? 2 : 4;
  };
  const take = (state: Dd, rule: Rule): Dd => {
    const delta = part(state, state.held[rule]);
    const { passing, failing } = state;
    const fewer = Math.max(state.n - 1, 2);
    switch (rule) {
      case 1:
        return granularity(passing, union(passing, delta), 2);
      case 2:
        return granularity(minus(failing, delta), failing, 2);
      case 3:
        return granularity(union(passing, delta), failing, fewer);
      case 4:
        return granularity(passing, minus(failing, delta), fewer);
    }
  };
  const closeRound = (state: Dd): Dd => {
    for (const rule of [1, 2, 3, 4] as const) if (state.held[rule] !== undefined) return take(state, rule);
    const parts = size(difference(state));
    if (state.n < parts) return granularity(state.passing, state.failing, Math.min(2 * state.n, parts));
    return { ...state, phase: 'done' };
  };

  return {
    name: 'dd',
    start(all) {
      const passing = intersection(from, all);
      if (!isSubset(from, all))
        throw new RangeError('dd: the passing configuration has deltas that the failing one lacks.');
      return granularity(passing, all, 2);
    },
    next: state =>
      state.phase === 'done'
        ? {
            kind: 'done',
            result: { passing: state.passing, failing: state.failing, difference: difference(state) },
          }
        : { kind: 'ask', configuration: asked(state), questionKind: state.phase },
    answer(state, outcome) {
      if (state.phase === 'done') throw new Error('dd is done; it has no question to answer.');
      const rule = ruleOf(state, outcome);
      const noted =
        rule && state.held[rule] === undefined ? { ...state, held: { ...state.held, [rule]: state.i } } : state;
      if (round !== 'complete' && (rule === 1 || rule === 2)) return take(noted, rule);
      if (noted.i + 1 < noted.n) return { ...noted, i: noted.i + 1 };
      return noted.phase === 'add' ? { ...noted, phase: 'remove', i: 0 } : closeRound(noted);
    },
    best: state => state.failing,
    passing: state => state.passing,
    explain(state: Dd, outcome: Outcome): Explanation {
      const part = state.phase === 'add' ? `c✓ ∪ Δ${state.i + 1}` : `c✗ − Δ${state.i + 1}`;
      const rule = ruleOf(state, outcome);
      if (rule) return { n: state.n, part, rule: `(${rule})` };
      const after = this.answer(state, outcome);
      if (after.phase === 'done' && after.n === state.n) return { n: state.n, part, rule: '(6)' };
      const finer = after.n > state.n && size(difference(after)) === size(difference(state));
      return { n: state.n, part, ...(finer ? { rule: `(5) n = ${after.n}` } : {}) };
    },
  };
}
