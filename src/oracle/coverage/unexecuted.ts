/** Which code of an input a run loaded, and did not execute. */
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Artifact } from '../../core/artifact.js';
import { decode } from '../../core/decode.js';
import { indexLines } from '../../core/line-index.js';
import { pythonEnvironment, readPythonLines } from './branches/python.js';
import { pathIn, type Range, readReports, v8Environment } from './v8.js';

/** The code of a file that did not run. Plain data, for the journal. */
export interface Idle {
  /** Start, end, start, end … in the text of the file. */
  readonly ranges: readonly number[];
  /** Only lines are known: a line without an own step, such as the second line of a table, counts as not executed. */
  readonly isByLine?: boolean;
}

/** By path: every file of the input that the run loaded as code. None if the input is not what is executed. */
export type Unexecuted = Readonly<Record<string, Idle>>;

/** Whether a file may be code that one of the supported runtimes loads. */
export const mayBeExecuted = (path: string): boolean => /\.(?:[cm]?js|py)$/.test(path);

const folderName = '.culprit-executed';

/** How a run is watched: every Node and Python process that it starts reports what it executed, unless a signal kills it. */
export const watchUnexecuted = (files: Artifact['files']) => ({
  built(_root: string, tmp: string): Readonly<Record<string, string>> {
    const folder = join(tmp, folderName);
    mkdirSync(folder);
    return { ...v8Environment(folder), ...pythonEnvironment(folder, process.env) };
  },
  ran(root: string, tmp: string): Unexecuted {
    const folder = join(tmp, folderName);
    return existsSync(folder) ? { ...inScripts(folder, root, files), ...inPython(folder, root, files) } : {};
  },
});

function inScripts(folder: string, root: string, files: Artifact['files']): Unexecuted {
  const top = realpathSync(root);
  const ran = new Map<string, Uint8Array>();
  for (const report of readReports(folder))
    for (const { url, functions } of report.result) {
      const path = pathIn(top, url);
      const text = path === undefined ? undefined : textAt(files, path);
      if (path === undefined || text === undefined) continue;
      const ranges = functions.flatMap(each => each.ranges);
      const known = ran.get(path) ?? new Uint8Array(text.length);
      ran.set(path, known);
      const now = executedUnits(text, ranges);
      for (let i = 0; i < known.length; i++) known[i]! |= now[i]!;
    }
  return Object.fromEntries([...ran].map(([path, units]) => [path, { ranges: gapsIn(units) }]));
}

/**
 * 1 for each unit of the text that ran. Ranges are nested, and the innermost one decides. If V8 compiled another text than the
 * file, as loaders do that translate it, all of it counts as executed.
 */
export function executedUnits(text: string, ranges: readonly Range[]): Uint8Array {
  // Node removes a byte order mark before it compiles.
  const shift = text.startsWith('\uFEFF') ? 1 : 0;
  const ran = new Uint8Array(text.length).fill(1);
  if (!ranges.some(({ startOffset, endOffset }) => startOffset === 0 && endOffset === text.length - shift)) return ran;
  const outerFirst = [...ranges].sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of outerFirst)
    ran.fill(count > 0 ? 1 : 0, startOffset + shift, endOffset + shift);
  return ran;
}

function gapsIn(ran: Uint8Array): readonly number[] {
  const ranges: number[] = [];
  for (let at = ran.indexOf(0); at >= 0; at = ran.indexOf(0, ranges.at(-1))) {
    const end = ran.indexOf(1, at);
    ranges.push(at, end < 0 ? ran.length : end);
    if (end < 0) break;
  }
  return ranges;
}

function inPython(folder: string, root: string, files: Artifact['files']): Unexecuted {
  const top = realpathSync(root);
  const lines = readPythonLines(folder, file => (file.startsWith(top + sep) ? relative(top, file) : undefined));
  const found: Record<string, Idle> = {};
  for (const [name, ran] of lines) {
    const path = name.split(sep).join('/');
    const text = textAt(files, path);
    if (text !== undefined) found[path] = { ranges: linesWithout(text, ran), isByLine: true };
  }
  return found;
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

function textAt(files: Artifact['files'], path: string): string | undefined {
  const entry = files.get(path);
  if (entry?.kind !== 'file') return undefined;
  const { text, encoding } = decode(entry.bytes);
  return encoding === 'utf8' ? text : undefined;
}
