/**
 * marco: every minimal failing set (a cause) and every maximal passing set (what it lacks is a way to avoid the failure).
 *
 * Liffiton, Previti, Malik and Marques-Silva, "Fast, Flexible MUS Enumeration", Constraints 2016. A seed is a set that
 * contains no known cause and is in no set that was explored. A failing seed is shrunk to a new cause; a passing seed is a
 * maximal passing set. Departures:
 * - The next seed leaves out a smallest set that meets every known cause (hitting-set.ts), so no SAT solver is needed. Such a seed
 *   is maximal: with any delta that it leaves out, it would contain a known cause. A passing seed therefore needs no growing.
 * - The paper knows two outcomes. An unresolved seed is listed as unknown. A passing set inside it is searched for (shrink, with the
 *   outcomes swapped), so that people still get a way out; a failure met on the way is a new cause.
 * - Both searches are an existing machine (sweep).
 *
 * What is proven at the end holds for monotone tests: a set that contains a failing set fails too (or is unresolved). A failing set
 * inside a passing one contradicts that; it is part of the result, and the result is then not complete.
 */
import {
  type Configuration,
  deltasOf,
  type Explanation,
  isEmpty,
  isSubset,
  minus,
  type Outcome,
  of,
  type Step,
  type Strategy,
  size,
} from '../core/index.js';
import { smallestHittingSet } from './hitting-set.js';
import { type Sweep, sweep } from './sweep.js';

/** A set that passes although a part of it fails. */
export interface Contradiction {
  readonly passing: Configuration;
  readonly failing: Configuration;
}

export interface Causes {
  /** Each fails, and no single delta of it can be left out. In the order in which they were found. */
  readonly causes: readonly Configuration[];
  /** Each passes, and contains a cause as soon as one more delta is added. The largest first. */
  readonly passing: readonly Configuration[];
  /** Sets without a known cause that are unresolved: they may contain another cause. */
  readonly unknown: readonly Configuration[];
  /** These are all causes and all maximal passing sets, if the test is monotone. */
  readonly complete: boolean;
  /** Why the search ended early: the limit, or too many combinations to find the next seed. */
  readonly stopped?: 'limit' | 'effort';
  /** Seen: the test is not monotone. */
  readonly contradiction?: Contradiction;
}

export interface MarcoOptions<Inner = Sweep> {
  /** Stop at a failing seed after this many causes, and at any seed after this many were explored (default: no limit). */
  readonly limit?: number;
  /** How a failing set is shrunk (default: sweep). */
  readonly list?: Strategy<Inner>;
}

interface Known {
  readonly all: Configuration;
  readonly causes: readonly Configuration[];
  readonly passing: readonly Configuration[];
  readonly unknown: readonly Configuration[];
  /** The sets that passed lately, the most recent first: a failing part of one of these is a contradiction. */
  readonly passed: readonly Configuration[];
  readonly contradiction?: Contradiction;
}

export type Marco<Inner = Sweep> = Known &
  (
    | { readonly phase: 'seed'; readonly seed: Configuration }
    | { readonly phase: 'shrink'; readonly inner: Inner }
    /** `inner` shrinks what is left out of the seed. */
    | { readonly phase: 'grow'; readonly seed: Configuration; readonly inner: Sweep }
    | { readonly phase: 'done'; readonly stopped?: 'limit' | 'effort' }
  );

/** Causes are small: the first questions of a shrink are sized for one needed delta. */
const shrinking = { expected: 1 } as const;

/**
 * A passing set inside an unresolved seed is worth a few questions. Often there is none, because no command works without its
 * input.
 */
const grower = sweep({ expected: 1, prove: false, patience: 8 });

/** How many passing sets are remembered to notice contradictions. */
const memory = 32;

/**
 * All causes of a failure and all ways to avoid it.
 *
 * @example
 * ```ts
 * const test = configuration =>
 *   has(configuration, 3) || (has(configuration, 5) && has(configuration, 6)) ? 'fail' : 'pass';
 * const { result } = runInOrder(marco(), all(8), test);
 * [result.causes, result.complete]; // → [[[3, 4], [5, 7]], true]
 * result.passing.map(each => minus(all(8), each)); // → [[3, 4, 5, 6], [3, 4, 6, 7]]
 * ```
 */
