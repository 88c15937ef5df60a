/** Detects when a server is idle after its last response: by its activity, not only by the clock. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { addAll } from '../../core/lists.js';
import type { Running } from '../../oracle/http/process.js';

/** Milliseconds between two checks. */
const step = 10;
/** An idle server still uses a little time: timers, garbage collection. */
const idleShare = 0.2;

/**
 * Waits until the process has ended, or has been idle for some time. On a busy machine, a process that is about to crash may
 * wait a long time for a core; that does not count as idle. `longest` ends the wait for a server that is never idle.
 */
export async function waitUntilSettled(
  child: Running,
  { quiet, longest }: { readonly quiet: number; readonly longest: number },
  signal: AbortSignal,
): Promise<void> {
  const began = performance.now();
  let restsSince = began;
  let before = child.pid === undefined ? undefined : activityOf(child.pid);
  let looked = began;
  while (!child.isOver() && !signal.aborted && performance.now() - began < longest) {
    await wait(Math.min(step, quiet));
    const now = performance.now();
    const after = child.pid === undefined ? undefined : activityOf(child.pid);
    const used = ((after?.used ?? 0) - (before?.used ?? 0)) / 1e6;
    if (after?.isRunnable || used > idleShare * (now - looked)) restsSince = now;
    [before, looked] = [after, now];
    if (now - restsSince >= quiet) break;
  }
  // The exit is known at once; the last output arrives a moment later.
  if (child.isOver()) await child.exited;
}

interface Activity {
  /** Nanoseconds of CPU time, over all threads of all its processes. */
  readonly used: number;
  /** A thread is running, or waiting for a core or a disk. */
  readonly isRunnable: boolean;
}

/** Linux only; on other systems time alone decides. */
function activityOf(pid: number): Activity | undefined {
  try {
    let used = 0;
    let isRunnable = false;
    const pids = [pid];
    for (const each of pids)
      for (const task of readdirSync(`/proc/${each}/task`)) {
        const folder = `/proc/${each}/task/${task}`;
        const stat = readFileSync(`${folder}/stat`, 'latin1');
        isRunnable ||= /[RD]/.test(stat[stat.lastIndexOf(')') + 2] ?? '');
        used += Number(readFileSync(`${folder}/schedstat`, 'latin1').split(' ')[0]);
        addAll(pids, readFileSync(`${folder}/children`, 'latin1').split(' ').filter(Boolean).map(Number));
      }
    return { used, isRunnable };
  } catch {
    // A thread or process ended between two checks, so the server is not idle.
    return readable('/proc/self/schedstat') ? { used: 0, isRunnable: true } : undefined;
  }
}

function readable(path: string): boolean {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
}
