import { all, type Configuration, key, type Outcome, type Strategy } from '../../src/core/index.js';
import { ddmin, sweep } from '../../src/strategies/index.js';

/** The answers that strategies got from a real program, question by question: ✓ as `p`, ✗ as `f`, ? as `u`. */
export interface Transcripts {
  readonly what: string;
  readonly delta: string;
  readonly count: number;
  readonly answers: Readonly<Record<string, string>>;
  /** A checksum of each strategy's questions: answers are only good for the questions that they were given to. */
  readonly questions: Readonly<Record<string, number>>;
}

export function checksum(questions: readonly string[]): number {
  let sum = questions.length;
  for (const question of questions)
    for (let i = 0; i < question.length; i++) sum = Math.imul(sum ^ question.charCodeAt(i), 0x01000193);
  return sum >>> 0;
}

export const signsOf: Readonly<Record<Outcome, string>> = { pass: 'p', fail: 'f', unresolved: 'u' };
const outcomes: Readonly<Record<string, Outcome>> = { p: 'pass', f: 'fail', u: 'unresolved' };

export const strategies: Readonly<Record<string, () => Strategy<unknown>>> = {
  sweep: () => sweep() as unknown as Strategy<unknown>,
  'sweep 8': () => sweep({ lanes: 8 }) as unknown as Strategy<unknown>,
  'sweep 16': () => sweep({ lanes: 16 }) as unknown as Strategy<unknown>,
  ddmin: () => ddmin() as unknown as Strategy<unknown>,
};

/**
 * The recorded answers by configuration. What was tested ahead and never asked for was not recorded; it counts as unresolved,
 * which can't be noticed: the strategy never hears of it.
 */
export function answersOf(data: Transcripts, strategy: string): ReadonlyMap<string, Outcome> {
  const machine = strategies[strategy]!();
  const known = new Map<string, Outcome>();
  const questions: string[] = [];
  let state = machine.start(all(data.count));
  for (const sign of data.answers[strategy]!) {
    const step = machine.next(state);
    if (step.kind === 'done') break;
    questions.push(key(step.configuration));
    known.set(key(step.configuration), outcomes[sign]!);
    state = machine.answer(state, outcomes[sign]!);
  }
  if (machine.next(state).kind === 'ask' || checksum(questions) !== data.questions[strategy])
    throw new Error(
      `${strategy} asks other questions than when "${data.what}" was recorded. Record it again: bench/record.ts`,
    );
  return known;
}

export const replay =
  (answers: ReadonlyMap<string, Outcome>) =>
  (configuration: Configuration): Outcome =>
    answers.get(key(configuration)) ?? 'unresolved';
