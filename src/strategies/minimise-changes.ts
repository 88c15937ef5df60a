/** Questions of `changes`: known ones side by side, the fewest changes to apply, the fewest to revert. */
import {
  all,
  type Configuration,
  deltasOf,
  has,
  intersection,
  minus,
  type Outcome,
  of,
  type Strategy,
  union,
} from '../core/index.js';
import type { Grouping } from './cutting.js';
import { independent, type Needs } from './descend.js';
import { type Sweep, type SweepOptions, sweep } from './sweep.js';

/** A plan's own questions, known beforehand: they can all be tested side by side. The result are their outcomes. */
export function asking(
  everything: Configuration,
  questions: readonly Configuration[],
): Strategy<readonly Outcome[], readonly Outcome[]> {
  return {
    name: 'check',
    start: () => [],
    next: outcomes =>
      outcomes.length < questions.length
        ? {
            kind: 'ask',
            configuration: questions[outcomes.length]!,
            sure: questions.slice(outcomes.length + 1),
            sort: 'check',
          }
        : { kind: 'done', result: outcomes },
    answer: (outcomes, outcome) => [...outcomes, outcome],
    best: () => everything,
  };
}

/** What a search for the fewest decides about. */
export interface Few {
  readonly free: Configuration;
  /** Applied in each question, or taken back in each. */
  readonly fixed: Configuration;
  /** Groups are decided as one. */
  readonly grouping?: Grouping;
  /** What goes with what: without it, single deltas are decided as they are. */
  readonly needs?: Needs;
  readonly sweep?: SweepOptions;
}

/** What of `free` is needed beside `fixed` for the failure. */
export const fewest = ({ free, fixed, grouping, needs = independent, sweep: options }: Few) => {
  const feasible = (part: Configuration) => minus(part, needs.withNeeding(minus(free, part)));
  return within(sweep(options), unitsOf(free, grouping, feasible), part => union(fixed, part));
};

/** What of `free` must be taken back beside `fixed` so that `failing` passes. */
export const fewestBack = (failing: Configuration, { free, fixed, grouping, needs, sweep: options }: Few) => {
  const closed = (part: Configuration) => (needs ? intersection(free, needs.withNeeding(part)) : part);
  const units = unitsOf(free, grouping, closed);
  const { explain: _, ...machine } = within(sweep(options), units, part => minus(minus(failing, fixed), part));
  return {
    ...machine,
    name: `${machine.name}, taking back`,
    twoValued: false,
    // The question turned round: what "fails" is that taking the part back brings a pass.
    answer: (state: Sweep, outcome: Outcome) => machine.answer(state, turned(outcome)),
    best: () => failing,
  };
};

/** What a list algorithm decides about: deltas, or groups of them. */
interface Units {
  readonly all: Configuration;
  deltas(units: Configuration): Configuration;
}

function unitsOf(
  free: Configuration,
  grouping: Grouping | undefined,
  feasible: (part: Configuration) => Configuration,
): Units {
  if (!grouping) return { all: free, deltas: feasible };
  const parts = grouping.map(group => group.filter(delta => has(free, delta))).filter(part => part.length > 0);
  return { all: all(parts.length), deltas: units => feasible(of([...deltasOf(units)].flatMap(unit => parts[unit]!))) };
}

function within<State>(
  list: Strategy<State, Configuration>,
  units: Units,
  asked: (part: Configuration) => Configuration,
): Strategy<State, Configuration> {
  const around = (part: Configuration) => asked(units.deltas(part));
  return {
    ...list,
    start: () => list.start(units.all),
    next: state => {
      const step = list.next(state);
      if (step.kind === 'done') return { ...step, result: units.deltas(step.result) };
      return { ...step, configuration: around(step.configuration), ...(step.sure && { sure: step.sure.map(around) }) };
    },
    best: state => around(list.best(state)),
  };
}

const turned = (outcome: Outcome): Outcome =>
  outcome === 'pass' ? 'fail' : outcome === 'fail' ? 'pass' : 'unresolved';
