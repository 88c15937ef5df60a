/**
 * descend: which part of the suspects D makes the difference inside the failing set F, asked from the coarsest part down.
 * It starts from the idea of `add` (Yu, Lin, Chen and Zhang, ASE 2012): a part of D is taken out of the whole of F, with which
 * nearly everything applies and builds. The rest is different, because `add` starts over after each innocent part, and asks
 * again about every part that does not build:
 *   F − P fails: P is innocent. It leaves F and D, and the other parts stay as they are.
 *   F − P passes: only P matters. D becomes P, and P is cut.
 *   F − P is unresolved: the likelier half of P comes next, so that the likeliest groups are reached after a few questions. The other
 *   half comes after all other parts, so that a region where nothing can be tested does not keep the search from the rest. It comes
 *   forward as soon as something in the likelier half could be tested.
 *   F − P is broken, which is known without a test: all of the files that P is in comes instead, as long as that is not all of D.
 * What can't go without most of D is asked about after everything else: if most changes of a program hang together, each of them would
 * drag along the same knot, which can't be built. If no part can be taken out by itself, parts are taken out together with what needs them, again from the coarsest down. If
 * that does not help either, they are tested alone, each with what it needs.
 * Two things hold at every step: F fails, and F − D passes as soon as one such test has. If none has at the end, F − D is
 * tested: if it fails, D does not explain the failure.
 * Without unresolved answers it asks at most ⌈log2 |D|⌉ + 2 questions if parts are halves; each unresolved answer adds at most 4.
 * Questions that take more out than D holds are left out, so D gets smaller with each pass, and the search ends.
 */
import {
  type Configuration,
  type Explanation,
  empty,
  equals,
  intersection,
  isEmpty,
  isSubset,
  minus,
  nearlyEqual,
  type Outcome,
  type Strategy,
  size,
} from '../core/index.js';
import { independent, knotIn, looseFirst, type Needs, untied } from './knot.js';

export interface Descend {
  readonly phase: 'without' | 'alone' | 'last' | 'done';
  readonly failing: Configuration;
  readonly suspects: Configuration;
  /** The parts of D that are still to be tested, the next one first. */
  readonly queue: readonly Configuration[];
  /** No part could be taken out by itself: now each is taken out with what needs it. */
  readonly together: boolean;
  /** F − D is known to pass. */
  readonly passed: boolean;
  /** The largest set that was seen to pass: of F as it was then. */
  readonly passing: Configuration;
  /** F passes without it: the last part for which this was seen; all of D as long as there is none. */
  readonly revertSet: Configuration;
  /** F − D is known to fail. */
  readonly refuted: boolean;
  /** How many questions have brought too little since D last became notably smaller. */
  readonly spent: number;
  /** What can't go without more than half of D: it is asked about last. */
  readonly knot: Configuration;
  /** The last configurations that were unresolved: a half of one is the same question if the other half has gone meanwhile. */
  readonly refused: readonly Configuration[];
  /** Halves that were put off, each with the half that came before it. */
  readonly deferred: readonly Deferred[];
  /** What came along with the last part that was unresolved with it. */
  readonly along: Configuration;
  /** What came along with two such parts: whatever drags it along would be unresolved too, and is not asked about. */
  readonly stuck: Configuration;
}

interface Deferred {
  readonly half: Configuration;
  readonly sibling: Configuration;
}

export interface Descended {
  readonly suspects: Configuration;
  /** The suspects and what was last removed with them, when the failure disappeared. */
  readonly revertSet: Configuration;
  /** The largest set that was seen to pass. */
  readonly passing: Configuration;
  /** What is left of F. It fails. */
  readonly failing: Configuration;
  /** F fails without the suspects too: D does not explain the failure. */
  readonly refuted: boolean;
}

export interface DescendOptions {
  /** D; all deltas by default. */
  readonly suspects?: Configuration;
  /** The parts of a configuration, the likeliest first. One part or none: it can't be cut. Halves by default. */
  readonly cut?: (configuration: Configuration) => readonly Configuration[];
  /**
   * Ends with what is known after this many questions that bring nothing (default: never). A smaller D restores as much of it as D has
   * lost, so that there are at most patience · (1 + ln |D|) + 2 questions, whatever can't be tested.
   */
  readonly patience?: number;
  /** Whether untestable parts of this are worth asking about. */
  readonly isDivisible?: (configuration: Configuration) => boolean;
  /** What must be applied with these, and what must be removed with them. */
  readonly needs?: Needs;
  /** Whether it is known without a test that a configuration is of no use: it does not parse. */
  readonly isBroken?: (configuration: Configuration) => boolean;
  /** These with all that is in the same files: nothing is broken without that. */
  readonly around?: (configuration: Configuration) => Configuration;
}

/** Goes on from a state that another machine of this kind left, which knew less about what needs what. */
export interface Resumable {
  resume(state: Descend): Descend;
}

