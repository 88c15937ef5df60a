/**
 * minimise-changes: sweep over a part of the changes while the rest is fixed. Used by `changes` for what must be added to the old
 * version to make it fail, and for what must be reverted in the new version to make it pass.
 */
import {
  all,
  type Configuration,
  deltasOf,
  has,
  intersection,
  invert,
  minus,
  type Outcome,
  of,
  type Strategy,
  union,
} from '../core/index.js';
import type { Grouping } from './cutting.js';
import { independent, type Needs } from './knot.js';
import { type Sweep, type SweepOptions, sweep } from './sweep.js';

export interface MinimiseOptions {
  /** The deltas that may be left out. */
  readonly free: Configuration;
  /** Deltas that are added, or reverted, in every test. */
  readonly fixed: Configuration;
  /** Decides about whole groups. Every delta of `free` must be in one. */
  readonly groups?: Grouping;
  /** What must be decided together. Without it, each delta is decided by itself. */
  readonly needs?: Needs;
  readonly sweep?: SweepOptions;
}

/** The deltas of `free` that the failure needs besides `fixed`. None of them (or of their groups) can be removed. */
export const minimiseAdded = ({ free, fixed, groups, needs = independent, sweep: options }: MinimiseOptions) => {
  const feasible = (part: Configuration) => minus(part, needs.withNeeding(minus(free, part)));
  return within(sweep(options), unitsOf(free, groups, feasible), part => union(fixed, part));
};

/** The deltas of `free` to revert in `failing` besides `fixed`, until it passes. Each of them (or of their groups) is needed. */
export const minimiseReverted = (
  failing: Configuration,
  { free, fixed, groups, needs, sweep: options }: MinimiseOptions,
) => {
  const closed = (part: Configuration) => (needs ? intersection(free, needs.withNeeding(part)) : part);
  const units = unitsOf(free, groups, closed);
  const { explain: _, ...machine } = within(sweep(options), units, part => minus(minus(failing, fixed), part));
  return {
    ...machine,
    name: `${machine.name}, reverting`,
    twoValued: false,
    // Sweep looks for a failure. Here it looks for the smallest revert that passes.
    answer: (state: Sweep, outcome: Outcome) => machine.answer(state, invert(outcome)),
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
  groups: Grouping | undefined,
  feasible: (part: Configuration) => Configuration,
): Units {
  if (!groups) return { all: free, deltas: feasible };
  const parts = groups.map(group => group.filter(delta => has(free, delta))).filter(part => part.length > 0);
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
