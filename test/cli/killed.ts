import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identify } from '../../src/sources/files.js';
import { foldersOf, processesOf, until } from './leftovers-of.js';

/** Runs of the real command line that are killed with -9 at random moments and resumed. No test library: the bench uses it too. */

/** Two words far apart, and nothing else, make it fail; every test that is begun is logged with its whole input. */
const command = `#!/bin/sh
printf '%s\\n' "$(base64 -w0 "$1")" >> "$LOG"
sleep 0.01
if grep -q first "$1" && grep -q second "$1"; then echo "Error: both of them" >&2; exit 3; fi
`;
const name = 'in.txt';
const input = Array.from({ length: 24 }, (_, i) =>
  i === 5 ? 'here is the first one' : i === 17 ? 'and { the second } one' : `line ${i} (of no interest)`,
).join('\n');

const originalName = identify({ files: new Map([[name, { kind: 'file', bytes: Buffer.from(input) }]]) });
const originalLogged = Buffer.from(input).toString('base64');

export interface Finished {
  readonly result: string;
  /** The events of the transcript as the journal has them, without the time. */
  readonly transcript: readonly string[];
  readonly milliseconds: number;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Survival {
  readonly kills: number;
  /** Tests that were answered before a kill, and run again after it. */
  readonly again: number;
  /** Whether what was on disk after each kill was a complete failing input, no larger than before. */
  readonly isBestTrue: boolean;
  readonly processes: readonly number[];
  readonly folders: readonly string[];
  readonly finished: Finished;
}

export interface Stage {
  readonly main: string;
  readonly cwd: string;
  readonly jobs: number;
}

const argsOf = ({ jobs }: Stage) => [
  'reduce',
  name,
  '--run',
  'r',
  '--timeout',
  '60',
  '-j',
  String(jobs),
  '--json',
  '--',
  './t.sh',
  '{}',
];

export function prepare({ cwd }: Stage): void {
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, name), input);
  writeFileSync(join(cwd, 't.sh'), command, { mode: 0o755 });
}

export async function uninterrupted(stage: Stage): Promise<Finished> {
  prepare(stage);
  const { stdout, milliseconds } = await leg(stage, argsOf(stage), 'none');
  return { ...finished(stage.cwd, stdout), milliseconds };
}

/** Kills as often as there are moments (milliseconds from each start), then lets it come to its end. */
export async function killedAt(moments: readonly number[], stage: Stage): Promise<Survival> {
  prepare(stage);
  const mark = `culprit-killed-${process.pid}-${Math.round(performance.now() * 1000)}`;
  let [again, kills, smallest, isBestTrue] = [0, 0, Number.POSITIVE_INFINITY, true];
  const folders: string[] = [];
  let last = { stdout: '', milliseconds: 0, pid: 0, killed: false };
  for (const moment of [...moments, undefined]) {
    // Killed before its first line was written, there is nothing to resume.
    const isThere = existsSync(join(stage.cwd, 'r/journal.jsonl')) && journalled(stage.cwd).length > 0;
    const answered = isThere ? answeredIn(stage.cwd) : new Set<string>();
    const logged = logOf(stage.cwd).length;
    const before = testsIn(stage.cwd);
    last = await leg(stage, isThere ? ['resume', 'r'] : argsOf(stage), mark, moment);
    if (last.killed) kills++;
    const begun = logOf(stage.cwd)
      .slice(logged)
      .map(content => answered.has(content));
    const repeated = begun.filter(Boolean).length;
    // The result is tested again on purpose, and so are the first inputs to see whether they are flaky: once for each such line.
    const onPurpose = testsIn(stage.cwd)
      .slice(before.length)
      .map(test => test.replace(/^(again|run) \d+: /, ''))
      .filter(content => before.includes(content) || (content === originalName && answered.has(originalLogged))).length;
    // One that is run again on purpose has no line in the journal yet if it was running when all was killed.
    const running = last.killed ? begun.slice(-stage.jobs).filter(Boolean).length : 0;
    again += repeated - onPurpose;
    if (repeated > onPurpose) again -= Math.min(running, repeated - onPurpose);
    const bytes = Math.max(
      sizeOfFailing(join(stage.cwd, 'r/best', name)),
      sizeOfFailing(join(stage.cwd, 'in.reduced.txt')),
    );
    if (bytes > smallest) isBestTrue = false;
    if (Number.isFinite(bytes)) smallest = bytes;
    else if (Number.isFinite(smallest)) isBestTrue = false;
    await until(() => processesOf(mark).length === 0 && foldersOf(last.pid).length === 0);
    folders.push(...foldersOf(last.pid));
  }
  return {
    kills,
    again,
    isBestTrue,
    processes: processesOf(mark),
    folders,
    finished: { ...finished(stage.cwd, last.stdout), milliseconds: last.milliseconds },
  };
}

