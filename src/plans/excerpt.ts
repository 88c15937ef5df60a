/** Shows changed lines as a diff, alone or with the lines around them. */
import type { FileChange } from '../circumstances/changes/diff.js';
import type { Part } from '../circumstances/changes/parts.js';
import type { Side } from '../circumstances/changes/places.js';

/** What parts change, as a diff shows it: removed lines with `-`, added lines with `+`. `most`: lines before it is cut. */
export function codeOf(files: readonly FileChange[], parts: readonly Part[], most = 2000): string {
  const lines = runsOf(parts).flatMap(run => changedLines(files, run));
  return cut(lines, most).join('\n');
}

/**
 * The same with the line before and the line after, so that one sees where it is. `side`: the version that the parts are applied to (old),
 * or reverted in (new). Where lines are left out between two parts, a line says `…`.
 */
export function excerptOf(files: readonly FileChange[], parts: readonly Part[], side: Side, most = 2000): string {
  const lines: string[] = [];
  let shownTo = 0;
  for (const [i, run] of runsOf(parts).entries()) {
    const [first, last] = [run[0]!, run.at(-1)!];
    const { oldLines, newLines } = files[first.file]!;
    const all = side === 'old' ? oldLines : newLines;
    const [from, to] =
      side === 'old'
        ? [first.oldStart, last.oldStart + last.oldCount]
        : [first.newStart, last.newStart + last.newCount];
    if (i > 0 && from - 1 > shownTo) lines.push('…');
    if (from - 1 >= shownTo && from > 0) lines.push(` ${shown(all[from - 1])}`);
    lines.push(...changedLines(files, run));
    const next = runsOf(parts)[i + 1]?.[0];
    const isFree = !next || (side === 'old' ? next.oldStart : next.newStart) > to;
    if (isFree && to < all.length) lines.push(` ${shown(all[to])}`);
    shownTo = to + 1;
  }
  return cut(lines, most).join('\n');
}

/** Parts that follow each other without a line between them, in the order of the file. */
function runsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const runs: Part[][] = [];
  for (const part of [...parts].sort((a, b) => a.file - b.file || a.oldStart - b.oldStart || a.newStart - b.newStart)) {
    const before = runs.at(-1)?.at(-1);
    const isNext =
      before?.file === part.file &&
      before.oldStart + before.oldCount === part.oldStart &&
      before.newStart + before.newCount === part.newStart;
    if (isNext) runs.at(-1)!.push(part);
    else runs.push([part]);
  }
  return runs;
}

function changedLines(files: readonly FileChange[], run: readonly Part[]): readonly string[] {
  const { oldLines, newLines } = files[run[0]!.file]!;
  const lines = (sign: string, all: readonly string[], start: number, count: number) =>
    Array.from({ length: count }, (_, i) => sign + shown(all[start + i]));
  return [
    ...run.flatMap(({ oldStart, oldCount }) => lines('-', oldLines, oldStart, oldCount)),
    ...run.flatMap(({ newStart, newCount }) => lines('+', newLines, newStart, newCount)),
  ];
}

const cut = (lines: readonly string[], most: number): readonly string[] =>
  lines.length > most ? [...lines.slice(0, most), `… ${lines.length - most} more lines`] : lines;

/** Lines hold bytes; people read them as UTF-8. A carriage return is kept: it may be the difference. */
const shown = (line = ''): string => Buffer.from(line.replace(/\n$/, ''), 'latin1').toString('utf8');
