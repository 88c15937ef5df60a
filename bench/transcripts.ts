import { all, type Configuration, key, type Outcome, type Strategy } from '../src/core/index.js';
import { ddmin, sweep } from '../src/strategies/index.js';

/** The answers that strategies got from a real program, question by question: ✓ as `p`, ✗ as `f`, ? as `u`. */
export interface Transcripts {
  readonly what: string;
  readonly delta: string;
  readonly count: number;
  readonly answers: Readonly<Record<string, string>>;
}

export const signsOf: Readonly<Record<Outcome, string>> = { pass: 'p', fail: 'f', unresolved: 'u' };
const outcomes: Readonly<Record<string, Outcome>> = { p: 'pass', f: 'fail', u: 'unresolved' };

export const strategies: Readonly<Record<string, () => Strategy<unknown>>> = {
  sweep: () => sweep() as unknown as Strategy<unknown>,
  'sweep 8': () => sweep({ strands: 8 }) as unknown as Strategy<unknown>,
  'sweep 16': () => sweep({ strands: 16 }) as unknown as Strategy<unknown>,
  ddmin: () => ddmin() as unknown as Strategy<unknown>,
};

/**
 * The recorded answers by configuration. What was tested ahead and never asked for was not recorded; it counts as unresolved,
 * which can't be noticed: the strategy never hears of it.
 */
export function answersOf(data: Transcripts, strategy: string): ReadonlyMap<string, Outcome> {
  const machine = strategies[strategy]!();
  const known = new Map<string, Outcome>();
  let state = machine.start(all(data.count));
  for (const sign of data.answers[strategy]!) {
    const step = machine.next(state);
    if (step.kind === 'done') break;
    known.set(key(step.configuration), outcomes[sign]!);
    state = machine.answer(state, outcomes[sign]!);
  }
  if (machine.next(state).kind === 'ask')
    throw new Error(`${strategy} asks other questions than it did when ${data.what} was recorded: record it again.`);
  return known;
}

export const replay =
  (answers: ReadonlyMap<string, Outcome>) =>
  (configuration: Configuration): Outcome =>
    answers.get(key(configuration)) ?? 'unresolved';
