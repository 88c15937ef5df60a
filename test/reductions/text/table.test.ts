import { expect, test } from 'vitest';
import { tableColumns } from '../../../src/reductions/text/table.js';
import { withoutEach } from '../without-each.js';

test('a column goes from all rows', async () => {
  expect(withoutEach(await tableColumns('id,name,n\n1,a,2\n3,b,4\n'))).toEqual([
    'name,n\na,2\nb,4\n',
    'id,n\n1,2\n3,4\n',
    'id,name\n1,a\n3,b\n',
  ]);
});

test('separators and line ends in quotes belong to a cell, unless a quote is left open', async () => {
  expect(withoutEach(await tableColumns('a;b\r\n"1;\n2";3\r\n'))).toEqual(['b\r\n3\r\n', 'a\r\n"1;\n2"\r\n']);
  expect(withoutEach(await tableColumns('a,b"\nc,d\n'))).toEqual(['b"\nd\n', 'a\nc\n']);
});

test('a row that is longer than the others stays longer, and a title stays as it is', async () => {
  const rows = 'a,b\n'.repeat(6);
  expect(withoutEach(await tableColumns(`title\n${rows}g,h,i\n`))).toEqual([
    `title\n${'b\n'.repeat(6)}h,i\n`,
    `title\n${'a\n'.repeat(6)}g,i\n`,
  ]);
});

test('several blanks separate two cells', async () => {
  expect(withoutEach(await tableColumns('  PID  TTY\n    1 tty1\n'))).toEqual(['  TTY\n    tty1\n', '  PID\n    1\n']);
});

test('lines of different lengths are no table, and neither is one line', async () => {
  expect(await tableColumns('a,b\nc\nd,e,f\n')).toBeUndefined();
  expect(await tableColumns('a,b')).toBeUndefined();
  expect(await tableColumns('a\nb\n')).toBeUndefined();
});

test('a BOM stays if the first column goes', async () => {
  expect(withoutEach(await tableColumns('\ufeffa,b\n1,2\n'))).toEqual(['\ufeffb\n2\n', '\ufeffa\n1\n']);
});
