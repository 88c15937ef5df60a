/**
 * ddmin: the minimising delta debugging algorithm.
 * Hildebrandt and Zeller, "Simplifying Failure-Inducing Input", ISSTA 2000, Fig. 1: test the n subsets, then their n
 * complements, else double n; the result is 1-minimal. What the paper leaves open (§9) is an option with the paper's own
 * choice as default; the other values are those of the lecture's table and of the step-by-step sheet, so that each of the
 * papers' tables comes out as printed.
 * Departure: at n = 2 the complements are the subsets themselves and are not asked again, as in the paper's Table 2; the
 * sheet prints them, and `complementsOfTwo` does too.
 */
import {
  type Configuration,
  type Explanation,
  minus,
  nearlyEqual,
  type Outcome,
  type Partition,
  type Step,
  type Strategy,
  size,
} from '../core/index.js';

export type Ddmin =
  | {
      readonly phase: 'subsets' | 'complements';
      readonly failing: Configuration;
      readonly n: number;
      readonly i: number;
      /** The failing parts of this round so far, if a round is completed before the search continues. */
      readonly found: readonly number[];
      readonly pending: readonly Configuration[];
      readonly results: readonly Configuration[];
    }
  | { readonly phase: 'done'; readonly failing: Configuration; readonly results: readonly Configuration[] };

export interface DdminOptions {
  /** Test subsets as well as complements (default), or complements only, as the lecture does. */
  readonly parts?: 'subsets and complements' | 'complements';
  /** Continue with the first failing part (default), or with the smallest one of the round. */
  readonly choose?: 'first' | 'smallest';
  /** Leave a round at its first failure (default), or complete it, as the sheet's tables do. */
  readonly round?: 'until a failure' | 'complete';
  /** n after a failing complement: max(n − 1, 2) (default), or 2, as in the lecture's table. */
  readonly afterComplement?: 'n - 1' | 'restart';
  /** Ask the complements at n = 2 too, although they are the subsets. */
  readonly complementsOfTwo?: boolean;
  /**
   * n grows until every part is one delta (default, 1-minimal), or only while 2n is less than the number of deltas, as in the
   * lecture's formula.
   */
  readonly finest?: 'one delta' | 'half';
  /** How a configuration is cut into n parts (default: nearly equal, the smaller ones first). */
  readonly partition?: Partition;
}

/**
 * Simplifies to one 1-minimal failing configuration.
 *
 * @example
 * ```ts
 * const needs = configuration => (has(configuration, 2) && has(configuration, 6) ? 'fail' : 'pass');
 * runInOrder(ddmin({ parts: 'complements' }), all(8), needs).result; // → [2, 3, 6, 7]
 * ```
 */
export function ddmin(options: DdminOptions = {}): Strategy<Ddmin> {
  const machine = machineOf(options, false);
  return { ...machine, next: state => mapDone(machine.next(state), results => results[0]!) };
}

/**
 * Simplifies each failing subset that it finds, one by one: several independent 1-minimal configurations, the first one
 * first.
 *
 * @example
 * ```ts
 * const either = configuration => (has(configuration, 1) || has(configuration, 6) ? 'fail' : 'pass');
 * runInOrder(ddminAll(), all(8), either).result; // → [[1, 2], [6, 7]]
 * ```
 */
export function ddminAll(options: DdminOptions = {}): Strategy<Ddmin, readonly Configuration[]> {
  return machineOf({ ...options, round: 'complete' }, true);
}

type Asking = Exclude<Ddmin, { phase: 'done' }>;

