/** Branches and functions of C and C++ programs built with `--coverage`, from gcov. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FileBranches, Spot, Taken } from './branches.js';

/** Counts go to a folder of ours, and not next to the user's objects. */
export const gcovPrefix = (folder: string): Readonly<Record<string, string>> => ({ GCOV_PREFIX: prefixIn(folder) });

const prefixIn = (folder: string): string => join(folder, 'gcov');

interface Report {
  readonly current_working_directory: string;
  readonly files: readonly {
    readonly file: string;
    readonly lines: readonly {
      readonly line_number: number;
      readonly count: number;
      readonly function_name?: string;
      readonly branches: readonly { readonly count: number; readonly throw: boolean }[];
    }[];
    readonly functions: readonly {
      readonly demangled_name: string;
      readonly start_line: number;
      readonly start_column: number;
      readonly execution_count: number;
    }[];
  }[];
}

/** Whether an object of the run wrote counts. */
export const hasCounts = (folder: string): boolean => countsIn(folder).length > 0;

const countsIn = (folder: string): readonly string[] => {
  const top = prefixIn(folder);
  if (!existsSync(top)) return [];
  return readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.gcda'))
    .sort();
};

export function readGcovBranches(
  folder: string,
  pathOf: (file: string) => string | undefined,
): ReadonlyMap<string, FileBranches> {
  const known = new Map<string, Map<string, Spot & Taken>>();
  for (const name of countsIn(folder))
    for (const { current_working_directory, files } of reportsOf(join(prefixIn(folder), name), `/${name}`))
      for (const { file, lines, functions } of files) {
        const path = pathOf(resolve(current_working_directory, file));
        if (path === undefined) continue;
        const spots = known.get(path) ?? new Map<string, Spot & Taken>();
        known.set(path, spots);
        const add = (spot: Spot & Taken) => {
          // A header is part of several objects.
          const before = spots.get(keyOf(spot)) ?? { times: 0, of: 0 };
          spots.set(keyOf(spot), { ...spot, times: spot.times + before.times, of: spot.of + before.of });
        };
        for (const { demangled_name, start_line: line, start_column: column, execution_count: times } of functions)
          add({
            kind: 'function',
            line,
            column,
            endLine: line,
            endColumn: 0,
            function: demangled_name,
            times,
            of: times,
          });
        for (const { line_number: line, count: of, branches, function_name } of lines)
          for (const [column, { count: times, throw: isThrow }] of branches.entries())
            if (!isThrow)
              add({ kind: 'branch', line, column, endLine: line, endColumn: 0, ...named(function_name), times, of });
      }
  return new Map(
    [...known].map(([path, spots]) => [
      path,
      {
        spots: [...spots.values()].map(({ times: _, of: __, ...spot }) => spot),
        taken: (spot: Spot) => spots.get(keyOf(spot)),
      },
    ]),
  );
}

const keyOf = ({ kind, line, column }: Spot): string => `${kind} ${line}:${column}`;
const named = (name: string | undefined) => (name === undefined ? {} : { function: name });

/** gcov looks for the notes of an object next to its counts, so they are put there. */
function reportsOf(counts: string, origin: string): readonly Report[] {
  const notes = origin.replace(/\.gcda$/, '.gcno');
  if (!existsSync(notes)) return [];
  mkdirSync(dirname(counts), { recursive: true });
  copyFileSync(notes, counts.replace(/\.gcda$/, '.gcno'));
  const { stdout, status } = spawnSync('gcov', ['--json-format', '--branch-probabilities', '--stdout', counts], {
    cwd: dirname(counts),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (status !== 0) return [];
  return stdout
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line));
}
