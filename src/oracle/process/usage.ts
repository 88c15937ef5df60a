/** Checks regularly what a running test uses, and reports when it exceeds a limit. */
import { memoryOf, sharedMemoryOf } from './processes.js';

export type Exceeded = 'memory' | 'processes';

export interface Allowed {
  /** Memory of all processes together, in MB. */
  readonly total: number;
  readonly processes: number;
}

/** Milliseconds between two checks. Most tests end before the first one. */
const pause = 100;

/** Calls `exceeded` once, when there are too many processes or they use too much memory. Returns a function that stops the checks. */
export function watchUsage(
  living: () => readonly number[],
  { total, processes }: Allowed,
  exceeded: (what: Exceeded) => void,
): () => void {
  const timer = setInterval(() => {
    const pids = living();
    const what = pids.length > processes ? 'processes' : takesMore(pids, total) ? 'memory' : undefined;
    if (what === undefined) return;
    clearInterval(timer);
    exceeded(what);
  }, pause);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Pages that processes share after a fork are counted once for each of them. Only if that sum is too large is the exact
 * figure worth its cost.
 */
const takesMore = (pids: readonly number[], total: number): boolean =>
  sum(pids, memoryOf) > total && sum(pids, sharedMemoryOf) > total;

const sum = (pids: readonly number[], measure: (pid: number) => number): number =>
  pids.reduce((total, pid) => total + measure(pid), 0) / 1024;
