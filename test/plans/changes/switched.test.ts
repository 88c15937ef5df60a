import { expect, test } from 'vitest';
import { switchedInWords, switchedTo } from '../../../src/plans/changes/answer/switched.js';

const codeOf = (count: number) => Array.from({ length: count }, (_, at) => `+line ${at};`);
const backAs = (name: string, count: number) => [
  `diff --git a/${name} b/${name}`,
  'new file mode 100644',
  '--- /dev/null',
  `+++ b/${name}`,
  `@@ -0,0 +1,${count} @@`,
  ...codeOf(count),
];
const changed = (name: string, lines: readonly string[]) => [
  `diff --git a/${name} b/${name}`,
  `--- a/${name}`,
  `+++ b/${name}`,
  '@@ -1,9 +1,9 @@',
  ...lines,
];
const patchOf = (...files: readonly (readonly string[])[]) => Buffer.from(`${files.flat().join('\n')}\n`);
const main = changed('package.json', ['-  "main": "./dist/index.js",', '+  "main": "dist/Whole.js",']);

test('a revert that brings an old file back and what names it as the entry says nothing', () => {
  const found = switchedTo(patchOf(backAs('dist/Whole.js', 4_275), main));
  expect(found).toEqual({ file: 'dist/Whole.js', lines: 4_275 });
  expect(switchedInWords(found!)).toBe(
    'the revert only makes the test load the old dist/Whole.js (4,275 lines) instead of new files: what is wrong in these is not known',
  );
  const required = changed('index.js', ["+module.exports = require('./dist/Whole');"]);
  expect(switchedTo(patchOf(backAs('dist/Whole.js', 50), required))).toBeDefined();
  const two = [backAs('lib/parse.js', 60), backAs('lib/all.js', 90), changed('a.js', ["+require('./lib/all')"])];
  expect(switchedTo(patchOf(...two))).toEqual({ file: 'lib/all.js', lines: 150 });
});

test('a revert that changes code of new is an answer', () => {
  const code = changed('lib/a.js', ['-  return 1;', '+  return 2;']);
  expect(switchedTo(patchOf(main, code))).toBeUndefined();
  expect(switchedTo(patchOf(backAs('dist/Whole.js', 50), main, code))).toBeUndefined();
  expect(switchedTo(patchOf(code))).toBeUndefined();
  // A file that comes back by itself, or a short one, is what new lost.
  expect(switchedTo(patchOf(backAs('dist/Whole.js', 50)))).toBeUndefined();
  expect(switchedTo(patchOf(backAs('dist/Whole.js', 5), main))).toBeUndefined();
  const much = changed('index.js', ["+require('./dist/Whole')", ...codeOf(20)]);
  expect(switchedTo(patchOf(backAs('dist/Whole.js', 50), much))).toBeUndefined();
});
