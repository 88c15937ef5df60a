/** Limits the time that a test really had: the time for which it waited for a busy CPU does not count. */
import { greatestOf } from '../../core/lists.js';
import { waitedForCpu } from './processes.js';

export interface OwnTimeLimit {
  /** Seconds that the test may take by itself. */
  readonly seconds: number;
  /** Nanoseconds for which each thread of the test has waited since it was born, by its id. */
  readonly read: () => ReadonlyMap<number, number>;
  /** Called once the time is used up. */
  readonly expire: () => void;
}

/** Milliseconds between two looks. A process that ends in between takes its wait with it. */
const pause = 100;
/** A test that gets next to no CPU ends after this many times its limit. */
const longestStretch = 10;

/**
 * On a loaded machine, a test takes longer through no fault of its own. The kernel says how long each thread was ready to run
 * but had no CPU (proc(5), schedstat). Without that time, a test that computes is judged by its CPU time, and one that sleeps
 * by the clock. If the kernel does not say it, the clock decides.
 *
 * Returns how to stop; that says for how many seconds the test had to wait, to the last look.
 */
export function limitOwnTime({ seconds, read, expire }: OwnTimeLimit): () => number {
  const began = performance.now();
  let before: ReadonlyMap<number, number> = new Map();
  let looked = began;
  let waited = 0;
  const look = (): void => {
    const now = performance.now();
    const after = read();
    // Threads wait side by side: the longest wait counts, and it is never longer than the time that went by.
    const longest = Math.max(0, greatestOf([...after].map(([id, total]) => total - (before.get(id) ?? 0))));
    waited += Math.min(longest / 1e6, now - looked);
    before = after;
    looked = now;
  };
  let timer: NodeJS.Timeout;
  const check = (): void => {
    look();
    const elapsed = looked - began;
    const left = Math.min(seconds * 1000 + waited, seconds * 1000 * longestStretch) - elapsed;
    if (left < 1) expire();
    else timer = setTimeout(check, left);
  };
  timer = setTimeout(check, seconds * 1000);
  const looks = setInterval(look, pause);
  looks.unref();
  return () => {
    clearTimeout(timer);
    clearInterval(looks);
    return waited / 1000;
  };
}

/** More threads than this are not looked at: a fork bomb must not keep us busy. */
const most = 64;

/** For how long the threads of these processes have waited for a CPU. */
export function waitsOf(pids: readonly number[]): ReadonlyMap<number, number> {
  const waits = new Map<number, number>();
  for (const pid of pids.slice(0, most)) {
    if (waits.size >= most) break;
    for (const [thread, wait] of waitedForCpu(pid)) waits.set(thread, wait);
  }
  return waits;
}
