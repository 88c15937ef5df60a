import fc from 'fast-check';
import { expect, test } from 'vitest';
import { all, minus, of } from '../../src/core/index.js';
import { textOf } from '../../src/core/trace.js';
import { columnAt, columnsOf, type ItemList } from '../../src/reductions/columns.js';

/** Rows of cells as a text, and where the cells are in it. */
function tableOf(rows: readonly (readonly string[])[]): { readonly text: string; readonly lists: readonly ItemList[] } {
  let at = 0;
  const lists = rows.map(row => {
    const items = row.map(cell => {
      const start = at;
      at += cell.length + 1;
      return { start, end: start + cell.length };
    });
    return items;
  });
  return { text: rows.map(row => row.join(',')).join('\n'), lists };
}

const cells = fc.array(fc.array(fc.constantFrom('', 'a', 'bc'), { minLength: 1, maxLength: 6 }), {
  minLength: 1,
  maxLength: 5,
});

test('without some columns, each row is what is left of its cells, also if they are empty', () => {
  fc.assert(
    fc.property(cells, fc.uniqueArray(fc.nat(5)), (rows, gone) => {
      const { text, lists } = tableOf(rows);
      const columns = columnsOf(
        text,
        Array.from({ length: 6 }, (_, item) => columnAt(lists, item)),
      );
      const configuration = minus(all(6), of([...gone].sort()));
      const expected = rows.map(row => row.filter((_, i) => !gone.includes(i)).join(',')).join('\n');
      expect(columns.build(configuration)).toBe(expected);
      expect(textOf(columns.trace!(configuration) as never, text)).toBe(expected);
    }),
  );
});

test('a list inside an item that is gone loses nothing more', () => {
  const text = '[[1,2],[3,4]]';
  const outer = [
    { start: 1, end: 6 },
    { start: 7, end: 12 },
  ];
  const inner = [
    [
      { start: 2, end: 3 },
      { start: 4, end: 5 },
    ],
    [
      { start: 8, end: 9 },
      { start: 10, end: 11 },
    ],
  ];
  const columns = columnsOf(text, [columnAt([outer], 0), columnAt(inner, 1)]);
  expect(columns.build(of([0]))).toBe('[[1],[3]]');
  expect(columns.build(of([]))).toBe('[[3]]');
});
