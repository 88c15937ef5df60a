import { expect, test } from 'vitest';
import { changesBetween } from '../../../src/circumstances/changes/changes.js';
import { enclosing } from '../../../src/circumstances/changes/functions.js';
import { linesOf } from '../../../src/circumstances/changes/lines.js';
import { complaintsIn } from '../../../src/circumstances/changes/needs/complaints.js';
import { namesIn } from '../../../src/circumstances/changes/needs/names.js';
import { dependenciesIn } from '../../../src/circumstances/changes/needs/needs.js';
import { type Configuration, deltasOf, of } from '../../../src/core/index.js';
import { inOrder, type Snapshot } from '../../../src/sources/versions/snapshot.js';

const file = (lines: readonly string[]): Snapshot =>
  inOrder([['a.c', { kind: 'file', bytes: Buffer.from(`${lines.join('\n')}\n`) }]]);
const gap = Array.from({ length: 8 }, (_, i) => `int kept${i};`);
const listed = (configuration: readonly number[]) => [...deltasOf(configuration)];

test('a change that uses a name that only another one defines needs that one', async () => {
  const old = file(['int a;', ...gap, 'int f(void) { return 1; }', ...gap]);
  const now = file(['#define LIMIT 7', 'int a;', ...gap, 'int f(void) { return LIMIT; }', ...gap, 'int last;']);
  const needs = await dependenciesIn(changesBetween(old, now));
  expect(listed(needs.withNeeded(of([1])))).toEqual([0, 1]);
  expect(listed(needs.withNeeding(of([0])))).toEqual([0, 1]);
  expect(listed(needs.withNeeding(of([1])))).toEqual([1]);
  expect(listed(needs.withNeeding(of([2])))).toEqual([2]);
});

test('whoever removes a definition needs those who remove its uses', async () => {
  const old = file(['#define LIMIT 7', 'int a;', ...gap, 'int f(void) { return LIMIT; }', ...gap]);
  const now = file(['int a;', ...gap, 'int f(void) { return 1; }', ...gap]);
  const needs = await dependenciesIn(changesBetween(old, now));
  expect(listed(needs.withNeeded(of([0])))).toEqual([0, 1]);
  expect(listed(needs.withNeeded(of([1])))).toEqual([1]);
});

test('changes that open and close the same bracket need each other', async () => {
  const old = file(['int f(int x) {', ...gap, '  return x;', '}']);
  const now = file(['int f(int x) {', '  if (x) {', ...gap, '  }', '  return x;', '}']);
  const needs = await dependenciesIn(changesBetween(old, now));
  expect(listed(needs.withNeeded(of([0])))).toEqual([0, 1]);
  expect(listed(needs.withNeeded(of([1])))).toEqual([0, 1]);
});

test('an error message teaches what the names alone did not tell', async () => {
  // LIMIT is in both versions, so that its use says nothing by itself: the definition moved.
  const old = file(['#define LIMIT 7', ...gap, 'int a;', ...gap, 'int f(void) { return 0; }']);
  const now = file([...gap, 'int a;', '#define LIMIT 7', ...gap, 'int f(void) { return LIMIT; }']);
  const needs = await dependenciesIn(changesBetween(old, now));
  expect(listed(needs.withNeeded(of([2])))).toEqual([2]);
  const learned = needs.learning(complaintsIn("a.c:3:22: error: 'LIMIT' undeclared (first use in this function)"))!;
  expect(listed(learned.withNeeded(of([2])))).toContain(1);
  expect(learned.learning({ missing: ['LIMIT'], conflicting: [], absent: [], places: [] })).toBeUndefined();
});

test('a file that was not found ties what includes it to what makes it', async () => {
  const at = (isNew: boolean) =>
    new Map(
      Object.entries({
        Makefile: ['all: prog', ...gap, ...(isNew ? ['bits.h: makebits.c', '\t./makebits > $@'] : [])],
        'a.h': [...gap, ...(isNew ? ['#include <bits.h>'] : []), 'int a;'],
        'b.c': [isNew ? 'int b = 2;' : 'int b = 1;'],
      }).map(([path, lines]) => [path, { kind: 'file' as const, bytes: Buffer.from(`${lines.join('\n')}\n`) }]),
    );
  const changes = changesBetween(at(false), at(true));
  const paths = (set: Configuration) => changesIn(set).map(({ label }) => label.split(' ')[0]);
  const changesIn = (set: Configuration) => listed(set).map(delta => changes.changes[delta]!);
  const needs = await dependenciesIn(changes);
  const including = of([changes.changes.findIndex(({ label }) => label.startsWith('a.h'))]);
  expect(paths(needs.certain.withNeeded(including))).toEqual(['a.h']);
  const learned = needs.learning(complaintsIn('a.h:9:10: fatal error: bits.h: No such file or directory'))!;
  expect(paths(learned.certain.withNeeded(including))).toEqual(['Makefile', 'a.h']);
});

