/** The runner: runs commands in slots, under limits. */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { openCgroups } from './cgroup.js';
import { openProcessTracker } from './process-tracker.js';
import { bytesWrittenBy, lastPid } from './processes.js';
import { demandSandbox } from './sandbox.js';
import { openSlot, type Slot } from './slot.js';
import { runSpawned } from './spawned.js';
import type { Runner, RunnerOptions } from './types.js';
import { openWatchdog } from './watchdog.js';

export { sweepAbandoned } from './scratch.js';
export type { Invocation, Limits, Run, Runner, RunnerOptions, Sandbox } from './types.js';

const shell = '/bin/sh';

/** Far more than a parallel build or a browser needs, far fewer than a machine can handle. */
export const defaultProcesses = 4096;
/** MB: half of the memory of this machine or container. */
export const defaultTotal = (): number =>
  Math.floor(Math.min(totalmem(), process.constrainedMemory?.() || Number.POSITIVE_INFINITY) / 2 / 1024 ** 2);

/** Throws a UserError if a sandbox was requested and is not available. */
export function openRunner(options: RunnerOptions): Runner {
  if (options.sandbox) demandSandbox(sentence => process.stderr.write(`${sentence}\n`));
  const way = options.way ?? (options.sandbox || shellsWork() ? 'shell' : 'spawn');
  return way === 'shell' ? withShells(options) : withSpawn(options);
}

/** Persistent shells need /proc to find what a command left behind, and to distinguish a signal from an exit. */
function shellsWork(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    accessSync(shell, constants.X_OK);
    return Number.isInteger(lastPid()) && bytesWrittenBy(process.pid) !== undefined && existsSync('/proc/self/task');
  } catch {
    return false;
  }
}

function withShells({ slots: count, limits, sandbox, folders = [] }: RunnerOptions): Runner {
  const id = randomBytes(6).toString('hex');
  const tracker = openProcessTracker();
  const { processes = defaultProcesses, total = Math.max(defaultTotal(), limits.memory ?? 0) } = limits;
  const cgroups = openCgroups(processes);
  const watchdog = openWatchdog({ mark: `${id}.`, folders, cgroup: cgroups?.root });
  const slots: (Slot | undefined)[] = Array.from({ length: count }, () => undefined);
  const changed = (): void => watchdog.watch(slots.flatMap(slot => (slot?.group === undefined ? [] : [slot.group])));
  const open = (number: number): Slot => {
    if (!(number >= 0 && number < count)) throw new RangeError(`There is no slot ${number}: there are ${count}.`);
    // The same length for every slot: the size of the environment moves the stack, and may change how a program fails.
    const mark = `${id}.${String(number).padStart(4, '0')}`;
    const cgroup = cgroups?.add(mark);
    const writable = sandbox?.writable(number);
    return (slots[number] ??= openSlot({ shell, limits, mark, tracker, writable, cgroup, processes, total, changed }));
  };
  return {
    run: async (invocation, slot, signal) => (slots[slot] ?? open(slot)).run(invocation, signal),
    async close() {
      await Promise.all(slots.map(slot => slot?.close()));
      await watchdog.close();
      cgroups?.close();
    },
  };
}

function withSpawn({ limits }: RunnerOptions): Runner {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    async run(invocation, _slot, signal) {
      const run = runSpawned(invocation, limits, AbortSignal.any([signal, closing.signal]));
      running.add(run);
      try {
        return await run;
      } finally {
        running.delete(run);
      }
    },
    async close() {
      closing.abort(new Error('The runner was closed.'));
      await Promise.allSettled(running);
    },
  };
}
