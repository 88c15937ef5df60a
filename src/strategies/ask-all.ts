/** askAll: asks a fixed list of questions. All of them are known in advance, so they can be tested in parallel. */
import type { Configuration, Outcome, Strategy } from '../core/index.js';

/**
 * The outcomes, in the order of the questions. `failing` fails: a run that is stopped has nothing smaller to show. `until`: the
 * questions after the first one with this outcome are not asked.
 */
export function askAll(
  failing: Configuration,
  questions: readonly Configuration[],
  until?: Outcome,
): Strategy<readonly Outcome[], readonly Outcome[]> {
  const isOver = (outcomes: readonly Outcome[]): boolean =>
    outcomes.length === questions.length || (until !== undefined && outcomes.at(-1) === until);
  return {
    name: 'check',
    start: () => [],
    next: outcomes =>
      isOver(outcomes)
        ? { kind: 'done', result: outcomes }
        : {
            kind: 'ask',
            configuration: questions[outcomes.length]!,
            sure: until === undefined ? questions.slice(outcomes.length + 1) : [],
            questionKind: 'check',
          },
    answer: (outcomes, outcome) => [...outcomes, outcome],
    best: () => failing,
  };
}
