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
