/** What a run executes of the scripts of the test itself: files that are the same for every candidate. */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { greatestOf } from '../../core/lists.js';
import { pathIn, type Range, readReports, v8Environment } from './v8.js';

/** For each script, 1 for each unit of its text that ran. */
export type ScriptsRun = ReadonlyMap<string, Uint8Array>;

/** `isTest`: whether a file belongs to the test. A path is relative if the file is in the version, and absolute if it is not. */
export const watchScripts = (isTest: (path: string) => boolean) => ({
  built: (_root: string, tmp: string): Readonly<Record<string, string>> => v8Environment(folderIn(tmp)),
  ran(root: string, tmp: string): ScriptsRun {
    const top = realpathSync(root);
    const found = new Map<string, Uint8Array>();
    for (const { result } of readReports(folderIn(tmp)))
      for (const { url, functions } of result) {
        const path = url.startsWith('file:') ? (pathIn(top, url) ?? fileURLToPath(url)) : undefined;
        if (path === undefined || !isTest(path)) continue;
        const now = unitsRun(functions.flatMap(({ ranges }) => ranges));
        const before = found.get(path);
        found.set(path, before ? now.map((unit, at) => unit | (before[at] ?? 0)) : now);
      }
    return found;
  },
});

const folderIn = (tmp: string): string => join(tmp, 'scripts');

/** Ranges are nested, and the innermost one decides. */
function unitsRun(ranges: readonly Range[]): Uint8Array {
  const ran = new Uint8Array(Math.max(0, greatestOf(ranges.map(({ endOffset }) => endOffset))));
  const outerFirst = [...ranges].sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of outerFirst) ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return ran;
}

/** A place that each of these runs executed and another one did not: a path, and a position in its text. */
export function notRunBy(
  run: ScriptsRun,
  [first, ...others]: readonly ScriptsRun[],
): { readonly path: string; readonly at: number } | undefined {
  for (const [path, units] of first ?? []) {
    const mine = run.get(path);
    const at = units.findIndex(
      (unit, i) => unit === 1 && mine?.[i] !== 1 && others.every(each => each.get(path)?.[i] === 1),
    );
    if (at >= 0) return { path, at };
  }
  return undefined;
}