test.each([
  './rexp.c:289:20: error: unexpected',
  'rexp.c:289: error: unexpected',
  'rexp.c:289.33-36: error: symbol is used',
])('the place of an error is read: %s', message => {
  expect(complaintsIn(message).places).toEqual([{ path: 'rexp.c', line: 289 }]);
});

test('an error about no name ties the changes of the function that it is in', async () => {
  const body = (cases: readonly string[]) => [
    'int f(int x)',
    '{',
    '  switch (x) {',
    ...cases,
    '  }',
    '  return 0;',
    '}',
  ];
  const middle = ['  case 2:', '    break;', '  case 3:', '    break;'];
  const old = file([...body(['  case 1:', '    break;', ...middle]), ...gap, 'int g(void) { return 1; }']);
  const now = file([...body([...middle, '  case 1:', '    break;']), ...gap, 'int g(void) { return 2; }']);
  const changes = changesBetween(old, now);
  const needs = await dependenciesIn(changes);
  expect(listed(needs.withNeeded(of([1])))).toEqual([1]);
  // With the second change alone, `case 1` is there twice.
  const candidate = changes.build(of([1]))!.files.get('a.c')!;
  const lines = candidate.kind === 'file' ? linesOf(candidate.bytes) : [];
  const learned = needs.learning(complaintsIn('a.c:10:3: error: duplicate case value'), () => lines)!;
  expect(listed(learned.withNeeded(of([1])))).toEqual([0, 1]);
  expect(listed(learned.withNeeded(of([2])))).toEqual([2]);
  // The same error again: the function was not all of it.
  const more = learned.learning(complaintsIn('a.c:10:3: error: duplicate case value'), () => lines)!;
  expect(listed(more.withNeeded(of([2])))).toEqual([0, 1, 2]);
  expect(more.learning(complaintsIn('a.c:10:3: error: duplicate case value'), () => lines)).toBeUndefined();
});

test('in a file with many changes, an error in no function ties only the changes around it', async () => {
  const far = Array.from({ length: 100 }, (_, i) => `int far${i};`);
  const many = (value: number) => Array.from({ length: 80 }, (_, i) => [`int value${i} = ${value};`, ...gap]).flat();
  const macros = (isNew: boolean) => [
    isNew ? '#if 1' : '#if 0',
    'int one;',
    ...gap,
    isNew ? '#if 0' : '#if 1',
    'int two;',
  ];
  const old = file([...far, ...macros(false), ...far, ...many(1)]);
  const now = file([...far, ...macros(true), ...far, ...many(2)]);
  const changes = changesBetween(old, now);
  expect(changes.count).toBe(82);
  const needs = await dependenciesIn(changes);
  const candidate = changes.build(of([0]))!.files.get('a.c')!;
  const lines = candidate.kind === 'file' ? linesOf(candidate.bytes) : [];
  const error = complaintsIn(`a.c:${lines.indexOf('int two;\n') + 1}:5: error: unexpected`);
  const learned = needs.learning(error, () => lines)!;
  expect(listed(learned.withNeeded(of([0])))).toEqual([0, 1]);
  expect(listed(learned.withNeeded(of([2])))).toEqual([2]);
  expect(learned.learning(error, () => lines)).toBeUndefined();
});

test('a line of minified code in a message is read like any other', () => {
  const message = `${'a'.repeat(2_000_000)}\nda.c:286:5: error: 'x' undeclared\nfatal: b.h: No such file or directory`;
  expect(complaintsIn(message)).toMatchObject({
    missing: ['x'],
    absent: ['b.h'],
    places: [{ path: 'da.c', line: 286 }],
  });
});

test.each([
  ["error: 'PNG_MAX' undeclared (first use in this function)", ['PNG_MAX']],
  ['ReferenceError: helper is not defined', ['helper']],
  ["undefined reference to `png_read'", ['png_read']],
  ["error TS2304: Cannot find name 'Shape'.", ['Shape']],
  ["error: unknown type name 'png_bytep'", ['png_bytep']],
  ["NameError: name 'spam' is not defined", ['spam']],
  ['TypeError: lib.drain is not a function', ['drain']],
  ['Segmentation fault', []],
])('%s', (message, names) => {
  expect(complaintsIn(message).missing).toEqual(names);
});

