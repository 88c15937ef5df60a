import { type Configuration, minus, type Outcome, type Strategy, union } from '../../core/index.js';
import { sweep } from '../../strategies/index.js';

/** A plan's own questions, known beforehand: they can all be tested side by side. The result are their outcomes. */
export function asking(
  all: Configuration,
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
    best: () => all,
  };
}

type List<State> = Strategy<State, Configuration>;

/** What of `free` is needed beside `fixed` for the failure: no single one of it can go. */
export const fewest = (free: Configuration, fixed: Configuration) => within(sweep(), free, fixed);

/** What of `free` must be taken back beside `fixed` so that `failing` passes: none of it may stay. */
export const fewestBack = (failing: Configuration, free: Configuration, fixed: Configuration) =>
  back(sweep(), failing, free, fixed);

function within<State>(list: List<State>, free: Configuration, fixed: Configuration): List<State> {
  const around = (part: Configuration) => union(fixed, part);
  return {
    ...list,
    start: () => list.start(free),
    next: state => {
      const step = list.next(state);
      if (step.kind === 'done') return step;
      return { ...step, configuration: around(step.configuration), ...(step.sure && { sure: step.sure.map(around) }) };
    },
    best: state => around(list.best(state)),
  };
}

/** The question turned round: what "fails" is that taking the part back does not bring a pass. */
function back<State>(
  list: List<State>,
  failing: Configuration,
  free: Configuration,
  fixed: Configuration,
): List<State> {
  const without = (part: Configuration) => minus(minus(failing, fixed), part);
  const { explain: _, ...machine } = list;
  return {
    ...machine,
    name: `${list.name}, taking back`,
    twoValued: false,
    start: () => list.start(free),
    next: state => {
      const step = list.next(state);
      if (step.kind === 'done') return step;
      return {
        ...step,
        configuration: without(step.configuration),
        ...(step.sure && { sure: step.sure.map(without) }),
      };
    },
    answer: (state, outcome) => list.answer(state, turned(outcome)),
    best: () => failing,
  };
}

const turned = (outcome: Outcome): Outcome =>
  outcome === 'pass' ? 'fail' : outcome === 'fail' ? 'pass' : 'unresolved';
