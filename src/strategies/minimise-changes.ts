/** Questions of `changes` that are known beforehand, so that they can run in parallel. */
import {
  all,
  type Configuration,
  deltasOf,
  has,
  minus,
  type Outcome,
  of,
  type Strategy,
  union,
} from '../core/index.js';
import { type Sweep, sweep } from './sweep.js';

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

/** What of `free` is needed beside `fixed` for the failure: none of it can go, alone or with its group where there are groups. */
export const fewest = (free: Configuration, fixed: Configuration, groups?: Groups) =>
  within(sweep(), unitsOf(free, groups), part => union(fixed, part));

/** What of `free` must be taken back beside `fixed` so that `failing` passes: none of it may stay. */
export const fewestBack = (failing: Configuration, free: Configuration, fixed: Configuration, groups?: Groups) => {
  const { explain: _, ...machine } = within(sweep(), unitsOf(free, groups), part => minus(minus(failing, fixed), part));
  return {
    ...machine,
    name: `${machine.name}, taking back`,
    twoValued: false,
    // The question turned round: what "fails" is that taking the part back brings a pass.
    answer: (state: Sweep, outcome: Outcome) => machine.answer(state, turned(outcome)),
    best: () => failing,
  };
};

type Groups = readonly (readonly number[])[];

/** What a list algorithm decides about: deltas, or groups of them. */
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

const turned = (outcome: Outcome): Outcome =>
  outcome === 'pass' ? 'fail' : outcome === 'fail' ? 'pass' : 'unresolved';
