import { expect, test } from 'vitest';
import { languageNamed } from '../../../src/syntax/languages/index.js';
import { hostTree, syntaxOf } from '../../../src/syntax/syntax.js';
import { apply } from '../../../src/syntax/text-cut.js';
import { restorationsIn } from '../../../src/syntax/versions/restorations.js';

/** The new text with each literal that has changed. */
async function withLiterals(old: string, now: string, language = 'javascript'): Promise<readonly string[]> {
  const syntax = await syntaxOf(languageNamed(language)!);
  const all = await restorationsIn(hostTree(old, syntax)!, hostTree(now, syntax)!);
  return all.filter(({ kind }) => kind === 'literal').map(span => apply(now, { spans: [span] }));
}

test('a word of a text becomes the old one, however the text is put together', async () => {
  const old = 'def link(a):\n    return \'<a href="http://%s">%s</a>\' % (a, a)\n';
  const now = 'def link(a):\n    if a:\n        return f\'<a href="https://{a}">{a}</a>\'\n';
  expect(await withLiterals(old, now, 'python')).toEqual([now.replace('https', 'http')]);
});

test('a number becomes the old one if there are few of them', async () => {
  const old = 'function f(a) { return a.slice(0, 80).pad(4); }';
  const now = 'const f = a => { const most = 100; return cut(a, 0, most).pad(4); };';
  expect(await withLiterals(old, now)).toEqual([now.replace('100', '80')]);
  const many = 'function f(a) { return g(11, 12, 13, 14); }';
  expect(await withLiterals(many, 'function f(a) { return g(21, 22, 23, 24); }')).toEqual([]);
});

test('a text of other words is another text, and one that both have stays', async () => {
  const old = "function f(a) { log('cannot open the file'); return g('same'); }";
  expect(await withLiterals(old, "function f(a) { log('no such folder'); return g('same'); }")).toEqual([]);
  const now = "function f(a) { g('same'); log('can not open the file'); }";
  expect(await withLiterals(old, now)).toEqual([now.replace('can not', 'cannot')]);
});

test('a file that is empty in one version has no literals', async () => {
  expect(await withLiterals('', "g('a b');\n")).toEqual([]);
  expect(await withLiterals("g('a b');\n", '')).toEqual([]);
});

test('a text with signs for which a language has an escape is compared as a whole', async () => {
  const old = "function f(a) { re.path = '[(?!\\\\-]).|' + a.b; g('+\\n'); }\n";
  const now = "function f(a) {\n  g('+\\n');\n  re.path = '[(?!\\\\-;]).|' + a.b;\n}\n";
  expect(await withLiterals(old, now)).toEqual([now.replace('-;', '-')]);
  const python = 'def f(a):\n    return g("a <br%s\\n" % a, one)\n';
  const other = 'def f(a):\n    if a:\n        return g("a <hr%s\\n" % a)\n';
  expect(await withLiterals(python, other, 'python')).toEqual([other.replace('hr', 'br')]);
});

test('a default of another word is the same default, however it is written', async () => {
  const old =
    "function mix(a, mode) {\n  if (mode == null) {\n    mode = 'rgb';\n  }\n  return mode === 'lab' ? a : b(a, mode);\n}\n";
  const now = (mode: string) => [
    `var mix = function (a, mode) {\n  if ( mode === void 0 ) mode='${mode}';\n  return at(mode).mix(a);\n};\n`,
    `const mix = (a, mode = '${mode}') => at(mode).mix(a);\n`,
    `function mix(a) { const mode = arguments.length > 1 ? arguments[1] : '${mode}'; return at(mode).mix(a); }\n`,
    `function mix(a, options) { const o = { mode: '${mode}', ...options }; return at(o).mix(a); }\n`,
  ];
  for (const [i, text] of now('lab').entries()) expect(await withLiterals(old, text)).toContain(now('rgb')[i]);
});

test('a constant is compared with what it is for', async () => {
  const old = 'function f(a) { const o = { deep: false, wide: true }; return g(a, o); }';
  const now = 'class F { f(a) { this.h(); return g(a, { deep: true, wide: true, high: true }); } }';
  expect(await withLiterals(old, now)).toEqual([now.replace('deep: true', 'deep: false')]);
});

test('what a function inside another one is given says nothing about the outer one', async () => {
  const old = "function f(a) { a.mode = 'x'; function g() { b.mode = 'y'; } }";
  const now = "function f(a) { c(); a.mode = 'z'; function g() { d(); b.mode = 'y'; } }";
  expect(await withLiterals(old, now)).toEqual([now.replace("'z'", "'x'")]);
});

test('a path of a module is no version of another one', async () => {
  expect(await withLiterals("const a = require('./one/a');", "const b = require('./one/b');")).toEqual([]);
});
