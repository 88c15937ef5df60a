/** Counts what a whole run asks, caches and runs. */
import type { Outcome } from '../core/index.js';
import type { Counts } from './events.js';

/**
 * The numbers of a whole run, over all of its passes.
 *
 * @example
 * ```ts
 * const counter = new Counter();
 * counter.answered('an artifact', 'pass', false); // → { step: 1, known: false }
 * counter.answered('an artifact', 'pass', false); // → { step: 2, known: true }
 * ```
 */
export class Counter {
  /** Questions that needed a test: what a single worker would have run. Budgets count these. */
  spent = 0;
  /** Tests that were started, including speculative ones that were never used. */
  started = 0;
  /** Answers that were already given in this run, by content: asking again costs nothing and is shown as known. */
  readonly #answered = new Set<string>();
  #tests = 0;
  #cached = 0;
  #unresolved = 0;

  /**
   * Counts an answer and gives it its number in the run. `free`: it needs no test, because it can't be built. `again`: an
   * earlier question is tested again.
   */
  answered(
    name: string,
    outcome: Outcome,
    free: boolean,
    again = false,
  ): { readonly step: number; readonly known: boolean } {
    const known = !again && this.#answered.has(name);
    this.#answered.add(name);
    if (known || free) this.#cached++;
    else this.spent++;
    if (outcome === 'unresolved') this.#unresolved++;
    return { step: ++this.#tests, known };
  }

  /** Forgets all answers: from here on a different test answers, so everything is asked again. */
  forget(): void {
    this.#answered.clear();
  }

  /** Whether a question was already answered in this run. */
  knows(name: string): boolean {
    return this.#answered.has(name);
  }

  get counts(): Counts {
    return {
      tests: this.#tests,
      executed: this.spent,
      cached: this.#cached,
      unresolved: this.#unresolved,
      speculative: Math.max(0, this.started - this.spent),
    };
  }
}
