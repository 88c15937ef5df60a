/** askAll: asks a fixed list of questions. All of them are known in advance, so they can be tested in parallel. */
import type { Configuration, Outcome, Strategy } from '../core/index.js';

/** The outcomes, in the order of the questions. `failing` fails: a run that is stopped has nothing smaller to show. */
export function askAll(
  failing: Configuration,
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
            questionKind: 'check',
          }
        : { kind: 'done', result: outcomes },
    answer: (outcomes, outcome) => [...outcomes, outcome],
    best: () => failing,
  };
}
