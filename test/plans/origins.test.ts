import { expect, test } from 'vitest';
import { changesBetween } from '../../src/circumstances/changes/changes.js';
import { all } from '../../src/core/index.js';
import { originsIn } from '../../src/plans/changes/origins.js';
import { rewrittenIn } from '../../src/plans/changes/rewritten.js';
import { inOrder } from '../../src/sources/versions/snapshot.js';

const filesOf = (texts: Readonly<Record<string, string>>) =>
  inOrder(Object.entries(texts).map(([path, text]) => [path, { kind: 'file', bytes: Buffer.from(text) }]));

const parse = 'exports.parse = function (text) {\n  var fields = text.split(comma);\n  return fields.map(trim);\n};\n';
const write =
  'exports.write = function (rows) {\n  var lines = rows.join(newline);\n  return quote(lines, escape);\n};\n';
const newParse =
  'export const parse = text => {\n  const fields = text.split(comma);\n  return fields.map(trim);\n};\n';
const newWrite =
  'export const write = rows => {\n  const lines = rows.join(newline);\n  return quote(lines, escape);\n};\n';
const other = 'export class Server {\n  listen(port, host) {\n    this.socket = open(port, host, backlog);\n  }\n}\n';

const split = changesBetween(
  filesOf({ 'csv.js': parse + write, 'other.js': other.replace('port,', 'port = 80,') }),
  filesOf({ 'lib/parse.js': newParse, 'lib/write.js': newWrite, 'lib/server.js': `${other}// 2\n`, 'other.js': other }),
);

test('the modules that a file was split into come from it, and what has other words does not', () => {
  expect([...originsIn(split)]).toEqual([
    ['lib/parse.js', 'csv.js'],
    ['lib/write.js', 'csv.js'],
  ]);
});

test('if most changes are in such modules, they are searched as rewritten files', () => {
  expect(rewrittenIn(split, { suspects: all(split.count) })).toEqual(originsIn(split));
});

test('nothing comes from a file that is still as it was', () => {
  const copied = changesBetween(filesOf({ 'csv.js': parse }), filesOf({ 'csv.js': parse, 'lib/parse.js': newParse }));
  expect(originsIn(copied).size).toBe(0);
});

test('a long file that was moved counts as much as many hunks', () => {
  const table = (from: number) => Array.from({ length: 6 }, (_, i) => `row${i}: ${i + from}\n\n`).join('');
  const long = (word: string) => Array.from({ length: 60 }, (_, i) => `  ${word}.step${i}(value${i});\n`).join('');
  const moved = changesBetween(
    filesOf({ 'csv.js': long('self'), 'table.yaml': table(0) }),
    filesOf({ 'lib/csv.js': long('this'), 'table.yaml': table(10) }),
  );
  expect(rewrittenIn(moved, { suspects: all(moved.count) })).toEqual(new Map([['lib/csv.js', 'csv.js']]));
});
