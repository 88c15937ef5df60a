/** A real Redis, real workers and a small job, for the tests of workers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, onTestFinished } from 'vitest';
import { readTrusted, writeKeys } from '../../src/remote/keys.js';
import { work } from '../../src/remote/worker.js';
import { type Ended, folderWith, leftBehindBy, lines, processesWith, start, until } from '../cli/culprit.js';

export const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

export const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

export interface Server {
  readonly url: string;
  readonly redis: Redis;
  /** Ends it and starts it again. What was in it is lost, unless it was started with an append-only file. */
  restart(how: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** A Redis of its own on a free port. Tests never touch one that is there already. */
export async function startRedis(args: readonly string[] = [], password?: string): Promise<Server> {
  const port = await freePort();
  const dir = folderWith();
  let server: ChildProcess | undefined;
  const redis = new Redis(port, '127.0.0.1', {
    retryStrategy: () => 20,
    maxRetriesPerRequest: null,
    ...(password ? { password } : {}),
  });
  redis.on('error', () => {});
  const begin = async () => {
    const own = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', dir];
    server = spawn('redis-server', [...own, ...args], { stdio: 'ignore' });
    await redis.ping();
  };
  onTestFinished(() => {
    redis.disconnect();
    server?.kill('SIGKILL');
  });
  await begin();
  return {
    url: `redis://127.0.0.1:${port}`,
    redis,
    async restart(how) {
      const gone = new Promise(resolve => server!.once('exit', resolve));
      server!.kill(how);
      await gone;
      await begin();
    },
  };
}

/** Fails as long as three lines are there, after a time that differs from run to run. In the home of a worker, `lie` makes it pass, and `slow` has the seconds that it takes. */
export const check = `#!/bin/sh
if [ -e "$HOME/lie" ]; then exit 0; fi
if [ -e "$HOME/slow" ]; then sleep "$(cat "$HOME/slow")"; fi
sleep 0.0$(($$ % 4))
if grep -q alpha "$1" && grep -q beta "$1" && grep -q gamma "$1"; then echo "Error: all three" >&2; exit 3; fi
`;

const words = Array.from({ length: 48 }, (_, i) =>
  i === 5 ? 'alpha' : i === 23 ? 'beta' : i === 40 ? 'gamma' : `line ${i} ${'x'.repeat(i % 9)}`,
);

export interface Place {
  readonly cwd: string;
  readonly key: string;
  readonly pub: string;
}

/** A folder with the input, the command and keys; each run of it gets a run folder of its own. */
export function place(base?: string): Place {
  const cwd = folderWith({ 'input.txt': `${words.join('\n')}\n`, 'check.sh': check }, base);
  return { cwd, ...writeKeys(join(cwd, 'client')) };
}

export interface Reduced extends Ended {
  /** Passes, questions and answers, in order. */
  readonly transcript: readonly string[];
  readonly best: string;
}

let runs = 0;

/** Starts `culprit reduce` on the input. */
export function startReduce({ cwd }: Place, args: readonly string[]) {
  const run = `run-${++runs}`;
  const own = ['reduce', 'input.txt', '--by', 'line', '--run', run, '-o', `${run}.txt`, '--no-format'];
  const child = start([...own, ...args, '--', './check.sh', '{}'], { cwd });
  const journal = join(cwd, run, 'journal.jsonl');
  const reduced = child.ended.then((ended): Reduced => {
    if (ended.code !== 0) return { ...ended, transcript: [], best: '' };
    const events = lines(journal).map(line => JSON.parse(line).event);
    const transcript = events
      .filter(event => /^(pass|answered|reduced)$/.test(event?.type))
      .map(event => JSON.stringify(event));
    return { ...ended, transcript, best: readFileSync(join(cwd, run, 'best', 'input.txt'), 'utf8') };
  });
  /** How many questions are answered so far. */
  const answers = () => (existsSync(journal) ? readFileSync(journal, 'utf8').split('"answered"').length - 1 : 0);
  return { child, reduced, answers };
}

let alone: Promise<Reduced> | undefined;

/** The transcript and the result must be those of one slot on this machine. */
export async function expectSame(reduced: Promise<Reduced>): Promise<Reduced> {
  alone ??= startReduce(place(), ['-j', '1']).reduced;
  const [{ transcript, best }, ended] = [await alone, await reduced];
  expect(ended.stderr).toContain('Done');
  expect(transcript.length).toBeGreaterThan(10);
  expect(ended.transcript).toEqual(transcript);
  expect(ended.best).toBe(best);
  return ended;
}

export const remote = ({ url }: Server, { key }: Place): readonly string[] => ['--workers', url, '--key', key];

export interface Hired {
  readonly log: string[];
  readonly pid: number;
  stop(): Promise<void>;
}

/** A worker in this process. */
export function hire({ url }: Server, { pub, cwd }: Place, allowed = [join(cwd, 'check.sh')], jobs = 1): Hired {
  const stop = new AbortController();
  const log: string[] = [];
  const trusted = readTrusted([pub]);
  const end = work({ url, jobs, trusted, allowed, sandbox: false, version, log: line => log.push(line) }, stop.signal);
  const finish = async () => {
    stop.abort();
    await end;
  };
  onTestFinished(finish);
  return { log, pid: process.pid, stop: finish };
}

/** A worker as a process of its own, with a home of its own. */
export async function employ(
  { url }: Server,
  { pub, cwd }: Place,
  {
    args = ['--no-sandbox'],
    env = {},
    home = folderWith(),
  }: { readonly args?: readonly string[]; readonly env?: Record<string, string>; readonly home?: string } = {},
) {
  const own = ['worker', url, '--trust', pub, '--allow', join(cwd, 'check.sh'), '-j', '1', ...args];
  const child = start(own, { cwd, env: { HOME: home, ...env } });
  let log = '';
  child.stderr!.on('data', (data: Buffer) => (log += data));
  await until(() => /waits for work/.test(log) || child.exitCode !== null);
  const stop = async () => {
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    await child.ended;
  };
  return { child, pid: child.pid!, home, log: () => log, stop };
}

/** Stops these workers: no process of a test and no temporary folder may be left. */
export async function expectNothingLeft(
  { cwd }: Place,
  workers: readonly { readonly pid: number; stop(): Promise<void> }[],
): Promise<void> {
  for (const worker of workers) await worker.stop();
  const left = () => [...processesWith(join(cwd, 'check.sh')), ...workers.flatMap(({ pid }) => leftBehindBy(pid))];
  await until(() => left().length === 0, 10_000);
  expect(left()).toEqual([]);
}

/** Calls back with the words of every command that this Redis gets. */
export function watchCommands({ url }: Server, saw: (words: readonly string[]) => void): void {
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write('MONITOR\r\n'));
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  let rest = '';
  socket.on('data', (data: Buffer) => {
    const all = (rest + data.toString('latin1')).split('\r\n');
    rest = all.pop()!;
    for (const line of all) {
      const words = line.slice(line.indexOf(']') + 1).match(/"(?:[^"\\]|\\.)*"/g) ?? [];
      saw(words.map(word => word.slice(1, -1).replaceAll('\\"', '"').replaceAll('\\\\', '\\')));
    }
  });
}
