/** Tests that are running, and what a search would ask if nothing unlikely happens. */
import type { Configuration, Forecast, Outcome, Strategy } from '../core/index.js';

/** Consecutive searches of a run share one: a test that one search started ahead, the next need not start again. */
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

/** A path to the end that is longer than this is not followed. */
const longest = 512;

/** How a search ends if no other question fails: with which result, and how likely that is. Nothing if it is too far off. */
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
