/**
 * narrow: which part of the dubious changes D makes the difference inside the failing set F.
 * After `add` (Yu, Lin, Chen and Zhang, ASE 2012, Algorithm 1): each part of D is taken out of the whole F, where nearly
 * everything applies and builds, and tested alone only when that tells nothing. It departs from the paper in two rules, because
 * the paper's own lose changes that only fail together, and one of two causes that are each enough:
 *   F − Di fails: Di is innocent, and leaves F as well. What is left of F fails, and no other cause hides in it.
 *   Di passes alone: that tells nothing. Di may need a change outside of it.
 * So two things hold at every step: F fails, and F − D passes as soon as one such test has. If none has when D can't be cut any
 * more, F − D itself is asked about: were it to fail, D would not explain the failure at all.
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
} from '../../core/index.js';

export interface Narrow {
  readonly phase: 'without' | 'alone' | 'last' | 'done';
  readonly failing: Configuration;
  readonly dubious: Configuration;
  readonly n: number;
  readonly i: number;
  /** F − D was seen to pass. */
  readonly passed: boolean;
  /** F − D was seen to fail. */
  readonly refuted: boolean;
}

export interface Narrowed {
  readonly suspects: Configuration;
  /** What is left of F. It fails. */
  readonly failing: Configuration;
  /** F fails without the suspects too: D does not explain the failure. */
  readonly refuted: boolean;
}

export function narrow(dubious: Configuration, partition: Partition = nearlyEqual): Strategy<Narrow, Narrowed> {
  const part = (state: Narrow) => partition(state.dubious, state.n)[state.i]!;
  const asked = (state: Narrow): Configuration => {
    if (state.phase === 'last') return minus(state.failing, state.dubious);
    return state.phase === 'without' ? minus(state.failing, part(state)) : part(state);
  };
  const close = (state: Narrow): Narrow => ({ ...state, phase: state.passed ? 'done' : 'last' });
  const granularity = (failing: Configuration, left: Configuration, n: number, passed: boolean): Narrow => {
    const state: Narrow = { phase: 'without', failing, dubious: left, n, i: 0, passed, refuted: false };
    return size(left) < 2 ? close(state) : state;
  };

  return {
    name: 'add',
    start: all => granularity(all, dubious, 2, false),
    next: state =>
      state.phase === 'done'
        ? {
            kind: 'done',
            result: { suspects: state.dubious, failing: state.failing, refuted: state.refuted },
          }
        : { kind: 'ask', configuration: asked(state), sort: state.phase },
    answer(state, outcome) {
      const { failing, dubious: left, n, i } = state;
      switch (state.phase) {
        case 'done':
          throw new Error('narrow is done; it has no question to answer.');
        case 'last':
          return { ...state, phase: 'done', passed: outcome === 'pass', refuted: outcome === 'fail' };
        case 'without':
          if (outcome === 'fail') {
            const di = part(state);
            return granularity(minus(failing, di), minus(left, di), Math.max(n - 1, 2), state.passed);
          }
          if (outcome === 'pass') return granularity(failing, part(state), 2, true);
          return { ...state, phase: 'alone' };
        case 'alone':
          // What is left when it goes is the old version, and that passes.
          if (outcome === 'fail') return granularity(part(state), part(state), 2, true);
          if (i + 1 < n) return { ...state, phase: 'without', i: i + 1 };
          if (n < size(left)) return granularity(failing, left, Math.min(2 * n, size(left)), state.passed);
          return close(state);
        default:
          throw state.phase satisfies never;
      }
    },
    best: state => state.failing,
    explain(state: Narrow, outcome: Outcome): Explanation {
      if (state.phase === 'last') return { part: 'F − D', rule: outcome === 'fail' ? 'D does not explain it' : 'done' };
      const name = `D${state.i + 1}`;
      const row = { n: state.n, part: state.phase === 'without' ? `F − ${name}` : name };
      if (state.phase === 'without' && outcome === 'fail') return { ...row, rule: `${name} is innocent` };
      if (state.phase === 'without' ? outcome === 'pass' : outcome === 'fail')
        return { ...row, rule: `reduce to ${name}` };
      const after = this.answer(state, outcome);
      if (after.phase === 'done' || after.phase === 'last') return { ...row, rule: 'no finer parts' };
      return after.n > state.n ? { ...row, rule: `increase granularity, n = ${after.n}` } : row;
    },
  };
}