function machineOf(options: DdminOptions, every: boolean): Strategy<Ddmin, readonly Configuration[]> {
  const { parts = 'subsets and complements', choose = 'first', afterComplement = 'n - 1' } = options;
  const { complementsOfTwo = false, finest = 'one delta', partition = nearlyEqual } = options;
  const complete = every || choose === 'smallest' || options.round === 'complete';
  const first = parts === 'complements' ? 'complements' : 'subsets';

  const part = ({ phase, failing, n }: Asking, i: number): Configuration => {
    const subset = partition(failing, n)[i]!;
    return phase === 'subsets' ? subset : minus(failing, subset);
  };
  const granularity = (
    failing: Configuration,
    n: number,
    pending: readonly Configuration[],
    results: readonly Configuration[],
  ): Ddmin => {
    if (size(failing) >= 2) return { phase: first, failing, n, i: 0, found: [], pending, results };
    const [next, ...others] = pending;
    const found = [...results, failing];
    return next ? granularity(next, 2, others, found) : { phase: 'done', failing, results: found };
  };
  /** Rules 1 and 2: continue with a failing part. */
  const reduce = (state: Asking, chosen: number, others: readonly Configuration[]): Ddmin => {
    const n = state.phase === 'subsets' || afterComplement === 'restart' ? 2 : Math.max(state.n - 1, 2);
    return granularity(part(state, chosen), n, [...state.pending, ...others], state.results);
  };
  /** Nothing failed in this round: continue with the complements, then rule 3, then rule 4. */
  const advance = (state: Asking): Ddmin => {
    const { failing, n, pending, results } = state;
    if (state.phase === 'subsets' && (n > 2 || complementsOfTwo)) return { ...state, phase: 'complements', i: 0 };
    const finer = (finest === 'half' ? 2 * n : n) < size(failing);
    if (finer) return granularity(failing, Math.min(2 * n, size(failing)), pending, results);
    const [next, ...others] = pending;
    if (next) return granularity(next, 2, others, [...results, failing]);
    return { phase: 'done', failing, results: [...results, failing] };
  };
  const closeRound = (state: Asking): Ddmin => {
    const [chosen] =
      choose === 'smallest'
        ? [...state.found].sort((a, b) => size(part(state, a)) - size(part(state, b)) || a - b)
        : state.found;
    if (chosen === undefined) return advance(state);
    const others = every && state.phase === 'subsets' ? state.found.filter(i => i !== chosen) : [];
    return reduce(
      state,
      chosen,
      others.map(i => part(state, i)),
    );
  };

  return {
    name: parts === 'complements' ? 'ddmin by complements' : 'ddmin',
    twoValued: true,
    proves: finest === 'one delta',
    start: all => granularity(all, 2, [], []),
    next: state =>
      state.phase === 'done'
        ? { kind: 'done', result: state.results }
        : { kind: 'ask', configuration: part(state, state.i), questionKind: `${state.phase} ${Math.min(state.n, 16)}` },
    answer(state, outcome) {
      if (state.phase === 'done') throw new Error('ddmin is done; it has no question to answer.');
      if (outcome === 'fail' && !complete) return reduce(state, state.i, []);
      const asked = outcome === 'fail' ? { ...state, found: [...state.found, state.i] } : state;
      return asked.i + 1 < asked.n ? { ...asked, i: asked.i + 1 } : closeRound(asked);
    },
    best: state => state.failing,
    explain(state: Ddmin, outcome: Outcome): Explanation {
      if (state.phase === 'done') return {};
      const sign = state.phase === 'subsets' ? 'Δ' : '∇';
      const row = { n: state.n, part: `${sign}${state.i + 1}` };
      const after = this.answer(state, outcome);
      if (outcome === 'fail' && state.found.length === 0) {
        const what = state.phase === 'subsets' ? 'subset' : 'complement';
        const next = complete ? reduce(state, state.i, []) : after;
        return { ...row, rule: `reduce to ${what}, ${next.phase === 'done' ? 'done' : `n = ${next.n}`}` };
      }
      if (state.found.length > 0) return row;
      if (after.phase === 'done') return { ...row, rule: 'done' };
      return after.n > state.n ? { ...row, rule: `increase granularity, n = ${after.n}` } : row;
    },
  };
}

function mapDone<A, B>(step: Step<A>, map: (result: A) => B): Step<B> {
  return step.kind === 'done' ? { kind: 'done', result: map(step.result) } : step;
}
