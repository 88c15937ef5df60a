/** Reads which lines of a Node program ran, from V8's coverage. */
import { readFileSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Artifact } from '../../core/artifact.js';
import { addLines, type Coverage } from './coverage.js';
import { reportsIn } from './reports.js';
import { mappedLines, type SourceMap } from './source-map.js';

/**
 * With NODE_V8_COVERAGE set, every Node process of the run writes one file when it ends: worker threads, child processes,
 * ES modules and CommonJS. A process that is killed by a signal writes none.
 */
export const v8Environment = (folder: string): Readonly<Record<string, string>> => ({ NODE_V8_COVERAGE: folder });

export interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Report {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly functionName: string; readonly ranges: readonly Range[] }[];
  }[];
  readonly 'source-map-cache'?: Readonly<Record<string, { readonly data?: SourceMap | null }>>;
}

/**
 * The lines of a version that ran, from the files in `folder`. `root` is where the version was when it ran, `files` its
 * contents. Files that a build made from the version's sources count for these if a source map says so.
 */
export function readV8Coverage(
  folder: string,
  root: string,
  files: Artifact['files'],
  read?: ReadonlySet<string>,
): Coverage {
  const executed = new Map<string, Set<number>>();
  const top = realpathSync(root);
  for (const report of readReports(folder)) {
    for (const script of report.result) {
      const path = pathIn(top, script.url);
      const source = path === undefined ? undefined : sourceOf(path, top, files);
      if (path === undefined || source === undefined) continue;
      const lines = executedLines(
        source,
        script.functions.flatMap(({ ranges }) => ranges),
      );
      addLines(executed, path, lines);
      const map = report['source-map-cache']?.[script.url]?.data;
      if (!map) continue;
      // A package may contain its sources next to what was built from them: then the sources are never read.
      const counts = (original: string) => files.has(original) && (!files.has(path) || read?.has(original) === true);
      for (const [original, mapped] of mappedLines(map, path, lines, address => pathIn(top, address)))
        if (counts(original)) addLines(executed, original, mapped);
    }
  }
  return { kinds: ['v8'], executed, undecided: new Map(), ...(read ? { read } : {}) };
}

/** What each process of a run wrote. */
export const readReports = (folder: string): readonly Report[] => reportsIn(folder, /^coverage-.*\.json$/);

/** The path of a loaded script in a folder. */
export function pathIn(top: string, url: string): string | undefined {
  if (!url.startsWith('file:')) return undefined;
  const path = relative(top, fileURLToPath(new URL(url)));
  return path.startsWith('..') || path === '' ? undefined : path.split(sep).join('/');
}

function sourceOf(path: string, top: string, files: Artifact['files']): string | undefined {
  const entry = files.get(path);
  // V8 counts in UTF-16 units of the text that Node compiled, and Node strips a byte order mark.
  if (entry?.kind === 'file')
    return Buffer.from(entry.bytes)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
  try {
    return readFileSync(join(top, path), 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}

/**
 * A line ran if a non-blank character of it ran. Ranges are nested: the innermost one around a character has its count;
 * a function that was never called is a range with count 0 inside the module, which always ran.
 */
export function executedLines(source: string, ranges: readonly Range[]): ReadonlySet<number> {
  const ran = new Uint8Array(source.length);
  const outerFirst = [...ranges].sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of outerFirst) ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  const lines = new Set<number>();
  let line = 1;
  for (let i = 0; i < source.length; i++) {
    const code = source.charCodeAt(i);
    if (code === 10) line++;
    else if (ran[i] === 1 && code > 32) lines.add(line);
  }
  return lines;
}