test('definitions and uses are distinguished, and comments and strings are neither', () => {
  const { defined, used } = namesIn(['const total = sum(items); // of orders', "say('nothing', x);", '#define SIZE 3']);
  expect([...defined].sort()).toEqual(['SIZE', 'total']);
  expect([...used].sort()).toEqual(['items', 'say', 'sum', 'x']);
});

test.each([
  ['import copy, numpy as np', ['copy', 'np'], ['numpy']],
  ['    from html import escape  # of texts', ['escape'], []],
  ['import os.path', ['os'], ['path']],
  ["import x, { y as z, type A } from './m';", ['A', 'x', 'z'], ['y']],
  ["import './m';", [], []],
  ["const a = import('./m');", ['a'], []],
  ['important = imports(a)', ['important'], ['a', 'imports']],
])('an import defines names: %s', (line, defined, used) => {
  const names = namesIn([line]);
  expect([...names.defined].sort()).toEqual(defined);
  for (const name of used) expect(names.used).toContain(name);
});

test('a lost import comes back with the line that a message shows to need it', async () => {
  const version = (isNew: boolean) =>
    file([isNew ? 'import json' : 'import json, math', ...gap, isNew ? 'n = int(x)  # no math' : 'n = math.floor(x)']);
  const [old, now] = [version(false), version(true)];
  const needs = await dependenciesIn(changesBetween(old, now));
  const learned = needs.learning(complaintsIn("NameError: name 'math' is not defined"));
  // To take back the line, the import must be taken back too.
  expect(listed(learned!.certain.withNeeding(of([1])))).toEqual([0, 1]);
});

test.each([
  ['a method', ['class A {', '  run(x) {', '    if (x) {', '      return 1;'], 3, 'A'],
  ['a C function with its brace below', ['int', 'png_read(int a,', '   int b)', '{', '   return a;'], 4, 'png_read'],
  ['an arrow function', ['const f = x => {', '  return x;'], 1, 'f'],
  ['a function without a name', ['(function(module) {', '  function f() {', '    return 1;'], 2, 'f'],
  ['nothing around', ['a();', 'b();'], 1, undefined],
  ['a minified line above', [`function f(){${'a(b);'.repeat(300)}`, '  return 1;'], 1, undefined],
])('the function around a line: %s', (_, lines, at, name) => {
  expect(enclosing(lines, at)?.name).toBe(name);
});

test('a signal ends the reading of many changes', async () => {
  const version = (sign: string) =>
    file(
      Array.from({ length: 10_000 }, (_, i) => (i % 2 === 0 ? `int f${i}(int a) { return a ${sign} ${i}; }` : gap[0]!)),
    );
  const stop = new AbortController();
  setTimeout(() => stop.abort());
  await expect(dependenciesIn(changesBetween(version('+'), version('-')), stop.signal)).rejects.toThrow('aborted');
});

test('what imports a new file needs it, and a file is not deleted before its imports are', async () => {
  const at = (isNew: boolean): Snapshot =>
    inOrder(
      Object.entries({
        'lib/a.js': [...gap, isNew ? "const x = require('./in/x');" : "const y = require('./y.js');", 'x();'],
        'lib/b.js': [...gap, isNew ? "import { z } from '../z';" : '', 'z();'],
        ...(isNew ? { 'lib/in/x.js': ["import '../../z/index.js';"], 'z/index.js': ['new'] } : { 'lib/y.js': ['old'] }),
        'lib/text.md': [isNew ? "require('./in/x')" : ''],
      }).map(([path, lines]) => [path, { kind: 'file', bytes: Buffer.from(`${lines.join('\n')}\n`) }]),
    );
  const changes = changesBetween(at(false), at(true));
  expect(changes.changes.map(({ label }) => label)).toEqual([
    'lib/a.js -9,1 +9,1',
    'lib/b.js -9,1 +9,1',
    'lib/in/x.js added',
    'lib/text.md -1,1 +1,1',
    'lib/y.js deleted',
    'z/index.js added',
  ]);
  const { certain } = await dependenciesIn(changes);
  expect(listed(certain.withNeeded(of([0])))).toEqual([0, 2, 5]);
  expect(listed(certain.withNeeded(of([1])))).toEqual([1, 5]);
  expect(listed(certain.withNeeded(of([3])))).toEqual([3]);
  expect(listed(certain.withNeeded(of([4])))).toEqual([0, 2, 4, 5]);
});
