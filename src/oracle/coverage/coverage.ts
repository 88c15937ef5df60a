/** Which lines a run of a version executed. Paths are those of the version, lines are counted from 1. */
export interface Coverage {
  readonly kind: 'v8' | 'gcov';
  /** For each file that the run loaded, the lines that ran. */
  readonly executed: ReadonlyMap<string, ReadonlySet<number>>;
  /** Lines that never run but affect everything: macros, declarations outside functions. */
  readonly undecided: ReadonlyMap<string, ReadonlySet<number>>;
  /** The files that the build and the run read, code or not if that is known (see `watchReads`). */
  readonly read?: ReadonlySet<string>;
}

/** No code was seen to run: the coverage says nothing, so no change may be set aside because of it. */
export const isBlank = (coverage: Coverage): boolean => coverage.executed.size === 0;
