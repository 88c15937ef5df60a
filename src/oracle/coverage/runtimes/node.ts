/** Node programs, from V8's own coverage. */
import { realpathSync } from 'node:fs';
import { pathIn, type Range, readReports, readV8Coverage, v8Environment } from '../v8.js';
import { isOf, isPage, loadedTexts } from './loaded-texts.js';
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
  const texts = loadedTexts(files, path => node.files.test(path));
  const add = (path: string, length: number, start: number, now: Uint8Array): void => {
    // What is around the scripts of a page counts as executed.
    const known = ran.get(path) ?? new Uint8Array(length).fill(isPage(path) ? 1 : 0);
    const isFirst = isPage(path) && !seen.has(`${path} ${start}`);
    seen.add(`${path} ${start}`);
    ran.set(path, known);
    for (let i = 0; i < now.length; i++) known[start + i] = isFirst ? now[i]! : known[start + i]! | now[i]!;
  };
  const seen = new Set<string>();
  for (const report of readReports(folder))
    for (const script of report.result) {
      const path = pathIn(top, script.url);
      const text = path === undefined ? undefined : textAt(files, path);
      const ranges = script.functions.flatMap(each => each.ranges);
      if (path !== undefined && text !== undefined && !isPage(path))
        add(path, text.length, 0, executedUnits(text, ranges));
      else if (path === undefined ? !script.url.startsWith('node:') : isPage(path))
        for (const one of texts)
          if ((path === undefined || path === one.path) && isOf(one, script))
            add(one.path, textAt(files, one.path)!.length, one.start, executedUnits(one.text, ranges));
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
