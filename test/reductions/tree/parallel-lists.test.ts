import { expect, test } from 'vitest';
import { structureOf } from '../../../src/reductions/tree/index.js';
import { withoutEach } from '../without-each.js';

const without = async (file: string, text: string, keep?: RegExp) =>
  withoutEach(await (await structureOf(file, keep ? { keep } : {})).columns(text));

test('the names of columns go with the values of all rows', async () => {
  expect(await without('a.json', '{"columns":["a","b"],"rows":[[1,2],[3,4],[5,6]]}')).toEqual([
    '{"columns":["a","b"],"rows":[[2],[4],[6]]}',
    '{"columns":["a","b"],"rows":[[1],[3],[5]]}',
    '{"columns":["b"],"rows":[[2],[4],[6]]}',
    '{"columns":["a"],"rows":[[1],[3],[5]]}',
  ]);
});

test('a list of as many rows as they have items is no row', async () => {
  expect(await without('a.json', '[[1,2],[3,4]]')).toEqual(['[[2],[4]]', '[[1],[3]]']);
});

test('members with one key go from all objects in the same place, wherever they are in them', async () => {
  const text = '{"users":[{"id":1,"on":true},{"on":false,"id":2}],"other":{"id":3}}';
  expect(await without('a.json', text)).toEqual([
    '{"users":[{"on":true},{"on":false}],"other":{"id":3}}',
    '{"users":[{"id":1},{"id":2}],"other":{"id":3}}',
  ]);
});

test('without a grammar, brackets with commas in them are lists', async () => {
  expect(await without('a.sql', 'create table t(a, b);\ninsert into t values (1, 2);\n')).toEqual([
    'create table t(b);\ninsert into t values (2);\n',
    'create table t(a);\ninsert into t values (1);\n',
  ]);
});

test('what a table of SQL says about its columns is no column', async () => {
  expect(await without('a.sql', 'create table t(a, b, UNIQUE (b));\ninsert into t values (1, 2), (3, 4);\n')).toContain(
    'create table t(b, UNIQUE (b));\ninsert into t values (2), (4);\n',
  );
});

test('a column of a page goes from its head and from all rows, with and without closing tags', async () => {
  expect(await without('a.html', '<table><tr><th>a<th>b\n<tr>\n<td>1</td>\n<td>2</td></tr></table>')).toEqual([
    '<table><tr><th>b\n<tr>\n<td>2</td></tr></table>',
    '<table><tr><th>a<tr>\n<td>1</td></tr></table>',
  ]);
});

test('elements of XML are columns by their number, or by their name if each has another one', async () => {
  expect(await without('a.xml', '<t>\n<r><c x="1">a</c><c/></r>\n<r><c>b</c> <c>c</c></r></t>')).toEqual([
    '<t>\n<r><c/></r>\n<r><c>c</c></r></t>',
    '<t>\n<r><c x="1">a</c></r>\n<r><c>b</c></r></t>',
  ]);
  expect(await without('a.xml', '<t><u><id>1</id><n>a</n></u><u><n>b</n><id>2</id></u></t>')).toContain(
    '<t><u><n>a</n></u><u><n>b</n></u></t>',
  );
});

test('lists of YAML between brackets have columns, and so have the keys of indented objects', async () => {
  expect(await without('a.yaml', 'rows:\n- [1, 2]\n- [3, 4]\n')).toEqual([
    'rows:\n- [2]\n- [4]\n',
    'rows:\n- [1]\n- [3]\n',
  ]);
  expect(await without('a.yaml', '- id: 1\n  n: a\n- id: 2\n  n: b\n')).toEqual([
    '- n: a\n- n: b\n',
    '- id: 1\n- id: 2\n',
  ]);
  expect(await without('a.yaml', 'total: 2\nitems:\n- a\n- b\n')).toEqual([
    'total: 1\nitems:\n- b\n',
    'total: 1\nitems:\n- a\n',
  ]);
});

test('what is to be kept stays in its column', async () => {
  expect(await without('a.json', '[[1,2],[3,4]]', /4/)).toEqual(['[[2],[4]]']);
});

test('lists of different lengths have no columns', async () => {
  expect(await without('a.json', '{"a":[1,2],"b":[1,2,3],"c":{"d":1}}')).toEqual([]);
});

test('an item goes with one from the number beside its list', async () => {
  expect(await without('a.json', '{"total":2,"items":["a",{"b":1}],"page":1}')).toEqual([
    '{"total":1,"items":[{"b":1}],"page":1}',
    '{"total":1,"items":["a"],"page":1}',
  ]);
});

test('a very long list beside its number has a column for each item', async () => {
  const count = 150_000;
  const { columns } = await structureOf('a.json', {});
  expect((await columns(`{"count":${count},"items":[${'1,'.repeat(count - 1)}1]}`))!.count).toBe(count);
}, 60_000);
