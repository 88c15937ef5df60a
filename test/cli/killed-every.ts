import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { argsFor, type EveryCommand, prepareFor } from './every-command.js';
import { foldersOf, processesOf, until } from './leftovers-of.js';

/** Runs of every command that are killed with -9 and resumed. No test library: the bench uses it too. */

export interface Finished {
  /** Everything that the run wrote for people: a digest by path. */
  readonly results: Readonly<Record<string, string>>;
  readonly transcript: readonly string[];
  /** How many tests were begun. */
  readonly begun: number;
}

export interface Survival {
  readonly kills: number;
  /** Tests that were begun beyond those of an uninterrupted run and those that a kill interrupted. */
  readonly again: number;
  readonly processes: readonly number[];
  readonly folders: readonly string[];
  readonly finished: Finished;
}

export interface Stage {
  readonly main: string;
  readonly cwd: string;
  readonly command: EveryCommand;
}

export async function uninterrupted(stage: Stage): Promise<Finished> {
  prepare(stage);
  await leg(stage, argsOf(stage), { mark: 'none' });
  return finishedIn(stage);
}

/** A moment in a run: when something is so, and the milliseconds after that. */
export interface Moment {
  readonly isReached: () => boolean;
  readonly milliseconds?: number;
}

/**
 * `pauses`: for each kill, how many lines the journal grows by before it, and the milliseconds after that. A journal that grows is a
 * clock that a busy machine does not change.
 */
export async function killedEvery(
  stage: Stage,
  whole: Finished,
  pauses: readonly (readonly [lines: number, milliseconds: number])[],
): Promise<Survival> {
  prepare(stage);
  const mark = `culprit-killed-${process.pid}-${Math.round(performance.now() * 1000)}`;
  const pids: number[] = [];
  let kills = 0;
  for (const pause of [...pauses, undefined]) {
    // Killed before its first line was written, there is nothing to resume.
    const before = linesIn(stage.cwd);
    const stop = pause && {
      signal: 'SIGKILL' as const,
      isReached: () => linesIn(stage.cwd) >= before + pause[0],
      milliseconds: pause[1],
    };
    const { pid, signal } = await leg(stage, before > 0 ? ['resume', 'r'] : argsOf(stage), { mark, stop });
    const killed = signal === 'SIGKILL';
    pids.push(pid);
    if (killed) kills++;
    // Resumed at once, while the watchdog of the killed one still clears up.
    if (!killed) break;
  }
  const folders = () => pids.flatMap(foldersOf);
  await until(() => folders().length === 0 && processesOf(mark).length === 0);
  const finished = finishedIn(stage);
  const again = Math.max(0, finished.begun - whole.begun - kills);
  return { kills, again, processes: processesOf(mark), folders: folders(), finished };
}

export function prepare({ cwd }: Stage): void {
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(cwd, { recursive: true });
  prepareFor(cwd);
}

export const argsOf = ({ command, cwd }: Stage) => argsFor(command, cwd, ['-j', '1', '--quiet']);

interface Leg {
  readonly mark: string;
  /** The signal that ends it, and when it comes. */
  readonly stop?: (Moment & { readonly signal: NodeJS.Signals }) | undefined;
}

/** One process of a run, from its start or its resume to its end. */
export async function leg({ main, cwd }: Stage, args: readonly string[], { mark, stop }: Leg) {
  const env = { ...process.env, CULPRIT_WORKSPACE: '', LOG: join(cwd, 'log'), KILLED_MARK: mark };
  const child = spawn(process.execPath, [main, ...args], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let [stderr, isOver, sent] = ['', false, Number.POSITIVE_INFINITY];
  let [before, after] = [0, 0];
  child.stderr.on('data', data => (stderr += data));
  let ended = 0;
  child.on('exit', () => {
    ended = performance.now();
  });
  const end = new Promise<[number | null, NodeJS.Signals | null]>(resolve =>
    child.on('close', (...how) => {
      isOver = true;
      resolve(how);
    }),
  );
  if (stop) {
    await until(() => isOver || stop.isReached());
    await new Promise(resolve => setTimeout(resolve, stop.milliseconds ?? 0));
    if (!isOver) sent = performance.now();
    before = cpuOf(child.pid!);
    after = before;
    child.kill(stop.signal);
  }
  const looks = setInterval(() => {
    after = Math.max(after, cpuOf(child.pid!));
  }, 5);
  const [code, signal] = await end;
  clearInterval(looks);
  if (code !== 0 && (stop === undefined || (stop.signal === 'SIGKILL' && signal === null)))
    throw new Error(`culprit ${args.join(' ')} ended with ${code ?? signal}:\n${stderr}`);
  // How long it took to end after the signal, if one reached it, and the CPU time of that.
  return { pid: child.pid!, code, signal, stderr, milliseconds: Math.max(0, ended - sent), cpu: after - before };
}

/** proc(5): utime and stime, in hundredths of a second; as milliseconds. */
function cpuOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return 10 * (Number(user) + Number(system));
  } catch {
    return 0;
  }
}

const journalOf = (cwd: string) => join(cwd, 'r/journal.jsonl');

/** Lines of the journal, and tests that were begun. */
export const linesIn = (cwd: string): number => linesOf(journalOf(cwd));
export const testsIn = (cwd: string): number => linesOf(join(cwd, 'log'));

function linesOf(path: string): number {
  try {
    return readFileSync(path, 'latin1').split('\n').length - 1;
  } catch {
    return 0;
  }
}

export function finishedIn({ cwd, command }: Stage): Finished {
  const events = readFileSync(journalOf(cwd), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).event)
    .filter(event => ['began', 'pass', 'answered', 'reduced'].includes(event?.type));
  return {
    results: Object.fromEntries(
      ['r/best', ...(command.output ? [command.output] : [])].map(each => [each, digestOf(join(cwd, each), cwd)]),
    ),
    transcript: events.map(event => JSON.stringify(event).replaceAll(cwd, '')),
    begun: testsIn(cwd),
  };
}

/** Of all files below a path, by name and bytes; the folder of the stage has another name each time. */
function digestOf(path: string, cwd: string): string {
  const digest = createHash('sha256');
  const isFolder = statSync(path).isDirectory();
  const names = isFolder ? readdirSync(path, { recursive: true, encoding: 'utf8' }).sort() : [''];
  for (const name of names) {
    const full = join(path, name);
    digest.update(`${name}\0`);
    if (statSync(full).isFile()) digest.update(withoutTime(readFileSync(full, 'latin1').replaceAll(cwd, '')));
  }
  return digest.digest('hex');
}

/** A schedule holds the wall clock at which its run began, and a triage how long each file took. */
const withoutTime = (text: string): string => text.replace(/"(epoch|seconds)": ?[\d.e-]+/g, '"$1":0');

/** Mulberry32: the same pauses every time. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Kills of one run: after one to five lines each, and a moment that may fall into the next test. */
export const pausesFrom = (random: () => number, count: number): readonly (readonly [number, number])[] =>
  Array.from({ length: count }, () => [1 + Math.floor(random() * 5), random() * 15] as const);
