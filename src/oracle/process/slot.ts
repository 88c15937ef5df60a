/** A slot: runs one command at a time, and cleans up after it. */
import { setMaxListeners } from 'node:events';
import { constants } from 'node:os';
import { UserError } from '../../core/user-error.js';
import type { Cgroup } from './cgroup.js';
import { commandLine, withoutLineNumber } from './line.js';
import { type Capture, openCapture } from './output.js';
import { limitOwnTime, waitsOf } from './own-time.js';
import type { ProcessOwner, ProcessTracker } from './process-tracker.js';
import { killBelow, livingBelow, processOf, sendSignal } from './processes.js';
import { type Environment, environmentOf, transition } from './quoting.js';
import type { Invocation, Limits, Run } from './types.js';
import { type Exceeded, watchUsage } from './usage.js';
import { startZygote, type Zygote } from './zygote.js';

/** The variable that identifies a process that left its session. */
export const markName = 'CULPRIT_WORKSPACE';

export interface Slot {
  run(invocation: Invocation, signal: AbortSignal): Promise<Run>;
  readonly group: number | undefined;
  close(): Promise<void>;
}

export interface SlotOptions {
  readonly shell: string;
  readonly limits: Limits;
  readonly mark: string;
  readonly writable?: readonly string[];
  readonly tracker: ProcessTracker;
  readonly cgroup?: Cgroup;
  readonly processes: number;
  /** MB. */
  readonly total: number;
  /** Called when a shell starts or ends. */
  changed(): void;
}

/** After this long, process ids may have wrapped around, so all processes are checked. */
const longRun = 5;
/** Seconds: no test can start that many processes in less time, so its group need not be checked. */
const shortest = 0.01;
const thousands = 1_000;
/** Milliseconds. */
const killAgain = 50;
/** A process that survives SIGKILL for this long hangs in the kernel; nothing more can be done about it. */
const patience = 5_000;

export function openSlot(options: SlotOptions): Slot {
  const stdout = openCapture();
  const stderr = openCapture();
  let closed = false;
  /** How many processes the control group has refused. */
  let refused = 0;
  let running: Promise<unknown> | undefined;
  let zygote: Zygote | undefined;
  let given: Readonly<Record<string, string>> | undefined;
  let environment: Environment = { held: new Map(), extra: [] };

  const owner: ProcessOwner = {
    mark: options.mark,
    captures: [stdout, stderr],
    get session() {
      return zygote?.pid;
    },
    command: () => (zygote?.isAlive ? zygote.command() : undefined),
  };
  options.tracker.add(owner);

  const start = async (invocation: Invocation): Promise<Zygote> => {
    given = invocation.env;
    environment = marked(environmentOf(invocation.env), options.mark);
    zygote = await startZygote({
      ...options,
      cwd: invocation.cwd,
      env: environment.held,
      stdout: stdout.fd,
      stderr: stderr.fd,
    });
    if (closed) await zygote.kill();
    options.changed();
    return zygote;
  };

  /** Once the shell is dead, its control group is the best source, and otherwise what the processes inherited. */
  const strays = (since: number | undefined, hasEnded: boolean): readonly number[] => {
    const known = options.tracker.livingIn(owner, since, hasEnded);
    if (options.cgroup === undefined || zygote?.isAlive) return known;
    return [...new Set([...known, ...options.cgroup.members()])];
  };

  /** Kills what a command left behind: processes that it started and that still run. */
  const killStrays = (shell: Zygote, since: number | undefined, hasEnded: boolean): number => {
    // Whoever lost its parent is the shell's child now: without a child, nothing is left.
    if (shell.isAlive && shell.adopts) return shell.command() === undefined ? 0 : killBelow(shell.pid);
    let killed = 0;
    for (const pid of strays(since, hasEnded)) {
      const group = processOf(pid)?.group;
      if (group !== undefined && group > 1 && group !== shell.pid) sendSignal(-group, 'SIGKILL');
      sendSignal(pid, 'SIGKILL');
      killed++;
    }
    return killed;
  };

  const clear = async (shell: Zygote, since: number | undefined): Promise<void> => {
    for (
      let pause = 0, waited = 0;
      waited < patience && killStrays(shell, since, shell.isAlive) > 0;
      waited += pause, pause++
    )
      await new Promise(resolve => setTimeout(resolve, pause));
  };

  const run = async (invocation: Invocation, signal: AbortSignal): Promise<Run> => {
    signal.throwIfAborted();
    if (closed) throw new Error('The runner is closed.');
    const shell = zygote?.isAlive ? zygote : await start(invocation);
    // An aborted signal does not notify new listeners.
    signal.throwIfAborted();
    let prepare = '';
    if (invocation.env !== given) {
      const next = marked(environmentOf(invocation.env), options.mark);
      prepare = transition(environment.held, next.held);
      given = invocation.env;
      environment = next;
    }
    const since = options.tracker.latest();
    const line = prepare + commandLine(invocation, environment.extra, options.writable !== undefined);
    let timedOut = false;
    // Once is not enough: on a busy machine, the shell may start the command only after this.
    let killing: NodeJS.Timeout | undefined;
    const abort = (): void => {
      const kill = () => killCommand(shell, () => killStrays(shell, since, false));
      kill();
      killing ??= setInterval(kill, killAgain);
    };
    // Many commands may wait for the same signal: this is not a leak.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', abort, { once: true });
    let exceeded: Exceeded | undefined;
    const rest = watchUsage(
      () => livingBelow(shell.pid),
      options,
      what => {
        exceeded = what;
        abort();
      },
    );
    const stopTimer = limitOwnTime({
      seconds: invocation.timeout,
      read: () => waitsOf(livingBelow(shell.pid)),
      expire: () => {
        timedOut = true;
        abort();
      },
    });
    const began = performance.now();
    const status = await shell.tell(line);
    const seconds = (performance.now() - began) / 1000;
    const waited = stopTimer();
    rest();
    signal.removeEventListener('abort', abort);
    clearInterval(killing);
    if (options.cgroup && (seconds > shortest || options.processes < thousands)) {
      const now = options.cgroup.refused();
      if (now > refused) exceeded ??= 'processes';
      refused = now;
    }
    if (options.writable === undefined || !shell.isAlive) await clear(shell, seconds < longRun ? since : undefined);
    if (!shell.isAlive) options.changed();

    const end = await ending(status, shell, stderr, options.limits);
    const out = stdout.take(options.limits.output);
    const err = stderr.take(options.limits.output, end.dropped);
    signal.throwIfAborted();
    if (closed) throw new Error('The runner was closed while the command ran.');
    return {
      ...end.how,
      // It may have ended by itself just as it timed out.
      timedOut: timedOut && end.how.signal === 'SIGKILL',
      ...(exceeded === undefined ? {} : { exceeded }),
      seconds,
      ...(waited > 0 ? { waited } : {}),
      stdout: out.bytes,
      stderr: end.how.exit === 126 || end.how.exit === 127 ? withoutLineNumber(err.bytes, options.shell) : err.bytes,
      truncated: out.truncated || err.truncated,
    };
  };

  return {
    get group() {
      return zygote?.isAlive ? zygote.pid : undefined;
    },
    run(invocation, signal) {
      const promise = run(invocation, signal);
      running = promise.catch(() => {});
      return promise;
    },
    async close() {
      closed = true;
      await zygote?.kill();
      await running;
      stdout.close();
      stderr.close();
    },
  };
}

