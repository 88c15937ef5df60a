/** Reads which lines of a C or C++ program ran, with gcov. */
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import type { Coverage } from './coverage.js';
import { countsIn, filesIn, reports } from './gcov-reports.js';
import { pathsIn, type WatchedRun } from './runtimes/runtime.js';

/**
 * Coverage of C and C++ programs built with `--coverage`. Each object writes its counts when its process exits, and nothing
 * if the process crashes; but the crash is what we need. So a small library is loaded into every process: on a fatal signal
 * it leaves through `exit`, which writes the counts, leaves a note, and then dies from the same signal. A sanitizer ends the process
 * by itself, with its own exit code: then a copy of the process leaves through `exit`.
 */
const onCrash = `
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)(void));
static volatile sig_atomic_t caught;
static char stack[1 << 16];
static void leave(int number) {
  if (caught) _exit(128 + number);
  caught = number;
  exit(128 + number);
}
static void leave_twice(void) {
  int child = fork();
  if (child > 0) { waitpid(child, 0, 0); return; }
  close(1);
  close(2);
  const char *note = getenv("CULPRIT_CRASH_NOTE");
  if (note) close(open(note, O_WRONLY | O_CREAT, 0644));
  exit(0);
}
__attribute__((constructor)) static void install(void) {
  if (__sanitizer_set_death_callback) { __sanitizer_set_death_callback(leave_twice); return; }
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
  // A sanitizer wants to be the first library.
  const sanitizer = [process.env.ASAN_OPTIONS, 'verify_asan_link_order=0'].filter(Boolean).join(':');
  return { LD_PRELOAD: library, CULPRIT_CRASH_NOTE: noteIn(folder), ASAN_OPTIONS: sanitizer };
}

const noteIn = (folder: string): string => join(folder, 'crashed');

/** Removes the counts of earlier runs of this build. */
export function resetGcov(root: string, folder: string): void {
  rmSync(noteIn(folder), { force: true });
  for (const top of [root, countsIn(folder)]) for (const file of filesIn(top, '.gcda')) rmSync(file, { force: true });
}

/**
 * The lines of a version that ran, after it was built with `--coverage` and run at `root`. gcov derives most counts from
 * others, which works only for functions that return: after a crash, a function that was entered counts as a whole.
 */
export function readGcovCoverage(run: WatchedRun): Coverage {
  const { root, folder, files } = run;
  const pathOf = pathsIn(run);
  const crashed = existsSync(noteIn(folder));
  const [ran, inFunctions, inIdle] = [new Map(), new Map(), new Map()] as Map<string, Set<number>>[];
  const starts = new Map<string, Map<number, boolean>>();
  for (const report of reports(realpathSync(root), folder))
    for (const found of report.files) {
      const path = pathOf(resolve(report.current_working_directory, found.file));
      if (path === undefined) continue;
      const counts = new Map<number, number>();
      for (const { line_number, count } of found.lines)
        counts.set(line_number, Math.max(count, counts.get(line_number) ?? 0));
      // A statement is counted at its first line: unlisted lines belong to the statement before them.
      for (const { start_line, end_line, execution_count } of found.functions) {
        const known = starts.get(path) ?? new Map<number, boolean>();
        starts.set(path, known.set(start_line, execution_count > 0 || (known.get(start_line) ?? false)));
        for (let line = start_line, count = 0; line <= end_line; line++) {
          count = counts.get(line) ?? count;
          setIn(inFunctions!, path).add(line);
          if (execution_count === 0) setIn(inIdle!, path).add(line);
          if (count > 0 || (crashed && execution_count > 0)) setIn(ran!, path).add(line);
        }
      }
      // With #line, gcov may not know where a function ends; its lines are counted all the same.
      for (const [line, count] of counts) {
        setIn(inFunctions!, path).add(line);
        if (count > 0) setIn(ran!, path).add(line);
      }
      setIn(ran!, path);
    }
  const executed = new Map<string, ReadonlySet<number>>();
  const undecided = new Map<string, ReadonlySet<number>>();
  for (const [path, entry] of files) {
    if (entry.kind !== 'file') continue;
    const lines = Buffer.from(entry.bytes).toString('latin1').split('\n');
    for (const [start, isEntered] of starts.get(path) ?? [])
      for (const line of linesOfHead(lines, start)) {
        setIn(inFunctions!, path).add(line);
        setIn(isEntered ? ran! : inIdle!, path).add(line);
      }
    const origins = originsOf(path, lines, ran!);
    if (!ran!.has(path) && !origins) continue;
    const here = (seen: ReadonlyMap<string, ReadonlySet<number>>): ReadonlySet<number> =>
      new Set([
        ...(seen.get(path) ?? []),
        ...(origins ?? []).flatMap((from, i) => (from && seen.get(from.path)?.has(from.line) ? [i + 1] : [])),
      ]);
    const idle = here(inIdle!);
    executed.set(path, here(ran!));
    // A macro in the body of a function that did not run is hardly ever used elsewhere; if it is, the search widens.
    undecided.set(path, new Set(countsEverywhere(lines, here(inFunctions!)).filter(line => !idle.has(line))));
  }
  return { kinds: ['gcov'], executed, undecided };
}

/** gcov says in which line the name of a function is. What its type says before that belongs to it: `static int`. */
function linesOfHead(lines: readonly string[], start: number): readonly number[] {
  const found: number[] = [];
  // The last line of a macro looks the same.
  const isDirective = (line: number) => lines[line - 2]?.endsWith('\\') ?? false;
  for (let line = start - 1; line > 0 && isOfHead.test(lines[line - 1]!) && !isDirective(line); line--)
    found.push(line);
  return found;
}

/** A line with words in it that is no directive, and at whose end nothing ends or begins. */
const isOfHead = /^(?!\s*(?:#|\/[/*]|\*)).*\w.*(?<![;{}]|\*\/)\s*$/;

/**
 * Where each line of a generated file is counted, if `#line` says so: `#line 12 "parse.y"` in parse.c. Undefined if no directive names a
 * file that has counts.
 */
function originsOf(
  path: string,
  lines: readonly string[],
  counted: ReadonlyMap<string, unknown>,
): readonly ({ readonly path: string; readonly line: number } | undefined)[] | undefined {
  if (!generated.test(path)) return undefined;
  let from: { readonly path: string; readonly line: number; readonly at: number } | undefined;
  let isUsed = false;
  const origins = lines.map((line, i) => {
    const [, number, name] = /^\s*#\s*(?:line\s+)?(\d+)(?:\s+"([^"]+)")?/.exec(line) ?? [];
    if (number === undefined) return from && { path: from.path, line: from.line + i - from.at };
    const known = [name, name && posix.join(posix.dirname(path), name)].find(each => each && counted.has(each));
    if (name !== undefined) from = known === undefined ? undefined : { path: known, line: Number(number), at: i + 1 };
    else if (from) from = { ...from, line: Number(number), at: i + 1 };
    isUsed ||= known !== undefined && known !== path;
    return undefined;
  });
  return isUsed ? origins : undefined;
}

/** Files that a generator may have written from another one. */
const generated = /\.(?:[ch]|cc|cpp|cxx|hh|hpp)$/i;

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

/** A build with `--coverage` leaves notes on every object. */
export const hasNotes = (root: string): boolean => filesIn(root, '.gcno').length > 0;
