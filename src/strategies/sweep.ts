/**
 * sweep: our own list algorithm, for the fewest tests at a 1-minimal result.
 *
 * Deltas are decided from the last to the first, because later ones tend to use earlier ones (Hodován and Kiss 2016 report
 * the same for complements taken backward). The question is always: can the last k undecided deltas be removed together? If
 * so, they are gone; if not, halving k finds the last one that is needed, as Hwang's group testing does (JASA 1972). k is
 * chosen so that the answer is as uncertain as can be: how often a delta was needed after a needed one and after a removable
 * one is counted on the way, so that runs of needed deltas cost one question each and long useless stretches a few (MacIver's
 * adaptive deletion in Hypothesis gallops for the same reason).
 *
 * With more than one lane the list is cut into that many stretches, and a round asks one question for each of them
 * against the same base. The questions of a round do not depend on each other's answers, so any number of workers can share
 * them; the successes are then merged: all together, else the longest prefix that still fails. The number of
 * lanes never depends on the number of workers, so neither does the answer.
 *
 * The walk infers what is needed from tests on larger configurations. The proof at the end tries every delta that is left
 * alone against the same configuration, in a circle, until a whole turn changed nothing: the result is 1-minimal.
 */
import {
  type Configuration,
  empty,
  isEmpty,
  minus,
  nearlyEqual,
  type Outcome,
  type Strategy,
  size,
  slice,
  union,
} from '../core/index.js';
import { addToTally, groupSize, priorOf, type Tally } from './tally.js';

export interface SweepOptions {
  /** How many stretches are decided at the same time. More of them keep more workers busy and cost a few more tests. */
  readonly lanes?: number;
  /** Prove at the end that no single delta can be removed (default), or leave that to a later run over what remains. */
  readonly prove?: boolean;
  /** Leave the walk after this many questions in a row without a success, so that other passes get their turn. */
  readonly patience?: number;
  /** How many questions a success is worth: it restores that much patience (default: all of it). */
  readonly worth?: (gone: Configuration) => number;
  /**
   * Begin as ddmin does: as long as one half of what is left is enough, the other half is removed. A small cause in a large
   * irrelevant input is found with one or two questions per halving, wherever it is. If the same side can be removed again and
   * again, the cause is at the other end, and more than half is removed at once. If halves do not help, they cost one or two
   * questions. `front`: all but the end is removed first, because the back half is known to be needed.
   */
  readonly halves?: boolean | 'front';
  /** How many needed deltas to expect. It sets the size of the first groups only; the walk then learns from its answers. */
  readonly expected?: number;
  /** Try to remove each lane as a whole first, whatever is expected: neighbours may only be removable together. */
  readonly wholeLanes?: boolean;
}

/** A stretch that is being decided from its end. */
interface Lane {
  readonly undecided: Configuration;
  /** The last `bound` undecided deltas can't all be removed; 0: nothing is known. */
  readonly bound: number;
  /** Whether the delta after the undecided ones was needed. */
  readonly afterNeeded: boolean;
  /** How many deltas the last success removed, if none was found needed since. */
  readonly run: number;
}

export type Sweep =
  | {
      readonly phase: 'halve';
      readonly failing: Configuration;
      /** Which half to remove next. The back one comes first, and later the one that could be removed before. */
      readonly half: 'back' | 'front';
      /** The other half is needed. */
      readonly isSecond: boolean;
      /** How often in a row this side could be removed. */
      readonly run: number;
    }
  | {
      readonly phase: 'walk';
      readonly failing: Configuration;
      readonly lanes: readonly Lane[];
      readonly tally: Tally;
      /** The answers of this round so far, lane by lane. */
      readonly answers: readonly boolean[];
      /** Questions since the last success. */
      readonly misses: number;
    }
  | {
      readonly phase: 'merge';
      readonly failing: Configuration;
      readonly lanes: readonly Lane[];
      readonly tally: Tally;
      readonly answers: readonly boolean[];
      readonly misses: number;
      /** The first `low` successes can be removed together; the first `high` can't (or are being tested now). */
      readonly low: number;
      readonly high: number;
      readonly all: boolean;
    }
  | {
      readonly phase: 'prove';
      readonly failing: Configuration;
      /** The deltas before this position, counted from 0, are next; those after it were tried in this turn. */
      readonly at: number;
      readonly spared: number;
      /** How many deltas are tried together: more than one only right after a success. */
      readonly stride: number;
    };

type Walking = Extract<Sweep, { lanes: unknown }>;

