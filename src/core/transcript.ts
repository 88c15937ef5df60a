/** Runs a strategy and records its steps, as the papers' tables show them. */
import { type Configuration, key } from './configuration.js';
import type { Outcome } from './outcome.js';
import type { Explanation, Strategy } from './strategy.js';

export interface Row extends Explanation {
  readonly step: number;
  readonly configuration: Configuration;
  readonly outcome: Outcome;
  /** The same test was carried out in an earlier step; it is shown, and not run again. */
  readonly known: boolean;
}

export interface Transcript<Result> {
  readonly rows: readonly Row[];
  readonly result: Result;
}

/**
 * The reference driver once more, with a memory, and with the terms of the papers' tables.
 *
 * @example
 * ```ts
 * const { rows, result } = transcribe(ddmin(), all(8), configuration => (has(configuration, 6) ? 'fail' : 'pass'));
 * rows.map(row => `${row.part} ${signs[row.outcome]}`); // → ['Δ1 ✓', 'Δ2 ✗', 'Δ1 ✓', 'Δ2 ✗', 'Δ1 ✗']
 * result; // → [6, 7]
 * ```
 */
export function transcribe<State, Result>(
  strategy: Strategy<State, Result>,
  all: Configuration,
  test: (configuration: Configuration) => Outcome,
): Transcript<Result> {
  const answers = new Map<string, Outcome>();
  const rows: Row[] = [];
  let state = strategy.start(all);
  for (;;) {
    const step = strategy.next(state);
    if (step.kind === 'done') return { rows, result: step.result };
    const { configuration } = step;
    const known = answers.get(key(configuration));
    const outcome = known ?? test(configuration);
    answers.set(key(configuration), outcome);
    const words = strategy.explain?.(state, outcome) ?? {};
    rows.push({ step: rows.length + 1, configuration, outcome, known: known !== undefined, ...words });
    state = strategy.answer(state, outcome);
  }
}
