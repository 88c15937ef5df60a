/** Branches and functions of Python programs, from a module that Python imports when it starts. */
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addTo } from '../../../core/lists.js';
import { reportsIn } from '../reports.js';
import type { FileBranches, Spot } from './branches.js';

/** Where the module of the agent is. */
export const agentFolder = dirname(fileURLToPath(new URL('./python/sitecustomize.py', import.meta.url)));

/** `around`: the rest of the command's environment. */
export const pythonEnvironment = (
  folder: string,
  around: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> => ({
  CULPRIT_COVERAGE: folder,
  PYTHONPATH: [agentFolder, around.PYTHONPATH].filter(Boolean).join(delimiter),
});

/** What one process saw of one file. */
export interface SeenByPython {
  readonly file: string;
  /** Line, next line in the same function, count, function. */
  readonly arcs: readonly (readonly [number, number, number, string])[];
  /** First line, count, name. */
  readonly functions: readonly (readonly [number, number, string])[];
  /** Line, count. */
  readonly lines: readonly (readonly [number, number])[];
  /**
   * First line, last line: of each statement without those inside it, of the head of each function, and of each docstring
   * (`text`). None if they were not asked for, or if the file cannot be parsed any more.
   */
  readonly statements: readonly (readonly [number, number, 'step' | 'def' | 'text'])[];
}

type PathOf = (file: string) => string | undefined;

export const readPythonBranches = (folder: string, pathOf: PathOf): ReadonlyMap<string, FileBranches> =>
  new Map([...readPython(folder, pathOf)].map(([path, seen]) => [path, branchesOf(seen)]));

/** What every process saw, by file. */
export function readPython(folder: string, pathOf: PathOf): ReadonlyMap<string, readonly SeenByPython[]> {
  const files = new Map<string, SeenByPython[]>();
  for (const report of reportsIn<readonly SeenByPython[]>(folder, /^python-[\d-]+\.json$/))
    for (const seen of report) {
      const path = pathOf(seen.file);
      if (path !== undefined) addTo(files, path, seen);
    }
  return files;
}

/** A branch is a step from one line to another, if there is more than one such step from there in the two runs. */
function branchesOf(seen: readonly SeenByPython[]): FileBranches {
  const counts = new Map<string, number>();
  const lines = new Map<number, number>();
  const spots = new Map<string, Spot>();
  const add = (spot: Spot, count: number) => {
    spots.set(keyOf(spot), spot);
    counts.set(keyOf(spot), (counts.get(keyOf(spot)) ?? 0) + count);
  };
  for (const { arcs, functions, lines: ran } of seen) {
    for (const [line, endLine, count, name] of arcs)
      add({ kind: 'branch', line, column: 0, endLine, endColumn: 0, function: name }, count);
    for (const [line, count, name] of functions)
      add({ kind: 'function', line, column: 0, endLine: line, endColumn: 0, function: name }, count);
    for (const [line, count] of ran) lines.set(line, (lines.get(line) ?? 0) + count);
  }
  return {
    spots: [...spots.values()],
    taken(spot) {
      const times = counts.get(keyOf(spot)) ?? 0;
      return { times, of: spot.kind === 'function' ? times : (lines.get(spot.line) ?? 0) };
    },
  };
}

const keyOf = ({ kind, line, endLine, function: name }: Spot): string =>
  kind === 'function' ? `function ${line} ${name}` : `${line}>${endLine}`;
