/** Which lines a run of a version executed. Paths are those of the version, lines are counted from 1. */

/** What reports lines: the runtimes in `runtimes/`, and gcov. */
export type CoverageName = 'v8' | 'python' | 'ruby' | 'perl' | 'gcov';

export interface Coverage {
  /** What has seen code of the version run. */
  readonly kinds: readonly CoverageName[];
  /** For each file that the run loaded, the lines that ran. */
  readonly executed: ReadonlyMap<string, ReadonlySet<number>>;
  /** Lines that never run but affect everything: macros, declarations outside functions. */
  readonly undecided: ReadonlyMap<string, ReadonlySet<number>>;
  /** The files that the build and the run read, code or not if that is known (see `watchReads`). */
  readonly read?: ReadonlySet<string>;
}

/** No code was seen to run: the coverage says nothing, so no change may be set aside because of it. */
export const isBlank = (coverage: Coverage): boolean => coverage.executed.size === 0;

/** What several runtimes saw of one run: a Node test may start a Python program, and that a C program. */
export function together(seen: readonly Coverage[], read?: ReadonlySet<string>): Coverage {
  const [executed, undecided] = [new Map<string, Set<number>>(), new Map<string, Set<number>>()];
  for (const coverage of seen) {
    for (const [path, lines] of coverage.executed) addLines(executed, path, lines);
    for (const [path, lines] of coverage.undecided) addLines(undecided, path, lines);
  }
  const kinds = seen.filter(coverage => !isBlank(coverage)).flatMap(coverage => coverage.kinds);
  return { kinds, executed, undecided, ...(read ? { read } : {}) };
}

/** Adds lines to those of a file, which counts as loaded even if there are none. */
export function addLines(to: Map<string, Set<number>>, path: string, lines: Iterable<number>): void {
  const known = to.get(path) ?? new Set();
  for (const line of lines) known.add(line);
  to.set(path, known);
}
