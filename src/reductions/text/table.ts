/** The columns of a table: of lines that fall into the same number of cells. */
import type { Circumstance } from '../../core/index.js';
import { pauseIfDue } from '../../core/pause.js';
import { columnAt, columnsOf, type ItemList, type Part } from '../columns.js';

/** The first one by which the lines are a table. Blanks come last: a cell may contain some. */
const separators = [',', ';', '\t', '|', ' '];
/** A table may have a title, and rows that are broken: one line in this many. */
const odd = 4;
/** A larger text has rows to remove first, and its cells would fill the memory. */
const mostLetters = 20_000_000;

/**
 * A line without one of its cells is mostly an error: a program reads the same number of cells from each row. So a column goes
 * from all rows at once. Rows that are longer than the others lose the cell too, and stay longer.
 *
 * @example
 * ```ts
 * (await tableColumns('id,name\n1,a\n2,b'))?.build(of([1])); // → 'name\na\nb'
 * ```
 */
export async function tableColumns(text: string): Promise<Circumstance<string> | undefined> {
  if (text.length > mostLetters) return undefined;
  // In quotes, a separator is a letter, if every quote is closed.
  const isQuoted = countOf('"', text) % 2 === 0;
  for (const separator of separators) {
    if (!text.includes(separator)) continue;
    const rows = await rowsOf(text, separator, isQuoted);
    const width = mostFrequent(rows.map(({ length }) => length));
    const others = rows.filter(({ length }) => length !== width);
    if (width < 2 || others.length * odd > rows.length || rows.length - others.length < 2) continue;
    // A title is no row.
    const lists = rows.filter(({ length }) => length > 1);
    const columns = Array.from({ length: width }, (_, item) => columnAt(lists, item));
    return columnsOf(text, columns);
  }
  return undefined;
}

function countOf(letter: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(letter); at >= 0; at = text.indexOf(letter, at + 1)) count++;
  return count;
}

/** The lines that are not empty, as cells. Several blanks separate two cells, and those at the start of a line none. */
async function rowsOf(text: string, separator: string, isQuoted: boolean): Promise<readonly ItemList[]> {
  const isBlank = separator === ' ';
  const rows: ItemList[] = [];
  let row: Part[] = [];
  let quoted = false;
  // A BOM is not a part of the first cell.
  let from = text.startsWith('\ufeff') ? 1 : 0;
  const endCell = (at: number): void => {
    if (at > from || !isBlank) row.push({ start: from, end: at });
    from = at + 1;
  };
  for (let at = from; at <= text.length; at++) {
    const char = text[at];
    if (char === '"' && isQuoted) quoted = !quoted;
    else if (char === undefined || (char === '\n' && !quoted)) {
      const end = text[at - 1] === '\r' && at > from ? at - 1 : at;
      if (end > from || row.length > 0) endCell(end);
      if (row.length > 0) rows.push(row);
      row = [];
      from = at + 1;
      await pauseIfDue();
    } else if (!quoted && (char === separator || (isBlank && char === '\t'))) endCell(at);
  }
  return rows;
}

function mostFrequent(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const each of numbers) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0] as const)[0];
}
