import { expect, test } from 'vitest';
import { type Changes, changesBetween } from '../../../src/circumstances/changes/changes.js';
import { inertIn } from '../../../src/circumstances/changes/inert.js';
import { all, isEmpty, of } from '../../../src/core/index.js';
import { originsIn } from '../../../src/plans/changes/rewritten/origins.js';
import { asChanges, rewrittenIn } from '../../../src/plans/changes/rewritten/rewritten.js';
import { inOrder } from '../../../src/sources/versions/snapshot.js';

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

const everythingOf = (changes: Changes) => ({ suspects: all(changes.count) });

test('the modules that a file was split into come from it, and what has other words does not', () => {
  expect([...originsIn(split, everythingOf(split))]).toEqual([
    ['lib/parse.js', ['csv.js']],
    ['lib/write.js', ['csv.js']],
  ]);
});

test('if most changes are in such modules, they are searched as rewritten files', () => {
  const run = everythingOf(split);
  expect(rewrittenIn(split, run)).toEqual(originsIn(split, run));
});

test('nothing comes from a file that is still as it was', () => {
  const copied = changesBetween(filesOf({ 'csv.js': parse }), filesOf({ 'csv.js': parse, 'lib/parse.js': newParse }));
  expect(originsIn(copied, everythingOf(copied)).size).toBe(0);
});

test('a long file that was moved counts as much as many hunks', () => {
  const table = (from: number) => Array.from({ length: 6 }, (_, i) => `row${i}: ${i + from}\n\n`).join('');
  const long = (word: string) => Array.from({ length: 60 }, (_, i) => `  ${word}.step${i}(value${i});\n`).join('');
  const moved = changesBetween(
    filesOf({ 'csv.js': long('self'), 'table.yaml': table(0) }),
    filesOf({ 'lib/csv.js': long('this'), 'table.yaml': table(10) }),
  );
  expect(rewrittenIn(moved, everythingOf(moved))).toEqual(new Map([['lib/csv.js', ['csv.js']]]));
});

/** A module of its own words. */
const moduleOf = (name: string) =>
  Array.from({ length: 8 }, (_, i) => `exports.${name}${i} = ${name}Word${i}(${name}Value${i});\n`).join('');
const renamed = (module: string) => module.replaceAll('exports.', 'const ');

test('a bundle comes from all modules that are in it, without those that say nothing of their own', () => {
  const [one, two, three] = ['one', 'two', 'three'].map(moduleOf);
  const tiny = one!.split('\n').slice(0, 4).join('\n');
  const bundled = changesBetween(
    filesOf({ 'lib/one.js': one!, 'lib/two.js': two!, 'lib/three.js': three!, 'lib/tiny.js': tiny }),
    filesOf({ 'index.js': [one, two, three].map(each => renamed(each!)).join('') }),
  );
  const [[path, origins]] = [...originsIn(bundled, everythingOf(bundled))] as [[string, readonly string[]]];
  expect(path).toBe('index.js');
  expect(origins.toSorted()).toEqual(['lib/one.js', 'lib/three.js', 'lib/two.js']);
});

test('a module comes from the module that it was, and not from a bundle of all of them', () => {
  const [one, two, three] = ['one', 'two', 'three'].map(moduleOf);
  const moved = changesBetween(
    filesOf({ 'dist/all.js': [one, two, three].join(''), 'lib/one.js': one!, 'lib/two.js': two! }),
    filesOf({ 'cjs/one.js': renamed(one!), 'cjs/two.js': renamed(two!) }),
  );
  expect([...originsIn(moved, everythingOf(moved))]).toEqual([
    ['cjs/one.js', ['lib/one.js']],
    ['cjs/two.js', ['lib/two.js']],
  ]);
});

test('nothing comes from what the test does not run', () => {
  const one = moduleOf('one');
  const copies = changesBetween(
    filesOf({ 'es/one.js': one, 'lib/one.js': one.replaceAll('Word', 'Name') }),
    filesOf({ 'index.js': renamed(one) }),
  );
  const pathOf = (change: number) => copies.changes[change]!.parts[0]!;
  const run = [...copies.changes.keys()].filter(change => pathOf(change).oldPath !== 'es/one.js');
  expect([...originsIn(copies, { suspects: of(run) })]).toEqual([['index.js', ['lib/one.js']]]);
  expect([...originsIn(copies, everythingOf(copies))]).toEqual([['index.js', ['es/one.js']]]);
});

test('what an added file has lost is code of the file that it comes from, and no blank lines', () => {
  const place = { path: 'lib/parse.js', lines: [2, 3], old: { path: 'csv.js', lines: [2, 3] } } as const;
  expect(isEmpty(inertIn(asChanges([place], 'restoration', split)))).toBe(true);
});

test('a bundle that runs in the place of modules comes from them, also if they are still there', () => {
  const changes = changesBetween(
    filesOf({ 'parse.js': parse, 'write.js': write }),
    filesOf({ 'parse.js': parse.replace('trim', 'strip'), 'write.js': write, 'dist/all.js': newParse }),
  );
  const run = everythingOf(changes);
  expect(originsIn(changes, run).size).toBe(0);
  expect([...originsIn(changes, { ...run, left: ['parse.js'] })]).toEqual([['dist/all.js', ['parse.js']]]);
});
