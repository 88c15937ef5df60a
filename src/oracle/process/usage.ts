/** Looks now and then at what a running test uses, and says when that is more than it may. */
import { memoryOf, sharedMemoryOf } from './processes.js';

export type Exceeded = 'memory' | 'processes';

export interface Allowed {
  /** Memory of all processes together, in MB. */
  readonly total: number;
  readonly processes: number;
}

/** Milliseconds between two looks. Most tests end before the first. */
const pause = 100;

/** Calls `exceeded` once, when the processes are too many or take too much memory. Returns how to stop looking. */
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

/** Pages that processes share after a fork count once for each; only if that sum is too much is it worth to divide them. */
const takesMore = (pids: readonly number[], total: number): boolean =>
  sum(pids, memoryOf) > total && sum(pids, sharedMemoryOf) > total;

const sum = (pids: readonly number[], measure: (pid: number) => number): number =>
  pids.reduce((total, pid) => total + measure(pid), 0) / 1024;
