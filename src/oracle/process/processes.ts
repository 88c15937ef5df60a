/** Finds and kills the processes that a test left behind, on Linux. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { addAll } from '../../core/lists.js';

/**
 * A process that called setsid and lost its parent can't be found by its ancestry, so it is identified by what it
 * inherited: the session, a variable in its environment, its stdout or stderr.
 *
 * Checking every process of the machine after every test would cost more than the test. But process ids are assigned in
 * ascending order, and /proc/loadavg has the last one: only ids assigned since the test began can belong to it.
 */
export interface Process {
  readonly pid: number;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

const line = Buffer.alloc(128);

/** proc(5): pid (comm) state ppid pgrp session …; comm may contain anything, even `)`. */
export function processOf(pid: number): Process | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const [state = '', parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 4);
  return { pid, state, parent: Number(parent), group: Number(group), session: Number(session) };
}

/** Dead, but its parent has not waited for it yet. */
export const isGone = (process: Process | undefined): boolean =>
  process === undefined || process.state === 'Z' || process.state === 'X';

export function childrenOf(pid: number): readonly number[] {
  const list = read(`/proc/${pid}/task/${pid}/children`);
  return list ? list.trim().split(' ').filter(Boolean).map(Number) : [];
}

/** Kept open, because it is read often. */
export interface Children {
  first(): number | undefined;
  close(): void;
}

export function openChildren(pid: number): Children {
  const fd = openSync(`/proc/${pid}/task/${pid}/children`, 'r');
  return {
    first() {
      try {
        const length = readSync(fd, line, 0, line.length, 0);
        return length > 0 ? Number.parseInt(line.toString('latin1', 0, length), 10) : undefined;
      } catch {
        return undefined;
      }
    },
    close: () => closeSync(fd),
  };
}

/** Children, their children and so on, without the process itself. */
export function descendantsOf(pid: number): readonly number[] {
  const found = [...childrenOf(pid)];
  for (let i = 0; i < found.length; i++) addAll(found, childrenOf(found[i]!));
  return found;
}

/**
 * Kills all descendants of a process, but not the process itself. Everything is stopped before anything is killed, because
 * a stopped process starts nothing more. Returns how many there were.
 */
export function killBelow(pid: number): number {
  const stopped = new Set<number>();
  for (let fresh = livingBelow(pid); fresh.length > 0; fresh = livingBelow(pid).filter(each => !stopped.has(each)))
    for (const each of fresh) {
      sendSignal(each, 'SIGSTOP');
      stopped.add(each);
    }
  for (const each of stopped) sendSignal(each, 'SIGKILL');
  return stopped.size;
}

export const livingBelow = (pid: number): readonly number[] =>
  descendantsOf(pid).filter(each => !isGone(processOf(each)));

/** The process's own memory, in KB. */
export const memoryOf = (pid: number): number =>
  Number(/^RssAnon:\s+(\d+)/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? 0);

/** The same, with every page that n processes share counted as 1/n. */
export const sharedMemoryOf = (pid: number): number =>
  Number(/^Pss_Anon:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? memoryOf(pid));

/** Nanoseconds for which each thread of a process was ready to run and had no CPU: proc(5), schedstat. */
export function waitedForCpu(pid: number): readonly (readonly [thread: number, nanoseconds: number])[] {
  let threads: readonly string[];
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  return threads.flatMap(thread => {
    const wait = Number(read(`/proc/${pid}/task/${thread}/schedstat`)?.split(' ')[1]);
    return Number.isFinite(wait) ? [[Number(thread), wait] as const] : [];
  });
}

/** The environment that a process was started with; empty while it changes into another program. */
export const environOf = (pid: number): string => read(`/proc/${pid}/environ`) ?? '';

export const exists = (pid: number): boolean => statSync(`/proc/${pid}`, { throwIfNoEntry: false }) !== undefined;

/**
 * Bytes that the first thread of a process has written, to any file. Not from /proc/<pid>/io: there the kernel adds what
 * children wrote, once they are waited for.
 */
export function bytesWrittenBy(pid: number): number | undefined {
  const found = /^wchar: (\d+)/m.exec(read(`/proc/${pid}/task/${pid}/io`) ?? '');
  return found ? Number(found[1]) : undefined;
}

export function fileBehind(pid: number, fd: number): { readonly dev: number; readonly ino: number } | undefined {
  try {
    return statSync(`/proc/${pid}/fd/${fd}`, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

let loadavg: number | undefined;

/** The last assigned process id. */
export function lastPid(): number {
  loadavg ??= openSync('/proc/loadavg', 'r');
  const length = readSync(loadavg, line, 0, line.length, 0);
  return Number(line.toString('latin1', line.lastIndexOf(32, length) + 1, length - 1));
}

/** Above this many ids it is cheaper to list all processes than to check each id. */
const few = 4096;

/** The ids that were assigned after `since`, or the processes among them; all processes if that is unknown. */
export function* bornAfter(since: number | undefined, now = lastPid()): Generator<number> {
  if (since !== undefined && now >= since && now - since <= few) {
    for (let pid = since + 1; pid <= now; pid++) yield pid;
    return;
  }
  const isSince = (pid: number): boolean =>
    since === undefined || (now < since ? pid > since || pid <= now : pid > since);
  for (const name of readdirSync('/proc')) if (/^\d+$/.test(name) && isSince(Number(name))) yield Number(name);
}

/** Whether the signal reached any process. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

const page = Buffer.allocUnsafe(64 * 1024);

/** Three times as fast as readFileSync, which asks for a size that files in /proc do not have. */
function read(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return undefined;
  }
  let text = '';
  try {
    // Until nothing more comes: a list in /proc arrives in pieces of 4 KB, however large the buffer is.
    for (let length = readSync(fd, page); length > 0; length = readSync(fd, page))
      text += page.toString('latin1', 0, length);
    return text;
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}
