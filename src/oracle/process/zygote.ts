/** A persistent shell that starts the commands of one slot. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { quote } from '../../core/shell.js';
import { UserError } from '../../core/user-error.js';
import type { Cgroup } from './cgroup.js';
import { bytesWrittenBy, childrenOf, killBelow, openChildren, processOf, sendSignal } from './processes.js';
import { transition } from './quoting.js';
import { sandboxed } from './sandbox.js';
import { subreaper } from './subreaper.js';
import type { Limits } from './types.js';

/**
 * Node forks itself for every spawn, which takes twice as long as necessary, and fifty times as long with a gigabyte of
 * buffers (libuv#1715); a shell is small, and dash uses vfork. Limits and the sandbox are set once and inherited. The shell
 * reads commands from its stdin and reports each status on descriptor 3.
 */
export interface Zygote {
  /** The shell's process id, and that of the group and session in which its commands start. */
  readonly pid: number;
  /** Runs a line and returns its status; `undefined` if the shell was killed in the meantime. */
  tell(line: string): Promise<number | undefined>;
  /** The command that the shell is waiting for. */
  command(): number | undefined;
  /** How many bytes the shell itself has written to its stderr since the last call. */
  ownWords(): Promise<number>;
  readonly isAlive: boolean;
  /** Whether processes below it become its children if they lose their parent. */
  readonly adopts: boolean;
  kill(): Promise<void>;
}

export interface ZygoteOptions {
  readonly shell: string;
  readonly limits: Limits;
  readonly cwd: string;
  readonly env: ReadonlyMap<string, string>;
  readonly stdout: number;
  readonly stderr: number;
  /** The folders that may be written to, in a sandbox. */
  readonly writable?: readonly string[];
  readonly cgroup?: Cgroup;
  /** How many processes a test may have at a time. */
  readonly processes: number;
}

/**
 * Signals get a handler, so that `kill 0` in a command does not end the shell. Not `trap ''`: the children of a shell
 * ignore what it ignores. XFSZ: the shell itself may write to a full stderr. RLIMIT_DATA counts the memory that a process
 * can write to, and not, as RLIMIT_AS does, the gigabytes of addresses that Node, Java and Go only reserve. If memory runs
 * out, the kernel should kill a test and not culprit.
 */
const setUp = ({ limits, processes, writable }: ZygoteOptions): string =>
  [
    'trap : HUP INT QUIT ABRT ALRM TERM USR1 USR2 PIPE XFSZ XCPU VTALRM PROF IO',
    'echo 1000 >/proc/self/oom_score_adj',
    'ulimit -c 0',
    `ulimit -f ${Math.max(1, Math.ceil(limits.fileSize / 512))}`,
    ...(limits.memory === undefined ? [] : [`ulimit -d ${Math.max(1, Math.round(limits.memory * 1024))}`]),
    // Counted per user on the whole machine; since Linux 5.14, separately for each user namespace. Twice the limit: counting
    // finds tests with too many processes, and this stops those that are faster than the count. dash calls it -p.
    ...(writable && ownsUsers() ? [`ulimit -u ${2 * processes} || ulimit -p ${2 * processes}`] : []),
  ]
    .map(command => `{ ${command}; } 2>/dev/null;`)
    .join(' ');

export async function startZygote(options: ZygoteOptions): Promise<Zygote> {
  const { cgroup, writable } = options;
  const path = process.env.PATH ?? '/usr/bin:/bin';
  const adopter = writable ? [] : (subreaper() ?? []);
  const program = writable ? sandboxed(writable, [options.shell]) : [...adopter, options.shell];
  const [first = '', ...rest] = cgroup
    ? ['/bin/sh', '-c', 'echo $$ >"$0"; exec "$@"', cgroup.procs, ...program]
    : program;
  const child = spawn(first, rest, {
    cwd: options.cwd,
    detached: true,
    // The shell gets its variables in its first line, so that they do not affect the program that starts it.
    env: { PATH: path },
    stdio: ['pipe', options.stdout, options.stderr, 'pipe'],
  });
  const stdin = child.stdin as Socket;
  const status = child.stdio[3] as Socket;
  let alive = true;
  let answer: ((status: number | undefined) => void) | undefined;
  let text = '';
  let reported = 0;
  let isKilled = false;
  // The shell keeps this process alive only while it is waited for. Its pipe alone would not: if a test kills the shell, the pipe
  // ends before the exit is known.
  const settle = (value: number | undefined): void => {
    status.unref();
    if (!isKilled) child.unref();
    const waiting = answer;
    answer = undefined;
    waiting?.(value);
  };
  const end = (): void => {
    alive = false;
    settle(undefined);
  };
  const ended = once(child, 'exit').then(end, end);
  status.on('data', (data: Buffer) => {
    reported += data.length;
    text += data.toString('latin1');
    if (!text.endsWith('\n')) return;
    const value = Number(text);
    text = '';
    settle(value);
  });
  for (const stream of [stdin, status]) {
    stream.on('error', () => {});
    stream.unref();
  }
  child.unref();

  const tell = (line: string): Promise<number | undefined> =>
    new Promise(resolve => {
      if (!alive) return resolve(undefined);
      answer = resolve;
      status.ref();
      child.ref();
      stdin.write(line);
    });
  const patience = setTimeout(end, 30_000);
  const self = await tell(
    `${setUp(options)} ${transition(new Map([['PATH', path]]), options.env)} cd ${quote(options.cwd)}; echo $$ >&3\n`,
  );
  clearTimeout(patience);
  // In a sandbox, the shell is the only child of bubblewrap, and has the id 1 inside.
  const pid = options.writable ? childrenOf(child.pid ?? 0)[0] : child.pid;
  if (self === undefined || pid === undefined || (options.writable && self !== 1)) {
    if (child.pid !== undefined) sendSignal(-child.pid, 'SIGKILL');
    throw new UserError(
      `The shell ${options.shell}, which starts the commands, ended before it could be used.`,
      'Check that it runs, that the working folder exists, and that --memory leaves it room.',
    );
  }
  const children = openChildren(pid);
  void ended.then(() => children.close());
  const spoken = async (): Promise<number> => {
    await asleep(pid, () => alive);
    return (bytesWrittenBy(pid) ?? Number.NaN) - reported;
  };
  let accounted = await spoken();
  return {
    pid,
    tell,
    get isAlive() {
      return alive;
    },
    adopts: adopter.length > 0,
    command: () => (alive ? children.first() : undefined),
    async ownWords() {
      const total = await spoken();
      const words = total - accounted;
      accounted = total;
      return Number.isNaN(words) ? 0 : words;
    },
    async kill() {
      if (!alive) return;
      isKilled = true;
      child.ref();
      // Once the shell is dead, its adopted processes have no owner.
      if (adopter.length > 0) killBelow(pid);
      sendSignal(-pid, 'SIGKILL');
      if (options.writable) sendSignal(-child.pid!, 'SIGKILL');
      await ended;
    },
  };
}

const ownsUsers = (): boolean => process.getuid?.() !== 0;

/** After this many milliseconds, a shell that still does not sleep was stopped from outside. */
const restless = 1_000;

/**
 * The kernel counts a write after it has passed on the bytes, so a status may be read here before it is counted there. Once
 * the shell sleeps again, waiting for its next line, everything that it wrote has been counted.
 */
async function asleep(pid: number, isAlive: () => boolean): Promise<void> {
  for (const began = performance.now(); isAlive() && performance.now() - began < restless; ) {
    if (processOf(pid)?.state === 'S') return;
    await new Promise(resolve => setImmediate(resolve));
  }
}
