/** Reports how a command failed: sentences for people, one line of JSON for programs, and the exit code. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../core/index.js';
import { failureLine } from '../report/event-lines.js';
import { printable } from '../report/screen.js';

interface OpenRun {
  readonly path: string;
  /** Restores the terminal and releases the folder. */
  close(): void;
}

let argv: readonly string[] = process.argv.slice(2);
let run: OpenRun | undefined;
let isPrinted = false;

/** `resume` behaves like the command line that began the run. */
export function setCommandLine(other: readonly string[]): void {
  argv = other;
}

/** The run that must be closed and named after a crash. */
export function noteRun(open: OpenRun | undefined): void {
  run = open;
}

/** The line of `--json`: each command prints one, however it ends. */
export function printJson(line: string): void {
  isPrinted = true;
  process.stdout.write(`${line}\n`);
}

export interface Failure {
  readonly ended?: 'error' | 'interrupted';
  readonly message: string;
  readonly advice: string;
}

/** The line of `--json` or `--events` for a command that has no result, if it was requested. */
export function printFailure({ ended = 'error', message, advice }: Failure): void {
  const end = argv.indexOf('--');
  const own = end < 0 ? argv : argv.slice(0, end);
  const isStream = own.includes('--events');
  if (isPrinted || !(isStream || own.includes('--json'))) return;
  const job = own.find(word => !word.startsWith('-')) ?? '';
  const failure = { job, ended, message, advice };
  printJson(isStream ? failureLine(failure) : JSON.stringify(failure));
}

/** A message may quote what is in a damaged file. */
const shown = (text: string): string => text.split('\n').map(printable).join('\n');

/** Prints what went wrong, and returns the exit code. Anything but a `UserError` is our own bug. */
export function report(error: unknown): number {
  if (error instanceof UserError) {
    process.stderr.write(shown(`culprit: ${error.message}\n${error.advice ? `${error.advice}\n` : ''}`));
    printFailure(error);
    return error.exitCode;
  }
  const [said = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const message = `internal error: this is a bug in culprit (${said.slice(0, 300)}).`;
  const advice = [`Please report it with what you ran.${details(error)}`, ...goOn()].join('\n');
  process.stderr.write(shown(`culprit: ${message}\n${advice}\n`));
  printFailure({ message, advice });
  return 70;
}

/** Whoever reads standard output would take what is missing there for a result. */
export const lostOutput = ({ message }: Error): UserError =>
  new UserError(
    `Standard output can't be written: ${message}.`,
    run ? `Free some disk space. The result is kept in ${run.path}.` : 'Free some disk space.',
    1,
  );

/** For uncaught errors: the process can't continue, but its run can be resumed. */
export function crash(error: unknown): never {
  try {
    run?.close();
  } catch {
    // Whatever can't be closed here is closed when the process ends.
  }
  process.exit(report(error));
}

/** The stack is for people who fix culprit. It goes to a file; without a run, it is printed on request. */
function details(error: unknown): string {
  const stack = `${error instanceof Error ? error.stack : String(error)}\n`;
  if (process.env.CULPRIT_DEBUG) process.stderr.write(stack);
  if (!run) return ' CULPRIT_DEBUG=1 shows where it happened.';
  const path = join(run.path, 'crash.txt');
  try {
    writeFileSync(path, stack);
    return ` Where it happened is in ${path}.`;
  } catch {
    return ' CULPRIT_DEBUG=1 shows where it happened.';
  }
}

const goOn = (): readonly string[] => (run ? [`The run is kept. Resume it with: culprit resume ${run.path}`] : []);
