/** Runs a command with a plain spawn, on systems other than Linux. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { UserError } from '../../core/user-error.js';
import { gap } from './output.js';
import { sendSignal } from './processes.js';
import { environmentOf } from './quoting.js';
import type { Invocation, Limits, Run } from './types.js';

/**
 * One plain spawn per command: slower, but works everywhere. Processes that leave the command's group are not found. Excess
 * output is read and discarded. On Windows the only limits are time and output.
 */
export async function runSpawned(invocation: Invocation, limits: Limits, signal: AbortSignal): Promise<Run> {
  signal.throwIfAborted();
  const isWindows = process.platform === 'win32';
  if (isWindows) demandNoShell(invocation.argv);
  const [program = '', ...args] = isWindows ? invocation.argv : withLimits(invocation, limits);
  const stdin = openSync(invocation.stdin ?? (isWindows ? '\\\\.\\nul' : '/dev/null'), 'r');
  const began = performance.now();
  const child = spawn(program, args, {
    cwd: invocation.cwd,
    env: isWindows
      ? invocation.env
      : { ...Object.fromEntries(environmentOf(invocation.env).held), PWD: invocation.cwd },
    detached: !isWindows,
    stdio: [stdin, 'pipe', 'pipe'],
    windowsHide: true,
  });
  closeSync(stdin);
  const stdout = collect(child.stdout!, limits.output);
  const stderr = collect(child.stderr!, limits.output);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killTree(child);
  }, invocation.timeout * 1000);
  const abort = (): void => killTree(child);
  setMaxListeners(0, signal);
  signal.addEventListener('abort', abort, { once: true });
  const how = await new Promise<{ readonly exit?: number; readonly signal?: string }>(resolve => {
    child.on('error', () => resolve({ exit: 127 }));
    child.on('exit', (exit, name) => resolve(name === null ? { exit: exit ?? 1 } : { signal: name }));
  });
  const seconds = (performance.now() - began) / 1000;
  clearTimeout(timer);
  signal.removeEventListener('abort', abort);
  killTree(child);
  if (child.pid !== undefined) await Promise.all([stdout.ended, stderr.ended]);
  signal.throwIfAborted();
  const out = stdout.take();
  const err = stderr.take();
  return { ...how, timedOut, seconds, stdout: out.bytes, stderr: err.bytes, truncated: out.truncated || err.truncated };
}

/** A shell line is for a POSIX shell, which Windows does not have. */
export function demandNoShell([program]: readonly string[]): void {
  if (program === '/bin/sh')
    throw new UserError(
      'The command is one shell line, and there is no /bin/sh on Windows.',
      'Pass the program and its arguments as separate words: -- node check.js {}. For a pipe, write a script, or use WSL.',
    );
}

/** The command replaces the shell that set its limits, so that its exit status is unchanged. */
function withLimits({ argv, env }: Invocation, limits: Limits): readonly string[] {
  const set = ['ulimit -c 0', `ulimit -f ${Math.max(1, Math.ceil(limits.fileSize / 512))}`];
  if (limits.memory !== undefined) set.push(`ulimit -d ${Math.max(1, Math.round(limits.memory * 1024))}`);
  const script = `${set.map(command => `${command} 2>/dev/null;`).join('')}unset OLDPWD;exec "$@"`;
  const { extra } = environmentOf(env);
  return ['/bin/sh', '-c', script, 'sh', ...(extra.length > 0 ? ['/usr/bin/env', ...extra] : []), ...argv];
}

function killTree(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32')
    spawnSync('taskkill', ['/T', '/F', '/PID', String(child.pid)], { windowsHide: true });
  else sendSignal(-child.pid, 'SIGKILL');
}

/** How long a stream may stay open after its command ended, if a process outside its group holds it. */
const grace = 200;

function collect(stream: Readable, keep: number) {
  const head: Buffer[] = [];
  const room = Math.ceil(keep / 2);
  let tail = Buffer.alloc(0);
  let seen = 0;
  let taken = 0;
  stream.on('data', (data: Buffer) => {
    seen += data.length;
    const first = data.subarray(0, Math.max(0, room - taken));
    taken += first.length;
    if (first.length > 0) head.push(first);
    const rest = data.subarray(first.length);
    if (rest.length > 0) tail = Buffer.concat([tail, rest]).subarray(-(keep - room) || tail.length + rest.length);
  });
  stream.on('error', () => {});
  const closed = new Promise<void>(resolve => stream.on('close', () => resolve()));
  return {
    get ended(): Promise<void> {
      const timer = setTimeout(() => stream.destroy(), grace);
      return closed.then(() => clearTimeout(timer));
    },
    take: () => {
      const truncated = seen > keep;
      return { bytes: Buffer.concat([...head, ...(truncated ? [gap(seen - keep)] : []), tail]), truncated };
    },
  };
}