/**
 * Simplifies to a 1-minimal configuration with few tests: the default of everything that simplifies.
 *
 * @example
 * ```ts
 * const needs = configuration => (has(configuration, 2) && has(configuration, 6) ? 'fail' : 'pass');
 * runInOrder(sweep({ lanes: 2 }), all(1000), needs).result; // → [2, 3, 6, 7]
 * ```
 */
export function sweep({
  lanes: width = 1,
  prove = true,
  patience = Infinity,
  worth = () => Infinity,
  halves = false,
  expected,
  wholeLanes = false,
}: SweepOptions = {}): Strategy<Sweep> {
  /** Drops the lanes that are decided. If no lane or no patience is left, the proof begins, or the search ends. */
  const walkOn = ({ failing, lanes, tally, misses }: Walking): Sweep => {
    const left = misses < patience ? lanes.filter(lane => !isEmpty(lane.undecided)) : [];
    if (left.length > 0) return { phase: 'walk', failing, lanes: left, tally, answers: [], misses };
    const count = size(failing);
    return { phase: 'prove', failing, at: count, spared: prove ? 0 : count, stride: 1 };
  };
  const walk = (failing: Configuration): Sweep => {
    const n = size(failing);
    const lanes = nearlyEqual(failing, Math.max(1, Math.min(width, Math.floor(n / 2))))
      .toReversed()
      .map(undecided => ({ undecided, bound: 0, afterNeeded: false, run: wholeLanes ? size(undecided) : 0 }));
    return walkOn({ phase: 'walk', failing, lanes, tally: priorOf(n, expected), answers: [], misses: 0 });
  };
  const halve = (failing: Configuration, half: 'back' | 'front', run: number): Sweep =>
    halves && size(failing) > 2 ? { phase: 'halve', failing, half, isSecond: false, run } : walk(failing);
  return {
    name: 'sweep',
    twoValued: true,
    proves: prove,
    start: all => (halves === 'front' ? halve(all, 'front', longRun) : halve(all, 'back', 0)),
    next(state) {
      switch (state.phase) {
        case 'halve':
          return { kind: 'ask', configuration: minus(state.failing, halfOf(state)), questionKind: 'halve' };
        case 'walk': {
          const { failing, lanes, tally, answers } = state;
          const questions = lanes.slice(answers.length).map(lane => minus(failing, group(lane, tally)));
          const halving = lanes[answers.length]!.bound > 0;
          return {
            kind: 'ask',
            configuration: questions[0]!,
            sure: questions.slice(1),
            questionKind: halving ? 'halve' : 'group',
          };
        }
        case 'merge':
          return {
            kind: 'ask',
            configuration: minus(state.failing, merged(state, probe(state))),
            questionKind: 'merge',
          };
        case 'prove':
          if (state.spared >= size(state.failing)) return { kind: 'done', result: state.failing };
          return {
            kind: 'ask',
            configuration: minus(state.failing, tried(state)),
            questionKind: state.stride > 1 ? 'stride' : 'prove',
          };
      }
    },
    answer(state, outcome) {
      const gone = outcome === 'fail';
      switch (state.phase) {
        case 'halve':
          if (gone) return halve(minus(state.failing, halfOf(state)), state.half, state.isSecond ? 1 : state.run + 1);
          if (keptShare(state) > 1) return { ...state, run: 0 };
          if (state.isSecond) return walk(state.failing);
          return { ...state, half: state.half === 'back' ? 'front' : 'back', isSecond: true, run: 0 };
        case 'walk': {
          const answers = [...state.answers, gone];
          if (answers.length < state.lanes.length) return { ...state, answers };
          const successes = answers.filter(Boolean).length;
          if (successes < 2) return walkOn(settle({ ...state, answers }, successes, worth));
          return { ...state, phase: 'merge', answers, low: 1, high: successes, all: true };
        }
        case 'merge': {
          const asked = probe(state);
          if (state.all && gone) return walkOn(settle(state, state.high, worth));
          const low = gone ? asked : state.low;
          const high = gone ? state.high : asked;
          return high - low < 2 ? walkOn(settle(state, low, worth)) : { ...state, all: false, low, high };
        }
        case 'prove': {
          const { failing, at, spared, stride } = state;
          if (!gone && stride > 1) return { ...state, stride: 1 };
          if (!gone) return turn({ ...state, at: at - 1, spared: spared + 1 });
          const asked = size(tried(state));
          return turn({
            phase: 'prove',
            failing: minus(failing, tried(state)),
            at: at - asked,
            spared: 0,
            stride: 2 * stride,
          });
        }
      }
    },
    best: state => state.failing,
    progress: state => {
      if (state.phase === 'prove') return { left: size(state.failing) - state.spared, proof: true };
      if (state.phase === 'halve') return { left: size(state.failing) };
      return { left: state.lanes.reduce((sum, lane) => sum + size(lane.undecided), 0) };
    },
    explain(state: Sweep, outcome: Outcome) {
      const rule = outcome === 'fail' ? { rule: `removed ${size(leftOut(state))}` } : {};
      if (state.phase === 'halve') return { part: `${state.half} half`, ...rule };
      if (state.phase === 'walk')
        return { part: `last ${size(group(state.lanes[state.answers.length]!, state.tally))}`, ...rule };
      if (state.phase === 'merge') return { part: `${probe(state)} together`, ...rule };
      return { part: 'prove', ...rule };
    },
  };
}

