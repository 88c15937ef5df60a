/** Starts a server or a client in its own process group. */
import { type ChildProcess, spawn } from 'node:child_process';

export interface Ended {
  readonly exit?: number;
  readonly signal?: string;
  /** The program could not be started at all. */
  readonly error?: string;
  /** It exceeded a limit and was stopped, so how it ended is no evidence. */
  readonly limit?: string;
}

export interface Running {
  readonly pid?: number | undefined;
  readonly exited: Promise<Ended>;
  /** Whether it has ended, even if its last output has not arrived yet. */
  isOver(): boolean;
  /** What it has printed; only the beginning and the end of a long output. */
  output(): { readonly stdout: string; readonly stderr: string };
  /** Ends the process and whatever it started; resolves when it is gone. */
  kill(): Promise<void>;
}

export type Start = (
  argv: readonly string[],
  options: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
) => Running;

const alive = new Set<() => void>();
let hooked = false;

/** Its own process group, so that whatever the program starts ends with it. */
export const startProcess: Start = (argv, { env, cwd }) => {
  if (!hooked) process.once('exit', () => alive.forEach(end => void end()));
  hooked = true;
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { env: { ...env }, cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const stdout = keepEnds(child.stdout);
  const stderr = keepEnds(child.stderr);
  const end = () => endGroup(child);
  alive.add(end);
  const exited = new Promise<Ended>(resolve => {
    child.once('error', error => resolve({ error: error.message }));
    child.once('close', (code, signal) => resolve({ ...(code !== null && { exit: code }), ...(signal && { signal }) }));
    // `close` waits for the pipes, which a grandchild may hold open: the program itself is over at `exit`.
    child.once('exit', () => setTimeout(() => child.stdout.destroy() && child.stderr.destroy(), 200).unref());
  }).finally(() => alive.delete(end));
  return {
    ...(child.pid !== undefined && { pid: child.pid }),
    exited,
    isOver: () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null,
    output: () => ({ stdout: stdout(), stderr: stderr() }),
    async kill() {
      end();
      await exited;
    },
  };
};

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}

const half = 32_768;

/** Reads a stream to its end, and keeps the beginning and the end of it. */
export function keepEnds(stream: NodeJS.ReadableStream): () => string {
  let head = '';
  let tail = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    if (head.length < half) head += text;
    else tail = (tail + text).slice(-half);
  });
  return () => head + tail;
}
