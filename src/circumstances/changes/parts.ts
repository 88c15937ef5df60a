/** Splits changed files into parts: whole files, hunks or lines. */
import type { Hunk } from '../../core/diff.js';
import type { Columns } from './columns.js';
import type { FileChange } from './diff.js';
import { type AlignedHunk, alignedHunks } from './formatting.js';
import { pairLines } from './line-pairs.js';

export type Granularity = 'commit' | 'file' | 'hunk' | 'line';

/** The smallest thing that can be applied: something that happens to a file as a whole, or a replacement of its lines. */
export interface Part extends AlignedHunk {
  readonly kind: 'add' | 'delete' | 'rename' | 'mode' | 'replace' | 'hunk' | 'line';
  /** The number of its file among the changed files. */
  readonly file: number;
  readonly oldPath?: string;
  readonly newPath?: string;
  /** Only these columns of the line. */
  readonly columns?: Columns;
}

/** Which columns of a replaced line are parts of their own; undefined if the line is not cut. */
export type ColumnsOf = (line: Hunk) => readonly Columns[] | undefined;

/** Everything that happens to a file, in order: the file as a whole first, then its lines. `isSplit`: which hunks are split into lines. */
export function partsOf(
  change: FileChange,
  file: number,
  isSplit: (hunk: Hunk) => boolean,
  columnsOf: ColumnsOf = () => undefined,
): readonly Part[] {
  const paths = {
    ...(change.oldPath === undefined ? {} : { oldPath: change.oldPath }),
    ...(change.newPath === undefined ? {} : { newPath: change.newPath }),
  };
  const body: Hunk = { oldStart: 0, oldCount: 0, newStart: 0, newCount: change.newLines.length };
  const byLine = change.kind === 'added' && body.newCount > 0 && isSplit(body);
  const whole = (kind: Part['kind']): Part => ({
    kind,
    file,
    ...paths,
    oldStart: 0,
    oldCount: kind === 'mode' || kind === 'rename' ? 0 : change.oldLines.length,
    newStart: 0,
    newCount: kind === 'mode' || kind === 'rename' || byLine ? 0 : change.newLines.length,
  });
  const edit = (hunk: Hunk): readonly Part[] =>
    isSplit(hunk)
      ? pairLines(hunk, change.oldLines, change.newLines).flatMap((line): readonly Part[] => {
          const part = { kind: 'line' as const, file, ...paths, ...line };
          return columnsOf(line)?.map(columns => ({ ...part, columns })) ?? [part];
        })
      : [{ kind: 'hunk', file, ...paths, ...hunk }];
  const mode = change.mode ? [whole('mode')] : [];
  switch (change.kind) {
    case 'added':
      return byLine ? [whole('add'), ...edit(body)] : [whole('add')];
    case 'deleted':
      return [whole('delete')];
    case 'replaced':
      return [whole('replace')];
    case 'renamed':
      return [whole('rename'), ...mode, ...alignedHunks(change).flatMap(edit)];
    case 'edited':
      return [...mode, ...alignedHunks(change).flatMap(edit)];
    default:
      throw change.kind satisfies never;
  }
}

/** `lib/x.js -96,1 +109,4`, as `diff -U0` counts: from 1, and an empty range comes after the line before it. */
export function describePart(part: Part): string {
  const from = (start: number, count: number): string => `${count === 0 ? start : start + 1},${count}`;
  switch (part.kind) {
    case 'add':
      return `${part.newPath} added`;
    case 'delete':
      return `${part.oldPath} deleted`;
    case 'rename':
      return `${part.oldPath} renamed to ${part.newPath}`;
    case 'mode':
      return `${part.newPath} mode changed`;
    case 'replace':
      return `${part.newPath} replaced`;
    case 'hunk':
    case 'line':
      return `${part.newPath} -${from(part.oldStart, part.oldCount)} +${from(part.newStart, part.newCount)}${part.columns ? ` from column ${part.columns.new[0] + 1}` : ''}`;
    default:
      throw part.kind satisfies never;
  }
}
