/**
 * What differs between two tables of which one has columns that the other lacks. Such a column is one delta over all rows: a row with it between rows without it would be
 * in neither input, and most tools refuse it.
 */
import { alignment } from '../../circumstances/sequence.js';
import { type Configuration, has } from '../../core/index.js';
import { addAll } from '../../core/lists.js';
import type { Segments } from '../../syntax/segments.js';
import type { SegmentsDiffering } from './segments.js';

type Row = readonly string[];

interface Column {
  /** Its place in each table; −1 if the table does not have it. */
  readonly old: number;
  readonly now: number;
  /** What adds or removes it; −1 for one that both have. */
  readonly delta: number;
}

/** A row of the merged table. */
interface MergedRow {
  readonly old?: Row;
  readonly now?: Row;
  /** What adds or removes the row; −1 if both have it. */
  readonly delta: number;
  /** What changes a cell of a column that both have, by the number of the column. */
  readonly cells: ReadonlyMap<number, number>;
}

/** Undefined if these are no tables with a header, or have the same columns. */
export function columnsDiffering(old: Segments, now: Segments): SegmentsDiffering | undefined {
  const [before, after] = [rowsOf(old), rowsOf(now)];
  if (!before || !after) return undefined;
  const kinds: ('column' | 'row' | 'cell')[] = [];
  const added = (kind: (typeof kinds)[number]): number => kinds.push(kind) - 1;
  const columns = mergeColumns(before[0]!, after[0]!, () => added('column'));
  if (kinds.length === 0) return undefined;
  const common = columns.filter(({ delta }) => delta < 0);
  // With nothing in common but a column or two, these are two tables, not two versions of one.
  if (common.length < 2) return undefined;
  const rows = mergeRows(before, after, common).map(({ old, now }): MergedRow => {
    if (!old || !now) return { ...(old ? { old } : { now: now! }), delta: added('row'), cells: new Map() };
    const changed = [...columns.entries()].filter(([, c]) => c.delta < 0 && old[c.old] !== now[c.now]);
    return { old, now, delta: -1, cells: new Map(changed.map(([i]) => [i, added('cell')])) };
  });
  const separator = now.parts[0]!.inner!.value.between;
  const build = (configuration: Configuration): string => {
    const isApplied = (delta: number): boolean => has(configuration, delta);
    const shown = [...columns.entries()].filter(([, { now, delta }]) => delta < 0 || isApplied(delta) === now >= 0);
    const cell = ({ old, now, cells }: MergedRow, i: number): string => {
      const column = columns[i]!;
      const change = cells.get(i);
      const isNew = column.delta >= 0 ? column.now >= 0 : !old || (change !== undefined && isApplied(change));
      // A row that only one table has says nothing about a column that only the other one has.
      return (isNew ? now?.[column.now] : old?.[column.old]) ?? '';
    };
    const lines = rows
      .filter(({ old, delta }) => delta < 0 || isApplied(delta) === !old)
      .map(row => shown.map(([i]) => cell(row, i)).join(separator));
    return `${lines.join(now.between)}${now.tail}`;
  };
  return {
    name: 'row',
    count: kinds.length,
    build,
    isChange: delta => kinds[delta] === 'cell',
    describe: delta => {
      const column = columns.find(each => each.delta === delta);
      return column ? `column ${column.now < 0 ? before[0]![column.old] : after[0]![column.now]}` : `${kinds[delta]}`;
    },
  };
}

/** The cells of a table of which every row has as many cells as the first. */
function rowsOf({ unit, parts }: Segments): readonly Row[] | undefined {
  if (unit !== 'row') return undefined;
  const rows = parts.map(({ inner }) => inner!.value.parts.map(({ text }) => text));
  const width = rows[0]?.length ?? 0;
  return width > 1 && rows.every(({ length }) => length === width) ? rows : undefined;
}

/** Columns by their names. As many new ones as old ones in the same place are the same columns under other names. */
function mergeColumns(before: Row, after: Row, added: () => number): readonly Column[] {
  const columns: Column[] = [];
  const flush = (gone: readonly number[], come: readonly number[]): void => {
    if (gone.length === come.length)
      addAll(
        columns,
        gone.map((old, i) => ({ old, now: come[i]!, delta: -1 })),
      );
    else
      addAll(columns, [
        ...gone.map(old => ({ old, now: -1, delta: added() })),
        ...come.map(now => ({ old: -1, now, delta: added() })),
      ]);
  };
  let [old, now] = [0, 0];
  let [gone, come]: [number[], number[]] = [[], []];
  for (const { kind } of alignment(before, after)) {
    if (kind === 'gone') gone.push(old++);
    else if (kind === 'new') come.push(now++);
    else {
      flush(gone, come);
      [gone, come] = [[], []];
      columns.push({ old: old++, now: now++, delta: -1 });
    }
  }
  flush(gone, come);
  return columns;
}

/** Rows that belong to each other: by what is in the columns that both tables have. The headers always do. */
function mergeRows(before: readonly Row[], after: readonly Row[], common: readonly Column[]) {
  const textOf = (side: 'old' | 'now') => (row: Row) => JSON.stringify(common.map(column => row[column[side]]));
  const [olds, nows] = [before.slice(1), after.slice(1)];
  const merged: { readonly old?: Row; readonly now?: Row }[] = [{ old: before[0]!, now: after[0]! }];
  let [gone, come]: [Row[], Row[]] = [[], []];
  const flush = (): void => {
    if (gone.length === come.length)
      addAll(
        merged,
        gone.map((old, i) => ({ old, now: come[i]! })),
      );
    else addAll(merged, [...gone.map(old => ({ old })), ...come.map(now => ({ now }))]);
    [gone, come] = [[], []];
  };
  let [i, k] = [0, 0];
  for (const { kind } of alignment(olds.map(textOf('old')), nows.map(textOf('now')))) {
    if (kind === 'gone') gone.push(olds[i++]!);
    else if (kind === 'new') come.push(nows[k++]!);
    else {
      flush();
      merged.push({ old: olds[i++]!, now: nows[k++]! });
    }
  }
  flush();
  return merged;
}
