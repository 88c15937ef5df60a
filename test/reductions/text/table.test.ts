import { expect, test } from 'vitest';
import { tableColumns } from '../../../src/reductions/text/table.js';
import { withoutEach } from '../without-each.js';

test('a column goes from all rows', () => {
  expect(withoutEach(tableColumns('id,name,n\n1,a,2\n3,b,4\n'))).toEqual([
    'name,n\na,2\nb,4\n',
    'id,n\n1,2\n3,4\n',
    'id,name\n1,a\n3,b\n',
  ]);
});

test('separators and line ends in quotes belong to a cell, unless a quote is left open', () => {
  expect(withoutEach(tableColumns('a;b\r\n"1;\n2";3\r\n'))).toEqual(['b\r\n3\r\n', 'a\r\n"1;\n2"\r\n']);
  expect(withoutEach(tableColumns('a,b"\nc,d\n'))).toEqual(['b"\nd\n', 'a\nc\n']);
});

test('a row that is longer than the others stays longer, and a title stays as it is', () => {
  const rows = 'a,b\n'.repeat(6);
  expect(withoutEach(tableColumns(`title\n${rows}g,h,i\n`))).toEqual([
    `title\n${'b\n'.repeat(6)}h,i\n`,
    `title\n${'a\n'.repeat(6)}g,i\n`,
  ]);
});

test('several blanks separate two cells', () => {
  expect(withoutEach(tableColumns('  PID  TTY\n    1 tty1\n'))).toEqual(['  TTY\n    tty1\n', '  PID\n    1\n']);
});

test('lines of different lengths are no table, and neither is one line', () => {
  expect(tableColumns('a,b\nc\nd,e,f\n')).toBeUndefined();
  expect(tableColumns('a,b')).toBeUndefined();
  expect(tableColumns('a\nb\n')).toBeUndefined();
});
