/** Shows changed lines as a diff, alone or with the lines around them. */
import type { Span } from '../circumstances/changes/columns.js';
import type { FileChange } from '../circumstances/changes/diff.js';
import type { Part } from '../circumstances/changes/parts.js';
import type { Side } from '../circumstances/changes/places.js';
import { addAll } from '../core/lists.js';

/** What parts change, as a diff shows it: removed lines with `-`, added lines with `+`. `most`: lines before it is cut. */
export function codeOf(files: readonly FileChange[], parts: readonly Part[], most = 2000): string {
  const lines = runsOf(wholeLines(parts)).flatMap(run => changedLines(files, run));
  return cut([...lines, ...inColumns(files, parts)], most).join('\n');
}

/** Tokens of a long line that are replaced. Lines and columns are counted from 1, and columns in characters. */
export interface Tokens {
  readonly old: { readonly line: number; readonly column: number; readonly text: string };
  readonly new: { readonly line: number; readonly column: number; readonly text: string };
}

/** Those of the parts that are only some columns of a line. */
export const tokensOf = (files: readonly FileChange[], parts: readonly Part[]): readonly Tokens[] =>
  parts.flatMap(({ file, oldStart, newStart, columns }) => {
    if (!columns) return [];
    const at = (line: string, start: number, [from, to]: Span) => ({
      line: start + 1,
      column: shown(line.slice(0, from)).length + 1,
      text: shown(line.slice(from, to)),
    });
    const { oldLines, newLines } = files[file]!;
    return [
      { old: at(oldLines[oldStart]!, oldStart, columns.old), new: at(newLines[newStart]!, newStart, columns.new) },
    ];
  });

/** How many columns are shown around tokens, and of them. */
const around = 24;
const widest = 40;

/** Tokens in brackets, with what is around them in the line. */
const inColumns = (files: readonly FileChange[], parts: readonly Part[]): readonly string[] =>
  tokensOf(files, parts).flatMap(({ old, new: now }, i) => {
    const { oldLines, newLines } = files[parts.filter(({ columns }) => columns)[i]!.file]!;
    const piece = ({ line, column, text }: Tokens['old'], lines: readonly string[]): string => {
      const all = shown(lines[line - 1]);
      const [from, to] = [column - 1, column - 1 + text.length];
      const middle = text.length > widest ? `${text.slice(0, widest)}…` : text;
      const [before, after] = [all.slice(Math.max(0, from - around), from), all.slice(to, to + around)];
      return `${from > around ? '…' : ''}${before}[${middle}]${after}${to + around < all.length ? '…' : ''}`;
    };
    return [` line ${now.line}, column ${now.column}:`, `-${piece(old, oldLines)}`, `+${piece(now, newLines)}`];
  });

const wholeLines = (parts: readonly Part[]): readonly Part[] => parts.filter(({ columns }) => !columns);

/**
 * The same with the line before and the line after, so that one sees where it is. `side`: the version that the parts are applied to (old),
 * or reverted in (new). Where lines are left out between two parts, a line says `…`.
 */
export function excerptOf(files: readonly FileChange[], parts: readonly Part[], side: Side, most = 2000): string {
  const lines: string[] = [];
  const runs = runsOf(wholeLines(parts));
  let shownTo = 0;
  for (const [i, run] of runs.entries()) {
    const [first, last] = [run[0]!, run.at(-1)!];
    const { oldLines, newLines } = files[first.file]!;
    const all = side === 'old' ? oldLines : newLines;
    const [from, to] =
      side === 'old'
        ? [first.oldStart, last.oldStart + last.oldCount]
        : [first.newStart, last.newStart + last.newCount];
    if (i > 0 && from - 1 > shownTo) lines.push('…');
    if (from - 1 >= shownTo && from > 0) lines.push(` ${shown(all[from - 1])}`);
    addAll(lines, changedLines(files, run));
    const next = runs[i + 1]?.[0];
    const isFree = !next || (side === 'old' ? next.oldStart : next.newStart) > to;
    if (isFree && to < all.length) lines.push(` ${shown(all[to])}`);
    shownTo = to + 1;
  }
  return cut([...lines, ...inColumns(files, parts)], most).join('\n');
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
