/** How the runtime of a language is made to report which lines it runs. */
import { realpathSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import type { Artifact } from '../../../core/artifact.js';
import { decode, type Text } from '../../../core/decode.js';
import { indexLines } from '../../../core/line-index.js';
import type { Coverage, CoverageName } from '../coverage.js';
import type { Environment } from '../programs.js';

/** A run that is watched. */
export interface WatchedRun {
  /** A folder of ours, in the temporary folder of the run: every process writes its report there. */
  readonly folder: string;
  /** Where the version is. */
  readonly root: string;
  readonly files: Artifact['files'];
  /** The files that the run read, if that is known. */
  readonly read?: ReadonlySet<string> | undefined;
}

/** The code of a file that did not run. Plain data, for the journal. */
export interface Idle {
  /** Start, end, start, end … in the text of the file. */
  readonly ranges: readonly number[];
  /** Only lines are known: a line without an own step, such as the second line of a table, counts as not executed. */
  readonly isByLine?: boolean;
}

/** By path: every file of the input that the run loaded as code. None if the input is not what is executed. */
export type Unexecuted = Readonly<Record<string, Idle>>;

export interface Runtime {
  readonly name: CoverageName;
  /** The names of files that it loads. */
  readonly files: RegExp;
  /** The interpreter in the first line of a script that is named otherwise: `#!/usr/bin/env ruby`. */
  readonly interpreter: RegExp;
  /** It reports by itself: nothing of ours runs in the program, so it is always asked. */
  readonly isPassive?: boolean;
  /**
   * Variables with which every process of the runtime reports what it runs. Nothing else may change for the program.
   * `around`: its environment so far.
   */
  environment(folder: string, around: Environment): Readonly<Record<string, string>>;
  /** The lines that ran, in every file of the version that was loaded. */
  read(run: WatchedRun): Coverage;
  /** The code that did not run, in the same files. */
  idle(run: WatchedRun): Unexecuted;
}

/**
 * The path in the version of a file that a process names; `undefined` if it belongs to something else. A test may copy the
 * version into its temporary folder and run it there: there, the longest end of a path that the version has is meant.
 */
export function pathsIn({ folder, root, files }: WatchedRun): (file: string) => string | undefined {
  const top = realpathSync(root);
  const tmp = dirname(realpathSync(folder));
  return name => {
    const file = realPath(name);
    const path = relative(top, file).split(sep).join('/');
    if (!path.startsWith('../')) return path === '' ? undefined : path;
    if (!file.startsWith(tmp + sep)) return undefined;
    const parts = relative(tmp, file).split(sep);
    return parts.map((_, from) => parts.slice(from).join('/')).find(end => files.get(end)?.kind === 'file');
  };
}

/** A file that is gone keeps its name. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** The ranges of the lines that did not run; lines count from 1. */
export function linesWithout(text: string, ran: ReadonlySet<number>): readonly number[] {
  const { starts } = indexLines(text);
  const ranges: number[] = [];
  for (const [line, start] of starts.entries()) {
    if (ran.has(line + 1)) continue;
    const end = starts[line + 1] ?? text.length;
    if (ranges.at(-1) === start) ranges[ranges.length - 1] = end;
    else ranges.push(start, end);
  }
  return ranges;
}

/** What did not run, for a runtime that reports lines. */
export function idleLines(steps: ReadonlyMap<string, ReadonlySet<number>>, files: Artifact['files']): Unexecuted {
  const found: Record<string, Idle> = {};
  for (const [path, ran] of steps) {
    // Lines are the same in every encoding that keeps ASCII; a runtime that counts letters needs the text as it reads it.
    const text = textAt(files, path, ['utf8', 'latin1']);
    if (text !== undefined) found[path] = { ranges: linesWithout(text, ran), isByLine: true };
  }
  return found;
}

export function textAt(
  files: Artifact['files'],
  path: string,
  encodings: readonly Text['encoding'][] = ['utf8'],
): string | undefined {
  const entry = files.get(path);
  if (entry?.kind !== 'file') return undefined;
  const { text, encoding } = decode(entry.bytes);
  return encodings.includes(encoding) ? text : undefined;
}
