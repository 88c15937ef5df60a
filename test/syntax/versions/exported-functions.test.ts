import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { languageNamed } from '../../../src/syntax/languages/index.js';
import { hostTree, syntaxOf } from '../../../src/syntax/syntax.js';
import { apply } from '../../../src/syntax/text-cut.js';
import { oldFunctions } from '../../../src/syntax/versions/old-functions.js';

async function withOld(old: string, now: string) {
  const syntax = await syntaxOf(languageNamed('javascript')!);
  return apply(now, { spans: await oldFunctions(hostTree(old, syntax)!, hostTree(now, syntax)!) });
}

/** `middle` is exported, and has the name that another function has in the other version. */
const old = `function limit(list, share) { return list[list.length * share | 0]; }
function limit$1(low, high) { return [low, high].map(Number); }
function half(list) { return limit(list, 1 / 2); }
`;
const now = `function limit(low, high) { return [low, high].map(Number); }
function middle$1(list, share) { return sorted(list)[list.length * share | 0]; }
function middle() { return new Scale(); }
function sorted(list) { return [...list].sort(); }
function half(list) { return sorted(list)[list.length / 2 | 0]; }
`;
const expected = now
  .replace('{ return sorted(list)[list.length * share', '{ return list[list.length * share')
  .replace('{ return sorted(list)[list.length / 2 | 0]; }', '{ return middle$1(list, 1 / 2); }');

test.each([
  ['exports.middle = limit;\nexports.half = half;\n', 'exports.middle = middle$1;\nexports.half = half;\n'],
  ['export { limit as middle, half };\n', 'export { middle$1 as middle, half };\n'],
  ['module.exports = { middle: limit, half };\n', 'module.exports = { middle: middle$1, half };\n'],
  ['List.prototype.middle = limit;\n', 'List.prototype.middle = middle$1;\n'],
  [
    "Object.defineProperty(exports, 'middle', { enumerable: true, get: function () { return limit; } });\n",
    "Object.defineProperty(exports, 'middle', { get() { return middle$1; } });\n",
  ],
  [
    '__export(all, { middle: () => limit, half: () => half });\n',
    'r.d(all, { half: () => half, middle: function () { return middle$1; } });\n',
  ],
])(
  'functions that are exported under one name are the same one, whatever they are called: %s',
  async (before, after) => {
    expect(await withOld(old + before, now + after)).toBe(expected + after);
  },
);

test('what is exported from another file, or twice, says nothing about the functions of this one', async () => {
  const apart = "export { limit as middle } from './limit.js';\n";
  expect(await withOld(old + apart, now + apart)).not.toContain('{ return list[list.length * share');
  const twice = 'exports.middle = limit;\nexports.middle = half;\n';
  const after = 'exports.middle = middle$1;\n';
  expect(await withOld(old + twice, now + after)).not.toContain('{ return list[list.length * share');
});

test('an old function that is exported under one name can be run in new', async () => {
  const text = await withOld(`${old}exports.middle = limit;`, `${now}exports.middle = middle$1;`);
  expect(runInNewContext(`const exports = {}; ${text}; exports.middle([3, 1, 2], 0) + half([3, 1, 2])`)).toBe(4);
});

test('a call with an object of other functions exports nothing', async () => {
  const before = 'define(all, { middle: () => limit, half: () => half() });\n';
  const after = 'define(all, { middle: () => middle$1, half: () => half() });\n';
  expect(await withOld(old + before, now + after)).not.toContain('{ return list[list.length * share');
});
