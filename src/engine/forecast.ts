/** Estimates how likely each outcome is, to choose what is worth testing ahead. */
import type { Outcome } from '../core/index.js';

/** How much one answer moves the estimate. Tests of one kind behave differently in the course of a run, so older answers fade. */
const pace = 0.08;

/**
 * Learns how often questions of each kind fail, pass or are unresolved, from real answers. It only decides what is tested
 * ahead; a wrong forecast costs time and never changes an answer.
 */
export class OutcomeStats {
  readonly #sorts = new Map<string, Record<Outcome, number>>();

  forecast = (sort = ''): Readonly<Record<Outcome, number>> =>
    this.#sorts.get(sort) ?? { fail: 0.3, pass: 0.35, unresolved: 0.35 };

  learn(sort = '', outcome: Outcome): void {
    const chances = { ...this.forecast(sort) };
    for (const each of ['fail', 'pass', 'unresolved'] as const)
      chances[each] += pace * ((each === outcome ? 1 : 0) - chances[each]);
    this.#sorts.set(sort, chances);
  }
}
