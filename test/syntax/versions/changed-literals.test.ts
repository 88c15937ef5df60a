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
