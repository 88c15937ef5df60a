/**
 * minimise-changes: sweep over a part of the changes while the rest is fixed. Used by `changes` for what must be added to the old
 * version to make it fail, and for what must be reverted in the new version to make it pass.
 */
import { all, type Configuration, deltasOf, has, invert, minus, of, type Strategy, union } from '../core/index.js';
import { type Sweep, sweep } from './sweep.js';

/** Deltas that are first decided about together. */
export type Groups = readonly (readonly number[])[];

export interface MinimiseOptions {
  /** The deltas that may be left out. */
  readonly free: Configuration;
  /** Deltas that are added, or reverted, in every test. */
  readonly fixed: Configuration;
  /** Decides about whole groups. Every delta of `free` must be in one. */
  readonly groups?: Groups;
}

/** The deltas of `free` that the failure needs beside `fixed`. None of them (or of their groups) can be removed. */
export const minimiseAdded = ({ free, fixed, groups }: MinimiseOptions): Strategy<Sweep> =>
  within(sweep(), unitsOf(free, groups), part => union(fixed, part));

/** The deltas of `free` to revert in `failing` beside `fixed`, until it passes. Each of them (or of their groups) is needed. */
export function minimiseReverted(failing: Configuration, { free, fixed, groups }: MinimiseOptions): Strategy<Sweep> {
  const base = minus(failing, fixed);
  const { explain: _, ...machine } = within(sweep(), unitsOf(free, groups), part => minus(base, part));
  return {
    ...machine,
    name: `${machine.name}, reverting`,
    twoValued: false,
    // Sweep looks for a failure. Here it looks for the smallest revert that passes.
    answer: (state, outcome) => machine.answer(state, invert(outcome)),
    best: () => failing,
  };
}

/** What sweep decides about: deltas, or groups of them. */
interface Units {
  readonly all: Configuration;
  deltas(units: Configuration): Configuration;
}

function unitsOf(free: Configuration, groups: Groups | undefined): Units {
  if (!groups) return { all: free, deltas: units => units };
  const parts = groups.map(group => group.filter(delta => has(free, delta))).filter(part => part.length > 0);
  return { all: all(parts.length), deltas: units => of([...deltasOf(units)].flatMap(unit => parts[unit]!)) };
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
