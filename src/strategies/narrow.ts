/**
 * narrow: which part of the suspected changes D makes the difference inside the failing set F.
 * After `add` (Yu, Lin, Chen and Zhang, ASE 2012, Algorithm 1): each part of D is taken out of the whole F, where nearly
 * everything applies and builds. It departs from the paper in these rules, because the paper's own lose changes that only fail
 * together, and one of two causes that are each enough:
 *   F − Di fails: Di is innocent, and leaves F as well. What is left of F fails, and no other cause hides in it.
 *   Di passes alone: that tells nothing. Di may need a change outside of it.
 * and in these, because they take fewer tests: the likeliest part is taken out first, parts are of the same weight and not of the
 * same count, and they are tested alone only when D can't be cut any finer.
 * So two things hold at every step: F fails, and F − D passes as soon as one such test has. If none has when D can't be cut any
 * more, F − D itself is asked about: were it to fail, D would not explain the failure at all.
 */
import { type Configuration, type Explanation, minus, type Outcome, type Strategy, size } from '../core/index.js';
import { type Cutting, cutting } from './cutting.js';

export interface Narrow {
  readonly phase: 'without' | 'alone' | 'last' | 'done';
  readonly failing: Configuration;
  readonly suspects: Configuration;
  readonly n: number;
  readonly i: number;
  /** F − D was seen to pass. */
  readonly passed: boolean;
  /** F without it passes: the last part that made it so; all of D as long as there is none. */
  readonly revertSet: Configuration;
  /** F − D was seen to fail. */
  readonly refuted: boolean;
}

export interface Narrowed {
  readonly suspects: Configuration;
  /** The suspects and what was last taken out with them, when the failure was gone. */
  readonly revertSet: Configuration;
  /** What is left of F. It fails. */
  readonly failing: Configuration;
  /** F fails without the suspects too: D does not explain the failure. */
  readonly refuted: boolean;
}

export function narrow(suspects: Configuration, { cut, finest }: Cutting = cutting()): Strategy<Narrow, Narrowed> {
  const part = (state: Narrow) => cut(state.suspects, state.n)[state.i]!;
  const asked = (state: Narrow): Configuration => {
    if (state.phase === 'last') return minus(state.failing, state.suspects);
    return state.phase === 'without' ? minus(state.failing, part(state)) : part(state);
  };
  const close = (state: Narrow): Narrow => ({ ...state, phase: state.passed ? 'done' : 'last' });
  type Known = Pick<Narrow, 'passed' | 'revertSet'>;
  const granularity = (failing: Configuration, left: Configuration, n: number, known: Known): Narrow => {
    const { passed, revertSet } = known;
    const state: Narrow = { phase: 'without', failing, suspects: left, n, i: 0, passed, revertSet, refuted: false };
    return size(left) < 2 ? close(state) : state;
  };

  return {
    name: 'narrow',
    start: all => granularity(all, suspects, 2, { passed: false, revertSet: suspects }),
    next: state =>
      state.phase === 'done'
        ? {
            kind: 'done',
            result: {
              suspects: state.suspects,
              revertSet: state.revertSet,
              failing: state.failing,
              refuted: state.refuted,
            },
          }
        : { kind: 'ask', configuration: asked(state), questionKind: state.phase },
    answer(state, outcome) {
      const { failing, suspects: left, n, i } = state;
      switch (state.phase) {
        case 'done':
          throw new Error('narrow is done; it has no question to answer.');
        case 'last':
          return { ...state, phase: 'done', passed: outcome === 'pass', refuted: outcome === 'fail' };
        case 'without':
          if (outcome === 'fail') {
            const di = part(state);
            const revertSet = minus(state.revertSet, di);
            return granularity(minus(failing, di), minus(left, di), Math.max(n - 1, 2), { ...state, revertSet });
          }
          if (outcome === 'pass') return granularity(failing, part(state), 2, { passed: true, revertSet: part(state) });
          if (i + 1 < n) return { ...state, i: i + 1 };
          if (n < finest(left)) return granularity(failing, left, Math.min(2 * n, finest(left)), state);
          return { ...state, phase: 'alone', i: 0 };
        case 'alone':
          // What is left when it goes is the old version, and that passes.
          if (outcome === 'fail') return granularity(part(state), part(state), 2, { ...state, passed: true });
          return i + 1 < n ? { ...state, i: i + 1 } : close(state);
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