export function marco<Inner = Sweep>(options: MarcoOptions<Inner> = {}): Strategy<Marco<Inner>, Causes> {
  const { limit = Infinity, list = sweep(shrinking) as unknown as Strategy<Inner> } = options;
  if (!(limit >= 1)) throw new RangeError('marco: a limit is at least 1.');
  type State = Marco<Inner>;

  /** The next seed, or the end. */
  const seed = (known: Known): State => {
    const explored = [...known.passing, ...known.unknown];
    if (explored.length >= limit) return { ...known, phase: 'done', stopped: 'limit' };
    const { set, certain } = smallestHittingSet(
      known.causes.map(cause => [...deltasOf(cause)]),
      { excluded: explored.map(each => [...deltasOf(minus(known.all, each))]) },
    );
    if (set) return { ...known, phase: 'seed', seed: minus(known.all, of(set)) };
    return certain ? { ...known, phase: 'done' } : { ...known, phase: 'done', stopped: 'effort' };
  };
  const shrink = (known: Known, failing: Configuration): State =>
    settle({ ...known, phase: 'shrink', inner: list.start(failing) });
  /** Moves on if the current inner search has ended. */
  const settle = (state: State): State => {
    if (state.phase === 'grow') {
      const step = grower.next(state.inner);
      if (step.kind === 'ask') return state;
      const passing = minus(state.seed, step.result);
      return seed(isEmpty(passing) ? knownIn(state) : withPassing(knownIn(state), passing));
    }
    if (state.phase !== 'shrink') return state;
    const step = list.next(state.inner);
    return step.kind === 'ask' ? state : seed(withCause(knownIn(state), step.result));
  };
  const next = (state: State): Step<Causes> => {
    switch (state.phase) {
      case 'seed':
        return { kind: 'ask', configuration: state.seed, questionKind: 'seed' };
      case 'shrink':
        return list.next(state.inner) as Step<never>;
      case 'grow': {
        const step = grower.next(state.inner) as Extract<Step<never>, { kind: 'ask' }>;
        return { kind: 'ask', configuration: minus(state.seed, step.configuration), questionKind: 'grow' };
      }
      case 'done':
        return { kind: 'done', result: causesIn(state) };
    }
  };

  return {
    name: 'marco',
    start: all => shrink({ all, causes: [], passing: [], unknown: [], passed: [] }, all),
    next,
    answer(state, outcome) {
      const step = next(state);
      if (step.kind === 'done') throw new Error('marco is done; it has no question to answer.');
      const { configuration } = step;
      const known = heard(knownIn(state), configuration, outcome);
      switch (state.phase) {
        case 'seed':
          if (outcome === 'pass') return seed(withPassing(known, configuration));
          if (outcome === 'fail')
            return known.causes.length < limit
              ? shrink(known, configuration)
              : { ...known, phase: 'done', stopped: 'limit' };
          return settle({
            ...known,
            unknown: [...known.unknown, configuration],
            phase: 'grow',
            seed: configuration,
            inner: grower.start(configuration),
          });
        case 'grow':
          if (outcome === 'fail' && known.causes.length < limit) return shrink(known, configuration);
          return settle({ ...state, ...known, inner: grower.answer(state.inner, swapped(outcome)) });
        case 'shrink':
          return settle({ ...state, ...known, inner: list.answer(state.inner, outcome) });
        case 'done':
          return state;
      }
    },
    best(state) {
      const current = state.phase === 'shrink' ? [list.best(state.inner)] : [];
      const known = [...state.causes, ...current];
      return known.reduce((least, each) => (size(each) < size(least) ? each : least), state.all);
    },
    explain(state, outcome): Explanation {
      const after = this.answer(state, outcome);
      const found = after.causes.length > state.causes.length ? { rule: `cause ${after.causes.length}` } : {};
      if (state.phase === 'shrink') {
        const inner = list.explain?.(state.inner, outcome) ?? {};
        return { ...inner, part: `shrink, ${inner.part ?? ''}`, ...found };
      }
      if (state.phase === 'grow') return { part: 'grow', ...found };
      const rules = { pass: 'a way to avoid the failure', fail: 'another cause', unresolved: 'unknown' };
      return { part: 'seed', rule: rules[outcome] };
    },
  };
}

/** What a state knows, without the current inner search. */
const knownIn = ({ all, causes, passing, unknown, passed, contradiction }: Known): Known => ({
  all,
  causes,
  passing,
  unknown,
  passed,
  ...(contradiction ? { contradiction } : {}),
});

/** To search for a passing set, only a pass counts. */
const swapped = (outcome: Outcome): Outcome => (outcome === 'pass' ? 'fail' : 'pass');

function heard(known: Known, configuration: Configuration, outcome: Outcome): Known {
  if (outcome === 'pass') return { ...known, passed: [configuration, ...known.passed].slice(0, memory) };
  if (outcome === 'unresolved' || known.contradiction) return known;
  const passing = [...known.passing, ...known.passed].find(each => isSubset(configuration, each));
  return passing ? { ...known, contradiction: { passing, failing: configuration } } : known;
}

function withCause(known: Known, cause: Configuration): Known {
  // Unresolved tests can hide that a cause is too large; the smaller one replaces it.
  const others = known.causes.filter(each => !isSubset(cause, each));
  // A set that turns out to contain a cause is no longer unknown; its subsets are open to other seeds again.
  const unknown = known.unknown.filter(each => !isSubset(cause, each));
  return { ...known, causes: [...others, cause], unknown };
}

/** A passing set inside a larger one adds nothing. */
function withPassing(known: Known, passing: Configuration): Known {
  if (known.passing.some(each => isSubset(passing, each))) return known;
  return { ...known, passing: [...known.passing.filter(each => !isSubset(each, passing)), passing] };
}

/**
 * What can be said in this state, however the search ends.
 *
 * @example
 * ```ts
 * const state = marco().start(all(8));
 * causesIn(state); // → { causes: [], passing: [], unknown: [], complete: false }
 * ```
 */
export function causesIn<Inner>(state: Marco<Inner>): Causes {
  const { causes, unknown, contradiction } = state;
  const stopped = state.phase === 'done' ? state.stopped : undefined;
  const passing = [...state.passing].sort((a, b) => size(b) - size(a));
  // The smallest failing part explains it best: a cause, if it contains one.
  const smallest = contradiction && causes.find(cause => isSubset(cause, contradiction.failing));
  return {
    causes,
    passing,
    unknown,
    complete: state.phase === 'done' && !stopped && !contradiction && unknown.length === 0,
    ...(stopped ? { stopped } : {}),
    ...(contradiction ? { contradiction: smallest ? { ...contradiction, failing: smallest } : contradiction } : {}),
  };
}
