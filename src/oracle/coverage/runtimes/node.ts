/** Node programs, from V8's own coverage. */
import { realpathSync } from 'node:fs';
import { pathIn, type Range, readReports, readV8Coverage, v8Environment } from '../v8.js';
import { type Runtime, textAt, type Unexecuted, type WatchedRun } from './runtime.js';

export const node: Runtime = {
  name: 'v8',
  files: /\.[cm]?js$/,
  interpreter: /\bnode\b/,
  isPassive: true,
  environment: folder => v8Environment(folder),
  read: ({ folder, root, files, read }) => readV8Coverage(folder, root, files, read),
  idle,
};

/** V8 counts blocks, so what did not run is known by its columns. */
function idle({ folder, root, files }: WatchedRun): Unexecuted {
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
