/** Runs a program once under a schedule that was found before. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../core/index.js';
import { array, Mismatch, number, object, oneOf, optional, string, such } from '../../core/schema.js';
import { isShellLine } from '../../core/shell.js';
import { type Recording, readRecording } from '../../oracle/schedules/recording.js';
import { readNamed } from '../../sources/read-named.js';
import { backendNamed } from './backend.js';
import type { ScheduleFile } from './result.js';

export interface ReplayOptions {
  /** Under Node's debugger, at this port if one is given. */
  readonly inspectBrk?: string | boolean;
  /** Used instead of the command that the schedule was found with. */
  readonly command: readonly string[];
}

/** Runs a program once in this folder, under a schedule from a file, with its output as it comes. */
export async function replaySchedule(path: string, options: ReplayOptions): Promise<number> {
  const file = readSchedule(path);
  const command = options.command.length > 0 ? options.command : file.command;
  if (options.inspectBrk && file.way !== 'node')
    throw new UserError(
      '--inspect-brk is for Node programs.',
      'For threads, start the command under gdb with --replay.',
    );
  const folder = mkdtempSync(join(tmpdir(), 'culprit-replay-'));
  try {
    const backend = backendNamed(file.way, folder);
    const variables = backend.environmentFor(
      { kind: 'late', late: file.late },
      { slow: file.slow, epoch: file.epoch, root: process.cwd(), folder, isRecording: true },
    );
    const { inspectBrk } = options;
    const flag = typeof inspectBrk === 'string' ? `--inspect-brk=${inspectBrk}` : '--inspect-brk';
    const inspector = inspectBrk ? { NODE_OPTIONS: `${variables.NODE_OPTIONS ?? ''} ${flag}`.trim() } : {};
    const end = await run(command, { ...process.env, ...variables, ...inspector });
    return conclude(file, readRecording(join(folder, 'trace')), end, path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

function run(command: readonly string[], env: NodeJS.ProcessEnv): Promise<End> {
  const [program = '', ...args] = isShellLine(command) ? ['/bin/sh', '-c', command[0]!] : command;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: 'inherit' });
    // Ctrl-C also goes to the program, which ends in its own way; then culprit ends.
    const wait = () => {};
    process.on('SIGINT', wait);
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(new UserError(`${program} can't be started: ${error.message}.`, 'Check its name and its path.')),
    );
    child.on('close', (code, signal) => {
      process.off('SIGINT', wait);
      resolve({ code, signal });
    });
  });
}

function conclude(file: ScheduleFile, recording: Recording, end: End, path: string): number {
  if (end.signal === 'SIGINT') return 128 + constants.signals.SIGINT;
  const met = file.late.filter(({ id }) => recording.late.some(each => each.id === id));
  const isMissed = met.length === 0 && file.late.length > 0;
  if (isMissed && end.signal)
    throw new UserError(
      `The program died by ${end.signal} before a late event of ${path} happened.`,
      'That says nothing about the schedule. Replay it again.',
      1,
    );
  if (isMissed)
    throw new UserError(
      `${path} does not match this program: ${file.late.length === 1 ? 'its late event did not happen' : `none of its ${file.late.length} late events happened`}.`,
      `It was found with: ${file.command.join(' ')}\nIf the program has changed since, look for a schedule again.`,
      1,
    );
  const outcome = end.code === 0 ? 'pass' : 'fail';
  const how = end.signal ? `died by ${end.signal}` : `exit ${end.code}`;
  const isSame = outcome === file.outcome;
  process.stderr.write(`culprit: ${isSame ? 'reproduced' : 'not reproduced'} (${how}). ${file.sentence}\n`);
  return isSame ? 0 : 1;
}

/** A schedule file, or a sentence that says what is wrong with it. */
export function readSchedule(path: string): ScheduleFile {
  let text: string;
  try {
    text = readNamed(path).toString();
  } catch (error) {
    throw new UserError(`${path} can't be read: ${(error as Error).message}.`, 'Give the schedule.json of a run.');
  }
  const wrong = (what: string) =>
    new UserError(
      `${path} is not a schedule: ${what}.`,
      'Give the schedule.json that a run of `culprit schedules` left in its best/ folder.',
    );
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong('it is not JSON');
  }
  if (value === null || typeof value !== 'object' || !('culprit' in value) || value.culprit !== 'schedule')
    throw wrong('it contains none');
  const { version } = value as Partial<ScheduleFile>;
  if (version !== 1) throw wrong(`its version is ${String(version)}, and this culprit reads version 1`);
  try {
    return {
      slow: 100,
      epoch: 0,
      sentence: '',
      outcome: 'fail',
      ...(layout(value) as Partial<ScheduleFile>),
    } as ScheduleFile;
  } catch (error) {
    if (error instanceof Mismatch) throw wrong(error.message);
    throw error;
  }
}

const count = such(number, value => Number.isSafeInteger(value) && value >= 0, 'a count');
/** Holding back an event for longer than this would look like a hang. */
const longest = 600_000;
const layout = object({
  late: array(object({ process: string, id: string, n: count })),
  command: array(string),
  way: oneOf('node', 'threads'),
  slow: optional(such(count, value => value <= longest, `milliseconds up to ${longest}`)),
  epoch: optional(count),
  sentence: optional(string),
  outcome: optional(oneOf('pass', 'fail')),
});
