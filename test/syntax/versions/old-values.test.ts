import { expect, test } from 'vitest';
import { languageNamed } from '../../../src/syntax/languages/index.js';
import { hostTree, syntaxOf } from '../../../src/syntax/syntax.js';
import { apply } from '../../../src/syntax/text-cut.js';
import { oldValues } from '../../../src/syntax/versions/old-values.js';

/** The new text with all old values, and how many there are. */
async function withOld(old: string, now: string, language = 'javascript') {
  const syntax = await syntaxOf(languageNamed(language)!);
  const spans = oldValues(hostTree(old, syntax)!, hostTree(now, syntax)!);
  for (const { from, text } of spans) expect(old.slice(from, from + text.length)).toBe(text);
  return { text: apply(now, { spans }), count: spans.length };
}

test('a member of a table is found by its name, however the table is wrapped', async () => {
  const old = 'var inline = { em: /^a/, strong: /^b/ };';
  const now =
    '(function (g) {\n  const inline = {\n    strong: /^b/,\n    em: /^c/,\n  };\n  g.inline = inline;\n})(this);\n';
  expect(await withOld(old, now)).toEqual({ text: now.replace('/^c/', '/^a/'), count: 1 });
});

test('the innermost value that differs is replaced, and not the table around it', async () => {
  const table = (n: number) => `exports.options = { limits: { depth: ${n}, width: 7 }, name: 'x' };`;
  expect(await withOld(table(3), table(4))).toEqual({ text: table(3), count: 1 });
});

test('a variable is told apart from one of the same name in another function', async () => {
  const code = (f: number, g: number) =>
    `function f() { var n = ${f}; return n; }\nfunction g() { var n = ${g}; return n; }`;
  expect(await withOld(code(1, 2), code(1, 3))).toEqual({ text: code(1, 2), count: 1 });
});

test('if one of two values of the same name is new, neither is replaced: nothing says which is which', async () => {
  expect((await withOld('a = 1;', 'a = 2; a = 3;')).count).toBe(0);
});

test('functions, sums and what adds to a value are no values', async () => {
  expect((await withOld('a = function () { return 1; };', 'a = function () { return 2; };')).count).toBe(0);
  expect((await withOld('f(a + 1);', 'f(a + 2);')).count).toBe(0);
  expect((await withOld('a += 1;', 'a += 2;')).count).toBe(0);
});

test('macros, constants and fields of C, and constants of Python, have values', async () => {
  const c = (n: number) => `#define LIMIT ${n}\nstatic const int depth = ${n};\nstruct s t = { .width = ${n} };\n`;
  expect(await withOld(c(1), c(2), 'c')).toEqual({ text: c(1), count: 3 });
  const python = (n: number) => `LIMIT = ${n}\nclass A:\n    depth = ${n}\n    table = {'x': ${n}}\n`;
  expect(await withOld(python(1), python(2), 'python')).toEqual({ text: python(1), count: 3 });
});
