/** Branches of a run in any supported language: Node, Python, and C or C++ built with `--coverage`. */
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gcovEnvironment } from '../gcov.js';
import { v8Environment } from '../v8.js';
import type { Branches } from './branches.js';
import { gcovPrefix, hasCounts, readGcovBranches } from './gcov.js';
import { pythonEnvironment, readPythonBranches } from './python.js';
import { readV8Branches } from './v8.js';

export { type Branches, type Divergence, divergences, type LineMap, sameLines } from './branches.js';

export interface SeenBranches {
  readonly branches: Branches;
  /** C or C++ objects wrote counts: to see a crash, set `isNative`. */
  readonly isNative: boolean;
}

/** The folder for the counts of a run, next to what the command itself puts into its temporary folder. */
const folderName = '.culprit-branches';

/**
 * How a run is observed. `home`: the user's folder; files in it, or in the run's workspace, are named by their path in it.
 * `isNative`: the program is known to count with gcov, so crashes are made to write their counts.
 */
export const watchBranches = (home: string, isNative = false) => ({
  placed: () => {},
  built(_root: string, tmp: string): Readonly<Record<string, string>> {
    const folder = join(tmp, folderName);
    mkdirSync(folder);
    return {
      ...v8Environment(folder),
      ...pythonEnvironment(folder, process.env),
      ...gcovPrefix(folder),
      ...(isNative ? gcovEnvironment(folder) : {}),
    };
  },
  ran(root: string, tmp: string): SeenBranches {
    const folder = join(tmp, folderName);
    if (!existsSync(folder)) return { branches: new Map(), isNative: false };
    const tops = [realpathSync(root), home];
    const pathOf = (file: string): string => {
      const top = tops.find(each => file.startsWith(`${each}/`));
      return top === undefined ? file : relative(top, file);
    };
    return {
      branches: new Map([
        ...readV8Branches(folder, pathOf),
        ...readPythonBranches(folder, pathOf),
        ...readGcovBranches(folder, pathOf),
      ]),
      isNative: hasCounts(folder),
    };
  },
});