async function leg({ main, cwd }: Stage, args: readonly string[], mark: string, moment?: number) {
  const began = performance.now();
  const env = { ...process.env, CULPRIT_WORKSPACE: '', LOG: join(cwd, 'log'), KILLED_MARK: mark };
  const child = spawn(process.execPath, [main, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', data => (stdout += data));
  child.stderr.on('data', data => (stderr += data));
  const timer = moment === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), moment);
  const [code, signal] = await new Promise<[number | null, string | null]>(resolve =>
    child.on('close', (...end) => resolve(end)),
  );
  clearTimeout(timer);
  if (signal !== 'SIGKILL' && code !== 0)
    throw new Error(`culprit ${args.join(' ')} ended with ${code ?? signal}:\n${stderr}`);
  return { stdout, milliseconds: performance.now() - began, pid: child.pid!, killed: signal === 'SIGKILL' };
}

const journalled = (cwd: string): readonly string[] =>
  readFileSync(join(cwd, 'r/journal.jsonl'), 'utf8').split('\n').slice(0, -1);

function finished(cwd: string, stdout: string): Omit<Finished, 'milliseconds'> {
  const transcript = journalled(cwd)
    .map(line => JSON.parse(line))
    .filter(({ event }) => ['began', 'pass', 'answered', 'reduced'].includes(event?.type))
    .map(({ event }) => JSON.stringify(event));
  return { result: readFileSync(join(cwd, 'in.reduced.txt'), 'utf8'), transcript, json: JSON.parse(stdout) };
}

const testsIn = (cwd: string): readonly string[] =>
  (existsSync(join(cwd, 'r/journal.jsonl')) ? journalled(cwd) : []).flatMap(line =>
    line.startsWith('{"test":') ? [String(JSON.parse(line).test)] : [],
  );

/** The inputs whose verdict is in the journal, as the log has them. */
function answeredIn(cwd: string): ReadonlySet<string> {
  const records = journalled(cwd).map(line => JSON.parse(line));
  const identities = new Set(records.map(({ test }) => test));
  const hasSeenOriginal = records.some(({ noted }) => noted === 'again');
  const isAnswered = (content: string): boolean => {
    const bytes = Buffer.from(content, 'base64');
    if (hasSeenOriginal && bytes.equals(Buffer.from(input))) return true;
    return identities.has(identify({ files: new Map([[name, { kind: 'file', bytes }]]) }));
  };
  return new Set(logOf(cwd).filter(isAnswered));
}

const logOf = (cwd: string): readonly string[] =>
  existsSync(join(cwd, 'log')) ? readFileSync(join(cwd, 'log'), 'utf8').split('\n').slice(0, -1) : [];

/** Its size if it is there and fails; infinite if not. */
function sizeOfFailing(path: string): number {
  if (!existsSync(path)) return Number.POSITIVE_INFINITY;
  const text = readFileSync(path, 'utf8');
  return text.includes('first') && text.includes('second') ? text.length : Number.POSITIVE_INFINITY;
}
