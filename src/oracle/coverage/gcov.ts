/** Reads which lines of a C or C++ program ran, with gcov. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Artifact } from '../../core/artifact.js';
import { UserError } from '../../core/index.js';
import type { Coverage } from './coverage.js';

/**
 * Coverage of C and C++ programs built with `--coverage`. Each object writes its counts when its process exits, and nothing
 * if the process crashes; but the crash is what we need. So a small library is loaded into every process: on a fatal signal
 * it leaves through `exit`, which writes the counts, leaves a note, and then dies from the same signal.
 */
const onCrash = `
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static volatile sig_atomic_t caught;
static char stack[1 << 16];
static void leave(int number) {
  if (caught) _exit(128 + number);
  caught = number;
  exit(128 + number);
}
__attribute__((constructor)) static void install(void) {
  static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
  stack_t other = { .ss_sp = stack, .ss_size = sizeof stack };
  struct sigaction action = { .sa_handler = leave, .sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER };
  sigaltstack(&other, 0);
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &action, 0);
}
__attribute__((destructor)) static void again(void) {
  if (!caught) return;
  const char *note = getenv("CULPRIT_CRASH_NOTE");
  if (note) close(open(note, O_WRONLY | O_CREAT, 0644));
  signal(caught, SIG_DFL);
  raise(caught);
}
`;

/** What a run needs in its environment; `folder` is a folder of ours for the library. Without a compiler, crashes are not seen. */
export function gcovEnvironment(folder: string): Readonly<Record<string, string>> {
  const library = join(folder, 'on-crash.so');
  if (!existsSync(library)) {
    writeFileSync(join(folder, 'on-crash.c'), onCrash);
    const flags = ['-D_GNU_SOURCE', '-shared', '-fPIC', '-O1', '-o', library, join(folder, 'on-crash.c')];
    if (spawnSync('cc', flags, { stdio: 'ignore' }).status !== 0) return {};
  }
  return { LD_PRELOAD: library, CULPRIT_CRASH_NOTE: noteIn(folder) };
}

const noteIn = (folder: string): string => join(folder, 'crashed');

/** Removes the counts of earlier runs of this build. */
export function resetGcov(root: string, folder: string): void {
  rmSync(noteIn(folder), { force: true });
  for (const file of filesIn(root, '.gcda')) rmSync(file, { force: true });
}

interface Report {
  readonly current_working_directory: string;
  readonly files: readonly {
    readonly file: string;
    readonly lines: readonly { readonly line_number: number; readonly count: number }[];
    readonly functions: readonly {
      readonly start_line: number;
      readonly end_line: number;
      readonly execution_count: number;
    }[];
  }[];
}

/**
 * The lines of a version that ran, after it was built with `--coverage` and run at `root`. gcov derives most counts from
 * others, which works only for functions that return: after a crash, a function that was entered counts as a whole.
 */
export function readGcovCoverage(
  root: string,
  folder: string,
  files: Artifact['files'],
  read?: ReadonlySet<string>,
): Coverage {
  const top = realpathSync(root);
  const crashed = existsSync(noteIn(folder));
  const executed = new Map<string, Set<number>>();
  const undecided = new Map<string, Set<number>>();
  const inFunctions = new Map<string, Set<number>>();
  const inIdle = new Map<string, Set<number>>();
  for (const report of reports(top))
    for (const found of report.files) {
      const path = relative(top, resolve(report.current_working_directory, found.file)).split(sep).join('/');
      const entry = files.get(path);
      if (entry?.kind !== 'file') continue;
      const ran = setIn(executed, path);
      const inside = setIn(inFunctions, path);
      const idle = setIn(inIdle, path);
      const counts = new Map<number, number>();
      for (const { line_number, count } of found.lines)
        counts.set(line_number, Math.max(count, counts.get(line_number) ?? 0));
      // A statement is counted at its first line: unlisted lines belong to the statement before them.
      for (const { start_line, end_line, execution_count } of found.functions)
        for (let line = start_line, count = 0; line <= end_line; line++) {
          count = counts.get(line) ?? count;
          inside.add(line);
          if (execution_count === 0) idle.add(line);
          if (count > 0 || (crashed && execution_count > 0)) ran.add(line);
        }
    }
  for (const path of executed.keys()) {
    const entry = files.get(path);
    const lines = entry?.kind === 'file' ? Buffer.from(entry.bytes).toString('latin1').split('\n') : [];
    const always = setIn(undecided, path);
    // A macro in the body of a function that did not run is hardly ever used elsewhere; if it is, the search widens.
    for (const line of countsEverywhere(lines, inFunctions.get(path)!))
      if (!inIdle.get(path)!.has(line)) always.add(line);
  }
  return { kind: 'gcov', executed, undecided, ...(read ? { read } : {}) };
}

/** Directives, wherever they are, with their continuation lines; and what is outside functions and not a comment. */
function countsEverywhere(lines: readonly string[], inFunctions: ReadonlySet<number>): readonly number[] {
  const found: number[] = [];
  let comment = false;
  let directive = false;
  for (const [i, line] of lines.entries()) {
    const wasComment = comment;
    const text = line.replace(/\/\/.*$|\/\*.*?\*\//g, '').trim();
    if (comment && text.includes('*/')) comment = false;
    else if (!comment && text.includes('/*')) comment = true;
    const isDirective: boolean = !wasComment && (directive || text.startsWith('#'));
    directive = isDirective && text.endsWith('\\');
    const blank = wasComment ? !/\*\/\s*\S/.test(text) : text === '' || text.startsWith('/*');
    if (isDirective || (!blank && !inFunctions.has(i + 1))) found.push(i + 1);
  }
  return found;
}

function setIn(map: Map<string, Set<number>>, path: string): Set<number> {
  const known = map.get(path) ?? new Set();
  map.set(path, known);
  return known;
}

/** One report for each object that ran. gcov looks for the notes (.gcno) next to the counts (.gcda). */
function* reports(top: string): Generator<Report> {
  for (const file of filesIn(top, '.gcda')) {
    const run = spawnSync('gcov', ['--json-format', '--stdout', file], {
      cwd: dirname(file),
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    if (run.error)
      throw new UserError(
        'The command `gcov` could not be started.',
        'It comes with gcc. To do without coverage, add --coverage none.',
      );
    for (const line of run.stdout.split('\n')) if (line.startsWith('{')) yield JSON.parse(line);
  }
}

function filesIn(root: string, extension: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith(extension))
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
}