const fresh = { along: empty, stuck: empty, knot: empty, deferred: [] } as const;
/** More of them than halves are ever left of one part. */
const mostRefused = 32;

/** Whether an answer about a part shows that the region of a deferred half can be tested. */
const isTestable = ({ sibling }: Deferred, part: Configuration): boolean => !isEmpty(intersection(sibling, part));

/** What is in one of these halves comes first. */
function broughtForward(queue: readonly Configuration[], halves: readonly Deferred[]): readonly Configuration[] {
  if (halves.length === 0) return queue;
  const isIn = (part: Configuration) => halves.some(({ half }) => isSubset(part, half));
  return [...queue.filter(isIn), ...queue.filter(part => !isIn(part))];
}

const larger = (a: Configuration, b: Configuration): Configuration => (size(b) > size(a) ? b : a);

const halves = (configuration: Configuration): readonly Configuration[] =>
  nearlyEqual(configuration, Math.min(2, size(configuration)));

/**
 * The part of the suspects that makes the difference, inside a failing set. Takes all three outcomes.
 *
 * @example
 * ```ts
 * const test = configuration => (has(configuration, 41) ? 'fail' : 'pass');
 * runInOrder(descend(), all(1000), test).result.suspects; // → [41, 42]
 * ```
 */
export function descend(options: DescendOptions = {}): Strategy<Descend, Descended> & Resumable {
  const { cut = halves, isDivisible = () => true, needs = independent, patience = Number.POSITIVE_INFINITY } = options;
  const { isBroken = () => false, around = part => part } = options;
  const { certain = independent } = needs;
  /** What a question removes from F, or tests alone. */
  const meant = ({ phase, failing, suspects, together }: Descend, part: Configuration): Configuration => {
    if (phase === 'alone') return intersection(failing, needs.withNeeded(part));
    const closed = (together ? needs : certain).withNeeding(part);
    const whole = closed === part ? part : intersection(failing, closed);
    if (together || !isBroken(minus(failing, whole))) return whole;
    const wide = intersection(failing, around(whole));
    return isSubset(suspects, wide) ? whole : wide;
  };
  const asked = (state: Descend): Configuration => {
    if (state.phase === 'last') return minus(state.failing, state.suspects);
    const part = meant(state, state.queue[0]!);
    return state.phase === 'without' ? minus(state.failing, part) : part;
  };

  /** How much of what was suspected at first is in a set: what only comes along may be much, and still D gets smaller. */
  const count = (set: Configuration) => (options.suspects ? size(intersection(set, options.suspects)) : size(set));
  /** Fewer of what was suspected at first, or else fewer in all. */
  const isFewer = (some: Configuration, others: Configuration): boolean => {
    const [a, b] = [count(some), count(others)];
    return a < b || (a === b && size(some) < size(others));
  };

  /** Skips the parts whose answer is known, up to the next question. */
  const settle = (state: Descend): Descend => {
    const inOrder = (parts: readonly Configuration[]) => looseFirst(parts, state.knot);
    let queue = inOrder(state.queue);
    const isRefused = (part: Configuration): boolean => {
      const without = minus(state.failing, meant(state, part));
      return state.phase === 'without' && state.refused.some(each => equals(each, without));
    };
    const isKnown = (part: Configuration): boolean => {
      const whole = meant(state, part);
      if (state.phase === 'alone') return isSubset(state.failing, whole);
      if (isSubset(state.suspects, whole)) return true;
      const along = isEmpty(state.stuck) ? empty : intersection(state.stuck, minus(whole, part));
      if (2 * size(along) > size(state.stuck)) return true;
      if (state.together && size(whole) === size(certain.withNeeding(part))) return true;
      return size(whole) > size(part) && !isFewer(whole, state.suspects);
    };
    for (let [first, ...rest] = queue; first; [first, ...rest] = queue) {
      // It was asked about with what has turned out to be innocent: its halves are as close to the culprit as it is.
      if (isRefused(first)) queue = inOrder([...partsOf(state, first), ...rest]);
      else if (isKnown(first)) queue = inOrder([...rest, ...partsOf(state, first)]);
      else break;
    }
    if (queue.length > 0) return { ...state, queue };
    if (state.phase === 'without' && !state.together && needs !== independent && size(state.suspects) > 1) {
      const knot = knotIn(state.suspects, needs);
      return settle({ ...state, ...fresh, together: true, knot, queue: partsOf({ knot }, state.suspects) });
    }
    if (state.phase === 'without' && size(state.suspects) > 1)
      return settle({ ...state, phase: 'alone', queue: cut(state.suspects) });
    return { ...state, queue, phase: state.passed ? 'done' : 'last' };
  };
  /** What can go without much else comes first: it can nearly always be built. */
  const partsOf = ({ knot }: Pick<Descend, 'knot'>, part: Configuration): readonly Configuration[] => {
    const apart = untied(part, knot);
    if (apart.length > 1) return apart;
    const parts = size(part) > 1 ? cut(part) : [];
    return parts.length > 1 ? parts : [];
  };
  const noticing = (state: Descend, along: Configuration): Descend => {
    if (isEmpty(along)) return state;
    const both = intersection(along, state.along);
    const isStuck = 2 * size(both) > size(along);
    return { ...state, along, stuck: isStuck ? larger(state.stuck, both) : state.stuck };
  };
  const open = (state: Omit<Descend, 'phase' | 'queue' | 'refuted' | 'together'>): Descend => {
    const knot = knotIn(state.suspects, certain);
    const queue = partsOf({ knot }, state.suspects);
    return settle({ ...state, phase: 'without', knot, queue, refuted: false, together: false });
  };
  const goOn = (state: Descend, queue: readonly Configuration[]): Descend => settle({ ...state, queue });
  /** After a question: how much patience is left, and the end if there is none. */
  const spending = (before: Descend, after: Descend): Descend => {
    const [had, has] = [count(before.suspects), count(after.suspects)];
    const spent = Math.max(0, before.spent + 1 - (had > has ? (patience * (had - has)) / had : 0));
    if (spent < patience || after.phase === 'done' || after.phase === 'last') return { ...after, spent };
    return { ...after, spent, queue: [], phase: after.passed ? 'done' : 'last' };
  };

  const answered = (state: Descend, outcome: Outcome): Descend => {
    const { failing, queue, revertSet } = state;
    const [first = empty, ...rest] = queue;
    const part = meant(state, first);
    const smaller = isDivisible(first) ? partsOf(state, first) : [];
    switch (state.phase) {
      case 'done':
        throw new Error('descend is done; it has no question to answer.');
      case 'last':
        return {
          ...state,
          phase: 'done',
          passed: outcome === 'pass',
          passing: outcome === 'pass' ? larger(state.passing, asked(state)) : state.passing,
          refuted: outcome === 'fail',
        };
      case 'without':
        if (outcome === 'pass') {
          const passing = larger(state.passing, asked(state));
          return open({ ...state, ...fresh, failing, suspects: part, passed: true, passing, revertSet: part });
        }
        if (outcome === 'unresolved') {
          const refused = [asked(state), ...state.refused].slice(0, mostRefused);
          const [likeliest, ...others] = smaller;
          if (!likeliest) return goOn({ ...noticing(state, minus(part, first)), refused }, rest);
          const deferred = [...state.deferred, ...others.map(half => ({ half, sibling: likeliest }))];
          return goOn({ ...noticing(state, minus(part, first)), refused, deferred }, [likeliest, ...rest, ...others]);
        }
        return goOn(
          {
            ...state,
            failing: minus(failing, part),
            suspects: minus(state.suspects, part),
            revertSet: minus(revertSet, part),
            deferred: state.deferred.filter(each => !isTestable(each, part)),
          },
          broughtForward(
            rest.map(each => minus(each, part)).filter(each => !isEmpty(each)),
            state.deferred.filter(each => isTestable(each, part)),
          ),
        );
      case 'alone':
        // Without it, only the old version is left, and that passes.
        if (outcome === 'fail') return open({ ...state, failing: part, suspects: part, passed: true, revertSet: part });
        return goOn(state, outcome === 'pass' ? rest : [...rest, ...smaller]);
      default:
        throw state.phase satisfies never;
    }
  };

  return {
    name: 'descend',
    start(all) {
      const suspects = intersection(all, options.suspects ?? all);
      return open({
        failing: all,
        suspects,
        passed: false,
        passing: empty,
        revertSet: suspects,
        spent: 0,
        refused: [],
        ...fresh,
      });
    },
    next(state) {
      const { phase, suspects, revertSet, passing, failing, refuted } = state;
      if (phase === 'done') return { kind: 'done', result: { suspects, revertSet, passing, failing, refuted } };
      return { kind: 'ask', configuration: asked(state), sort: phase };
    },
    answer: (state, outcome) => spending(state, answered(state, outcome)),
    best: state => state.failing,
    resume(state) {
      if (state.phase === 'done' || state.phase === 'last') return state;
      const knot = knotIn(state.suspects, state.together ? needs : certain);
      return settle({ ...state, knot, queue: state.queue.flatMap(part => untied(part, knot)) });
    },
    explain(state: Descend, outcome: Outcome): Explanation {
      if (state.phase === 'last') return { part: 'F − D', rule: outcome === 'fail' ? 'D does not explain it' : 'done' };
      const count = size(meant(state, state.queue[0]!));
      const row = { part: state.phase === 'without' ? `F without ${count}` : `${count} alone` };
      if (state.phase === 'without' && outcome === 'fail') return { ...row, rule: 'innocent' };
      const isIt = outcome === (state.phase === 'without' ? 'pass' : 'fail');
      return isIt ? { ...row, rule: `descend into ${count}` } : row;
    },
  };
}
