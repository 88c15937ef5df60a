import fc from 'fast-check';
import { expect, test } from 'vitest';
import { all, empty, of } from '../../../src/core/index.js';
import { segmentsDiffering } from '../../../src/plans/isolate/segments.js';
import { segmentsOf } from '../../../src/syntax/segments.js';

const written = (rows: readonly (readonly string[])[], separator = ',') =>
  `${rows.map(row => row.join(separator)).join('\r\n')}\r\n`;

test('a column that only one table has is one difference, beside the cells and rows that differ', () => {
  const old = written([...[['id', 'stock']], ...[1, 2, 3].map(i => [`a${i}`, `${i}`])], ';');
  const rows = [...[1, 2, 3].map(i => [`a${i}`, 'EUR', i === 2 ? '"n;a"' : `${i}`]), ['b', 'USD', '9']];
  const now = written([['id', 'currency', 'stock'], ...rows], ';');
  const differing = segmentsDiffering('x.csv', old, now)!;
  expect([differing.count, differing.describe!(0)]).toEqual([3, 'column currency']);
  expect(differing.build(of([1]))).toBe('id;stock\r\na1;1\r\na2;"n;a"\r\na3;3\r\n');
  expect(differing.build(of([2]))).toBe('id;stock\r\na1;1\r\na2;2\r\na3;3\r\nb;9\r\n');
});

test('a table of one row with millions of cells is read', () => {
  const row = '"a",'.repeat(4_000_000);
  expect(segmentsOf('x.csv', `${row}b\n`)?.parts[0]?.inner?.value.parts.length).toBe(4_000_001);
});

test('with columns added and removed, no difference gives the passing table, all the failing one, and all between have equal rows', () => {
  const cell = fc.constantFrom('', '1', 'two', '"a,b"', '"x""y"');
  const names = ['id', 'name', 'city', 'price', 'note'];
  const table = fc
    .tuple(fc.subarray(names.slice(2)), fc.array(fc.tuple(cell, cell, cell, cell, cell), { maxLength: 6 }))
    .map(([some, rows]) => {
      const kept = ['id', 'name', ...some];
      return written([kept, ...rows.map(row => kept.map(name => row[names.indexOf(name)]!))]);
    });
  fc.assert(
    fc.property(table, table, fc.array(fc.nat(30)), (passing, failing, chosen) => {
      const differing = segmentsDiffering('x.csv', passing, failing);
      if (!differing || passing === failing) return;
      expect(differing.build(empty)).toBe(passing);
      expect(differing.build(all(differing.count))).toBe(failing);
      const built = differing.build(of(chosen.filter(delta => delta < differing.count)))!;
      const widths = built
        .trimEnd()
        .split('\r\n')
        .map(line => line.replaceAll(/"(?:[^"]|"")*"/g, '').split(',').length);
      expect(new Set(widths).size).toBe(1);
    }),
  );
});
