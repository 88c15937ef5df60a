import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mayBeExecuted, type Unexecuted, watchUnexecuted } from '../../../src/oracle/coverage/index.js';
import { executedUnits } from '../../../src/oracle/coverage/runtimes/node.js';
import { linesWithout } from '../../../src/oracle/coverage/runtimes/runtime.js';
import { folder, inScratch, writeFolder } from '../../circumstances/changes/folders.js';

/** Runs a program in a folder of its own, and returns what did not run of each file that was loaded, as text. */
const idleIn = (files: Readonly<Record<string, string>>, argv: readonly string[]) =>
  inScratch(async root => {
    const [tree, tmp] = [join(root, 'tree'), join(root, 'tmp')];
    const snapshot = folder(files);
    writeFolder(tree, snapshot);
    mkdirSync(tmp);
    const look = watchUnexecuted(snapshot);
    const [program = '', ...args] = argv;
    spawnSync(program, args, { cwd: tree, env: { ...process.env, ...look.built(tree, tmp) } });
    return textsOf(files, look.ran(tree, tmp));
  });

const textsOf = (files: Readonly<Record<string, string>>, idle: Unexecuted) =>
  Object.fromEntries(
    Object.entries(idle).map(([path, { ranges }]) => [
      path,
      ranges.flatMap((start, i) => (i % 2 === 0 ? [files[path]!.slice(start, ranges[i + 1]).trim()] : [])),
    ]),
  );

test('a Node program: functions that were not called, sides that were not taken, and files that were not loaded', async () => {
  const idle = await idleIn(
    {
      'main.js': "const { f } = require('./lib');\nif (process.argv.length > 9) {\n  console.log(1);\n}\nf();\n",
      'lib.js': 'exports.f = () => 1;\nexports.g = function () { return 2; };\n',
      'other.js': 'throw 1;\n',
    },
    [process.execPath, 'main.js'],
  );
  expect(idle).toEqual({ 'main.js': ['{\n  console.log(1);\n}'], 'lib.js': ['function () { return 2; }'] });
});

test('what one of several processes executed was executed', async () => {
  const idle = await idleIn(
    {
      'main.js':
        "if (process.argv[2]) a(); else { b(); require('child_process').execFileSync(process.execPath, [__filename, 1]); }\nfunction a() { return 1; }\nfunction b() { return 2; }\nfunction c() { return 3; }\n",
    },
    [process.execPath, 'main.js'],
  );
  expect(idle['main.js']).toEqual(['function c() { return 3; }']);
});

test('the scripts of a page, and code that is evaluated as a text, by a program that runs them', async () => {
  const filled = (code: string) => `${code}\n${'used(0);\n'.repeat(30)}`;
  const library = filled("function used(n) { if (n > 1) { log('large'); } }\nfunction idle() { return 2; }");
  const files = {
    'page.html': `<ul><li>1</ul>\n<script>${library}</script>\n<p>\n<script type="a">used(3);</script>`,
    'code.js': filled('var used = function () { return 3; };\nvar idle = function () { return 4; };'),
    'other.js': filled('var used = function () {};'),
    'run.cjs': [
      "const { readFileSync } = require('fs');",
      "const [, code] = /<script>([^<]*)/.exec(readFileSync('page.html', 'utf8'));",
      "require('vm').runInNewContext(code, {}, 'http://localhost/');",
      "require('vm').runInNewContext(readFileSync('code.js', 'utf8'));",
    ].join('\n'),
  };
  expect(await idleIn(files, [process.execPath, 'run.cjs'])).toEqual({
    'page.html': ["{ log('large'); }", 'function idle() { return 2; }'],
    'code.js': ['function () { return 4; }'],
    'run.cjs': [],
  });
});

test('a Python program by lines; without site, or without a program, nothing is seen', async () => {
  const files = {
    'main.py': 'import lib\nlib.f()\nraise SystemExit(3)\n',
    'lib.py': 'def f():\n    return 1\n\ndef g():\n    return 2\n',
    'other.py': 'x = 1\n',
  };
  expect(await idleIn(files, ['python3', 'main.py'])).toEqual({ 'main.py': [''], 'lib.py': ['', 'return 2'] });
  expect(await idleIn(files, ['python3', '-E', '-S', 'main.py'])).toEqual({});
  expect(await idleIn(files, ['cat', 'main.py'])).toEqual({});
});

test('Ruby and Perl programs by lines', async () => {
  const ruby = { 'main.rb': 'def f\n  1\nend\ndef g\n  2\nend\nf\n' };
  expect((await idleIn(ruby, ['ruby', 'main.rb']))['main.rb']?.join()).toContain('2\nend');
  const perl = { 'main.pl': 'f();\nsub f {\n  return 1;\n}\nsub g {\n  return 2;\n}\n' };
  expect((await idleIn(perl, ['perl', 'main.pl']))['main.pl']?.join()).toContain('return 2;');
});

test('ranges are nested, and a byte order mark counts in the file only', () => {
  const ranges = [
    { startOffset: 0, endOffset: 8, count: 1 },
    { startOffset: 2, endOffset: 7, count: 0 },
    { startOffset: 3, endOffset: 5, count: 4 },
  ];
  expect([...executedUnits('abcdefgh', ranges)]).toEqual([1, 1, 0, 1, 1, 0, 0, 1]);
  expect([...executedUnits('\uFEFFabcdefgh', ranges)]).toEqual([1, 1, 1, 0, 1, 1, 0, 0, 1]);
});

test('if another text was compiled than the file has, all of it counts as executed', () => {
  const ranges = [
    { startOffset: 0, endOffset: 20, count: 1 },
    { startOffset: 2, endOffset: 7, count: 0 },
  ];
  expect([...executedUnits('abcdefgh', ranges)]).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
});

test('lines that did not run, neighbours together', () => {
  expect(linesWithout('a\nb\nc\nd', new Set([1, 4]))).toEqual([2, 6]);
  expect(linesWithout('a\nb\nc\nd', new Set([2]))).toEqual([0, 2, 4, 7]);
});

test('only files that a runtime can load, or that are compiled to a program, are worth a run', () => {
  expect(['a.js', 'a.mjs', 'a/b.cjs', 'a.py', 'a.rb', 'a.pm', 'a.c', 'a.hpp', 'a.ii'].every(mayBeExecuted)).toBe(true);
  expect(['a.ts', 'a.json', 'py', 'a.cs'].some(mayBeExecuted)).toBe(false);
});