const marked = ({ held, extra }: Environment, mark: string): Environment => {
  const outer = held.get(markName);
  return { held: new Map(held).set(markName, outer ? `${outer}:${mark}` : mark), extra };
};

/**
 * The group is stopped in one step, so that nothing in it can start another process while all of it is killed. The shell is
 * in that group, and is continued so that it can report how its command ended.
 */
function killCommand(shell: Zygote, killStrays: () => void): void {
  sendSignal(-shell.pid, 'SIGSTOP');
  killBelow(shell.pid);
  killStrays();
  sendSignal(shell.pid, 'SIGCONT');
}

const namesOfSignals = new Map(
  Object.entries(constants.signals)
    .map(([name, number]) => [number, name] as const)
    .reverse(),
);

interface Ending {
  readonly how: { readonly exit?: number; readonly signal?: string };
  /** How many bytes at the end of stderr are the shell's and not the command's. */
  readonly dropped: number;
}

/**
 * A shell reports 139 both for SIGSEGV and for `exit 139`. But it also prints what killed a command ("Segmentation fault"),
 * and does so itself: the number of bytes that it has written decides, even if the command wrote the same text. Its message
 * is at the end of the command's stderr, and is dropped. It prints nothing for SIGINT and SIGPIPE; their codes, and that of
 * SIGXFSZ if stderr has no room for a message, count as the signal.
 */
async function ending(status: number | undefined, shell: Zygote, stderr: Capture, limits: Limits): Promise<Ending> {
  // Only SIGKILL ends the shell: the command sent it to the whole group, or memory ran out.
  if (status === undefined) return { how: { signal: 'SIGKILL' }, dropped: 0 };
  const signal = namesOfSignals.get(status - 128) ?? (status > 128 && status <= 192 ? `SIG${status - 128}` : undefined);
  if (signal === undefined) {
    if (status === 2 && (await shell.ownWords()) > 0)
      throw new UserError(
        `The command could not be started: ${Buffer.from(stderr.take(4096).bytes).toString().trim()}.`,
        'Check that the working folder and the file for its stdin exist and can be read.',
      );
    return { how: { exit: status }, dropped: 0 };
  }
  const words = await shell.ownWords();
  if (words > 0) return { how: { signal }, dropped: words };
  const isSilent =
    signal === 'SIGINT' || signal === 'SIGPIPE' || (signal === 'SIGXFSZ' && stderr.size() >= limits.fileSize);
  return { how: isSilent ? { signal } : { exit: status }, dropped: 0 };
}
