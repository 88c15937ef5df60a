/**
 * add: augmented delta debugging, for a suspected set D inside a failing set F. Yu, Lin, Chen and Zhang, "Practical Isolation
 * of Failure-Inducing Changes for Debugging Regression Faults", ASE 2012, Algorithm 1. D (the changes that were executed) need
 * not fail by itself; each part is tested alone and by leaving it out of the *raw* failing set F, with which nearly everything
 * applies and builds. The result is the part of D that is to blame. Departure: the outcome of a test is used for both of its
 * rules before the next set is tested, which is how the paper's own example needs five tests.
 */
import {
  type Configuration,
  type Explanation,
  minus,
  nearlyEqual,
  type Outcome,
  type Partition,
  type Strategy,
  size,
} from '../core/index.js';

export interface Add {
  readonly phase: 'without' | 'alone' | 'done';
  readonly failing: Configuration;
  readonly suspects: Configuration;
  readonly n: number;
  readonly i: number;
}

export interface AddOptions {
  /** D; all deltas by default. */
  readonly suspects?: Configuration;
  readonly partition?: Partition;
}

/**
 * The part of a suspected set that is to blame, inside a failing set. Takes all three outcomes.
 *
 * @example
 * ```ts
 * const culprits = configuration => (has(configuration, 3) && has(configuration, 4) ? 'fail' : 'pass');
 * runInOrder(add({ suspects: [3, 7] }), all(8), culprits).result; // → [3, 4]
 * ```
 */
export function add({ suspects, partition = nearlyEqual }: AddOptions = {}): Strategy<Add> {
  const part = (state: Add) => partition(state.suspects, state.n)[state.i]!;
  const asked = (state: Add) => (state.phase === 'without' ? minus(state.failing, part(state)) : part(state));
  const granularity = (failing: Configuration, left: Configuration, n: number): Add => ({
    phase: size(left) < 2 ? 'done' : 'without',
    failing,
    suspects: left,
    n,
    i: 0,
  });
  const innocent = (state: Add, outcome: Outcome) => outcome === (state.phase === 'without' ? 'fail' : 'pass');

  return {
    name: 'add',
    start: all => granularity(all, suspects ?? all, 2),
    next: state =>
      state.phase === 'done'
        ? { kind: 'done', result: state.suspects }
        : { kind: 'ask', configuration: asked(state), questionKind: state.phase },
    answer(state, outcome) {
      if (state.phase === 'done') throw new Error('add is done; it has no question to answer.');
      const { failing, suspects: left, n, i } = state;
      if (innocent(state, outcome)) return granularity(failing, minus(left, part(state)), Math.max(n - 1, 2));
      if (outcome !== 'unresolved') return granularity(failing, part(state), 2);
      if (state.phase === 'without') return { ...state, phase: 'alone' };
      if (i + 1 < n) return { ...state, phase: 'without', i: i + 1 };
      if (n < size(left)) return granularity(failing, left, Math.min(2 * n, size(left)));
      return { ...state, phase: 'done' };
    },
    best: state => state.failing,
    explain(state: Add, outcome: Outcome): Explanation {
      const name = state.phase === 'without' ? `F − D${state.i + 1}` : `D${state.i + 1}`;
      const row = { n: state.n, part: name };
      if (innocent(state, outcome)) return { ...row, rule: `D${state.i + 1} is innocent` };
      if (outcome !== 'unresolved') return { ...row, rule: `reduce to D${state.i + 1}` };
      const after = this.answer(state, outcome);
      if (after.phase === 'done') return { ...row, rule: 'done' };
      return after.n > state.n ? { ...row, rule: `increase granularity, n = ${after.n}` } : row;
    },
  };
}
