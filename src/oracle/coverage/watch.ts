/** How a run of a version is watched, so that it reports which lines it executes. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from '../../core/artifact.js';
import { type Exactness, wrapCompilers } from './compilers.js';
import { type Coverage, together } from './coverage.js';
import { gcovEnvironment, hasNotes, readGcovCoverage, resetGcov } from './gcov.js';
import type { Environment } from './programs.js';
import { watchReads } from './reads.js';
import { environmentOf } from './runtimes/index.js';
import type { Runtime, WatchedRun } from './runtimes/runtime.js';

/** Who reports. */
export interface Watchers {
  readonly runtimes: readonly Runtime[];
  /** `built`: only if the program's own build counts. The others compile it with coverage, in a build of its own. */
  readonly gcov: 'none' | 'built' | Exactness;
}

/** `around`: the environment of the command. */
export function watchLines(files: Artifact['files'], { runtimes, gcov }: Watchers, around: Environment) {
  let reads: ReturnType<typeof watchReads> = () => undefined;
  let isCounted = false;
  const folderIn = (tmp: string) => join(tmp, 'coverage');
  const isWrapped = gcov === 'exact' || gcov === 'optimised';
  const compilers = (tmp: string) => (isWrapped ? wrapCompilers(folderIn(tmp), around, gcov) : {});
  return {
    placed(root: string, tmp: string): void {
      mkdirSync(folderIn(tmp));
      reads = watchReads(root, files.keys());
    },
    ...(isWrapped ? { forBuild: (_root: string, tmp: string) => compilers(tmp) } : {}),
    built(root: string, tmp: string): Readonly<Record<string, string>> {
      const folder = folderIn(tmp);
      isCounted = isWrapped || (gcov === 'built' && hasNotes(root));
      if (isCounted) resetGcov(root, folder);
      const first = compilers(tmp);
      const crashes = isCounted ? gcovEnvironment(folder) : {};
      return { ...first, ...environmentOf(runtimes, folder, { ...around, ...first }), ...crashes };
    },
    ran(root: string, tmp: string): Coverage {
      const read = reads();
      const run: WatchedRun = { folder: folderIn(tmp), root, files, read };
      return together([...runtimes.map(each => each.read(run)), ...(isCounted ? [readGcovCoverage(run)] : [])], read);
    },
  };
}
