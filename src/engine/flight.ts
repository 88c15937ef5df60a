/** Tests that are running, and where a search will probably end. */
import type { Configuration, Forecast, Outcome, Strategy } from '../core/index.js';

/** Consecutive searches of a run share it, so that a test started ahead by one search is not started again by the next. */
export interface Flight {
  readonly running: Map<string, AbortController>;
  /** Ends the wait for the next completion. */
  wake: () => void;
}

export const newFlight = (): Flight => ({ running: new Map(), wake: () => {} });

export function abandon({ running, wake }: Flight): void {
  for (const stop of running.values()) stop.abort();
  running.clear();
  wake();
}

/** A longer path to the end is not followed. */
const longest = 512;

/** How a search ends if no other question fails: the result, and how likely it is. `undefined` if the end is too far away. */
export function quietEnd<State, Result>(
  strategy: Strategy<State, Result>,
  from: State,
  known: (configuration: Configuration) => Outcome | undefined,
  { forecast, least }: { readonly forecast: Forecast; readonly least: number },
): Configuration | undefined {
  let state = from;
  let probability = 1;
  for (let steps = 0; steps < longest; steps++) {
    const step = strategy.next(state);
    if (step.kind === 'done') return strategy.best(state);
    const certain = known(step.configuration);
    const chances = forecast(step.questionKind);
    if (!certain) probability *= 1 - chances.fail;
    if (probability < least) return undefined;
    const quiet = strategy.twoValued || chances.pass >= chances.unresolved ? 'pass' : 'unresolved';
    state = strategy.answer(state, certain ?? quiet);
  }
  return undefined;
}
