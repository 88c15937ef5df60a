/** Branches and functions of Node programs, from V8's block coverage. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { indexLines } from '../../../core/line-index.js';
import { type Range, readReports } from '../v8.js';
import type { FileBranches, Spot, Taken } from './branches.js';

interface Named {
  readonly functionName: string;
  readonly ranges: readonly Range[];
}

/** `pathOf`: the name of a file for people, or `undefined` for a file that does not count. */
export function readV8Branches(
  folder: string,
  pathOf: (file: string) => string | undefined,
): ReadonlyMap<string, FileBranches> {
  const functions = new Map<string, Named[]>();
  for (const { result } of readReports(folder))
    for (const script of result) {
      if (!script.url.startsWith('file:')) continue;
      const file = fileURLToPath(new URL(script.url));
      functions.set(file, [...(functions.get(file) ?? []), ...script.functions]);
    }
  const found = new Map<string, FileBranches>();
  for (const [file, named] of functions) {
    const path = pathOf(file);
    const source = path === undefined ? undefined : textOf(file);
    if (path !== undefined && source !== undefined) found.set(path, branchesOf(source, named));
  }
  return found;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}

/**
 * V8 lists a block only if its count differs from that of the code around it. So a block that a run never took is always
 * listed, and how often another run took the same block is the count of the innermost listed block there.
 */
export function branchesOf(source: string, functions: readonly Named[]): FileBranches {
  const { starts, lineAt: lineOf } = indexLines(source);
  const place = (offset: number) => ({ line: lineOf(offset) + 1, column: offset - starts[lineOf(offset)]! });
  const offset = (line: number, column: number) => (starts[line - 1] ?? source.length) + column;
  const spots: Spot[] = [];
  for (const { functionName, ranges } of functions)
    for (const [i, { startOffset, endOffset }] of ranges.entries()) {
      const [from, to] = [place(startOffset), place(endOffset)];
      const kind = i === 0 ? 'function' : 'branch';
      const name = functionName === '' ? {} : { function: functionName };
      spots.push({ kind, ...from, endLine: to.line, endColumn: to.column, ...name });
    }
  const ranges = functions.flatMap(each => each.ranges);
  return {
    spots,
    taken(spot): Taken | undefined {
      const [from, to] = [offset(spot.line, spot.column), offset(spot.endLine, spot.endColumn)];
      const around = ranges
        .filter(range => range.startOffset <= from && range.endOffset >= to)
        .sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset));
      const [innermost] = around;
      if (!innermost) return undefined;
      // The file as a whole is a function that runs once for each process.
      const outer = around.find(range => range.startOffset < from || range.endOffset > to);
      return { times: innermost.count, of: outer?.count ?? innermost.count };
    },
  };
}
