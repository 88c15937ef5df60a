/** Reads what gcov says about each object of a program, whether gcc or clang compiled it. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../../core/index.js';
import { greatestOf, leastOf } from '../../core/lists.js';

/** Where the counts go if GCOV_PREFIX says so, with the notes next to them (see `compilers.ts`). */
export const countsIn = (folder: string): string => join(folder, 'counts');

export interface Report {
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
 * One report for each object that ran. gcov looks for the notes (.gcno) next to the counts (.gcda). If we compiled the program, all
 * notes are known, and an object without counts was part of no process that ended.
 */
export function* reports(top: string, folder: string): Generator<Report> {
  const ours = countsIn(folder);
  const kept = filesIn(ours, '.gcda');
  for (const file of kept) if (!existsSync(notesOf(file))) copyNotes(file, file.slice(ours.length));
  const notes = kept.length === 0 ? [] : filesIn(ours, '.gcno');
  yield* ofGcc(filesIn(top, '.gcda'), demandGcov);
  yield* ofGcc(notes.filter(file => !isOfClang(file)));
  yield* ofClang(notes.filter(isOfClang), folder);
}

const notesOf = (counts: string): string => counts.replace(/\.gcda$/, '.gcno');

/** A compiler that was not ours left its notes next to the object. */
function copyNotes(counts: string, origin: string): void {
  if (existsSync(notesOf(origin))) copyFileSync(notesOf(origin), notesOf(counts));
}

const mostAtOnce = 50;

function demandGcov(): void {
  throw new UserError(
    'The command `gcov` could not be started.',
    'It comes with gcc. To do without coverage, add --coverage none.',
  );
}

function* ofGcc(files: readonly string[], missing = () => {}): Generator<Report> {
  for (let from = 0; from < files.length; from += mostAtOnce) {
    const some = files.slice(from, from + mostAtOnce);
    const run = spawnSync('gcov', ['--json-format', '--stdout', ...some], {
      cwd: dirname(some[0]!),
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    if (run.error) return missing();
    for (const line of run.stdout.split('\n')) if (line.startsWith('{')) yield JSON.parse(line);
  }
}

/** The version of the format that clang writes: that of gcc 4.8. */
function isOfClang(notes: string): boolean {
  const head = readFileSync(notes).subarray(4, 8).toString('latin1');
  return head === '*804' || head === '408*';
}

/** `llvm-cov` writes one text for each object. It says neither where a function ends nor where the compiler was started. */
function* ofClang(notes: readonly string[], folder: string): Generator<Report> {
  if (notes.length === 0) return;
  const out = join(folder, 'llvm');
  mkdirSync(out, { recursive: true });
  for (const file of notes) {
    const run = spawnSync('llvm-cov', ['gcov', '-i', file], { cwd: out, stdio: 'ignore' });
    const text = join(out, `${basename(file)}.gcov`);
    if (run.status !== 0 || !existsSync(text)) continue;
    const from = file.replace(/\.gcno$/, '.from');
    const started = existsSync(from) ? readFileSync(from, 'utf8').trim() : dirname(file);
    yield { current_working_directory: started, files: readLlvm(readFileSync(text, 'utf8')) };
    rmSync(text);
  }
}

function readLlvm(text: string): Report['files'] {
  const files: { file: string; lines: Report['files'][0]['lines'][0][]; starts: [number, number][] }[] = [];
  for (const line of text.split('\n')) {
    const [word = '', rest = ''] = /^(\w+):(.*)$/.exec(line)?.slice(1) ?? [];
    const [number = 0, count = 0] = rest.split(',').map(Number);
    if (word === 'file') files.push({ file: rest, lines: [], starts: [] });
    if (word === 'lcount') files.at(-1)?.lines.push({ line_number: number, count });
    if (word === 'function') files.at(-1)?.starts.push([number, count]);
  }
  return files.map(({ file, lines, starts }) => ({
    file,
    lines,
    functions: starts.map(([start_line, execution_count]) => {
      const next = leastOf(starts.map(([other]) => other).filter(other => other > start_line));
      const within = lines.map(each => each.line_number).filter(line => line >= start_line && line < next);
      return { start_line, end_line: Math.max(start_line, greatestOf(within)), execution_count };
    }),
  }));
}

export function filesIn(root: string, extension: string): readonly string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith(extension))
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
}
