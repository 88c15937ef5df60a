/** Which code of an input a run loaded, and did not execute. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from '../../core/artifact.js';
import { isCompiledSource } from './reached.js';
import { environmentOf, runtimes, runtimesFor } from './runtimes/index.js';
import { isPage } from './runtimes/loaded-texts.js';
import type { Unexecuted } from './runtimes/runtime.js';

/** Whether a file may be code that one of the supported runtimes loads. */
export const mayBeLoaded = (path: string): boolean => runtimes.some(({ files }) => files.test(path));

/** Whether a file may hold code that one of them runs. */
export const mayHoldCode = (path: string): boolean => mayBeLoaded(path) || isPage(path);

/** Whether a file may be code that is loaded, or code that is compiled and then runs by itself. */
export const mayBeExecuted = (path: string): boolean => mayBeLoaded(path) || isCompiledSource(path);

const folderName = '.culprit-executed';

/** How a run is watched: every process of a supported runtime that it starts reports what it executed, unless a signal kills it. */
export const watchUnexecuted = (files: Artifact['files']) => ({
  built(_root: string, tmp: string): Readonly<Record<string, string>> {
    const folder = join(tmp, folderName);
    mkdirSync(folder);
    return environmentOf(runtimesFor(files), folder, process.env);
  },
  ran(root: string, tmp: string): Unexecuted {
    const folder = join(tmp, folderName);
    if (!existsSync(folder)) return {};
    return Object.assign({}, ...runtimesFor(files).map(each => each.idle({ folder, root, files })));
  },
});