/** The deltas that the current question leaves out. */
function leftOut(state: Sweep): Configuration {
  switch (state.phase) {
    case 'halve':
      return halfOf(state);
    case 'walk':
      return group(state.lanes[state.answers.length]!, state.tally);
    case 'merge':
      return merged(state, probe(state));
    case 'prove':
      return tried(state);
  }
}

type Halving = Extract<Sweep, { phase: 'halve' }>;

function halfOf(state: Halving): Configuration {
  const { failing, half } = state;
  const n = size(failing);
  if (half === 'back') return slice(failing, Math.max(1, n >> keptShare(state)), n);
  return slice(failing, 0, n - Math.max(1, (n + 1) >> keptShare(state)));
}

/** How often the configuration is halved at once: after three successes in a row, twice as often each time (Bentley and Yao 1976). */
const keptShare = ({ run }: Halving): number => 2 ** Math.max(0, Math.min(run, longRun) - 2);
const longRun = 4;

/**
 * How much the next group grows after a success. Needed deltas come in bursts with long useless stretches between them, so
 * groups grow faster in a stretch than the tally alone suggests. A larger factor costs tests if needed deltas are spread
 * evenly.
 */
const gallop = 1.6;

/** The deltas that a lane asks about now. */
function group(lane: Lane, tally: Tally): Configuration {
  const n = size(lane.undecided);
  const k =
    lane.bound > 0
      ? Math.max(1, Math.min(lane.bound >> 1, groupSize(tally, lane.afterNeeded)))
      : Math.min(n, Math.max(groupSize(tally, lane.afterNeeded), Math.floor(gallop * lane.run)));
  return slice(lane.undecided, n - k, n);
}

/** Ends a round: the first `count` successes are applied, and the other lanes learn what could not be removed. */
function settle(state: Walking, count: number, worth: (gone: Configuration) => number): Walking {
  let tally = state.tally;
  let taken = 0;
  let gone: Configuration = empty;
  const lanes = state.lanes.map((lane, i) => {
    const asked = group(lane, state.tally);
    const k = size(asked);
    if (state.answers[i]) {
      // A success that could not be merged is asked again against the new base.
      if (++taken > count) return lane;
      gone = union(gone, asked);
      tally = addToTally(tally, lane.afterNeeded, false, k);
      const bound = lane.bound > 0 ? lane.bound - k : 0;
      const run = lane.bound > 0 ? 0 : k;
      return conclude({ undecided: minus(lane.undecided, asked), bound, afterNeeded: false, run });
    }
    return conclude({ ...lane, bound: k });
  });
  function conclude(lane: Lane): Lane {
    if (lane.bound !== 1) return lane;
    // The rest of the group could be removed, the group as a whole could not: its first delta is needed.
    tally = addToTally(tally, lane.afterNeeded, true, 1);
    return { undecided: slice(lane.undecided, 0, size(lane.undecided) - 1), bound: 0, afterNeeded: true, run: 0 };
  }
  const asked = state.misses + state.answers.length;
  const misses = count > 0 ? Math.max(0, asked - worth(gone)) : asked;
  return { phase: 'walk', failing: minus(state.failing, gone), lanes, tally, answers: [], misses };
}

const probe = (state: Extract<Sweep, { phase: 'merge' }>): number =>
  state.all ? state.high : (state.low + state.high) >> 1;

/** What the first `count` successes of a round remove. */
function merged(state: Walking, count: number): Configuration {
  let taken = 0;
  let gone: Configuration = empty;
  state.lanes.forEach((lane, i) => {
    if (state.answers[i] && ++taken <= count) gone = union(gone, group(lane, state.tally));
  });
  return gone;
}

const tried = ({ failing, at, stride }: Extract<Sweep, { phase: 'prove' }>): Configuration =>
  slice(failing, Math.max(0, at - stride), at);

/** At the front of the list, the next turn begins at its end. */
const turn = (state: Extract<Sweep, { phase: 'prove' }>): Sweep =>
  state.at > 0 ? state : { ...state, at: size(state.failing), stride: 1 };
