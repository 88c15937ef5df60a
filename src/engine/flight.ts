/** Tests that are running. */

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
