import { expect, test } from 'vitest';
import { level } from '../../../src/reductions/tree/delete.js';
import { hollow } from '../../../src/reductions/tree/hoist.js';
import { requireLanguage } from '../../../src/syntax/languages/index.js';
import { pointedIn } from '../../../src/syntax/names/ids-and-references.js';
import { type Syntax, syntaxOf } from '../../../src/syntax/syntax.js';

const syntaxNamed = (name: string): Promise<Syntax> => syntaxOf(requireLanguage(name));

test('nesting of 50,000 brackets neither overflows nor hides the middle', async () => {
  const depth = 50_000;
  for (const name of ['json', 'javascript', 'c', 'text']) {
    const text = `${'['.repeat(depth)}1${']'.repeat(depth)}`;
    const syntax = await syntaxNamed(name);
    const tree = await syntax.tree(text);
    expect(tree.count).toBeGreaterThan(depth);
    for (const pass of [level(syntax, 0), hollow(syntax)]) expect(Array.isArray(await pass.edits(text))).toBe(true);
  }
});

test('a single line of 20 MB has an tree within 1 GB', async () => {
  const line = 'f(a,[1,2,3],"text");'.repeat(1_000_000);
  const syntax = await syntaxNamed('javascript');
  const tree = await syntax.tree(line);
  expect(tree.text.length).toBe(20_000_000);
  expect((await level(syntax, 0).edits(line)).length).toBe(1_000_000);
  expect(process.memoryUsage().rss).toBeLessThan(1_000_000_000);
}, 240_000);

// Each of these shapes once took minutes: an expression that looks again from every blank or bracket.
test.each([
  ['markdown', `# a${' '.repeat(200_000)}b\n\n[x](#a)`],
  ['markdown', `# ${'['.repeat(200_000)}\n\n[x](#a)`],
  ['markdown', `<a id=${' '.repeat(200_000)}x> [x](#a)`],
  ['markdown', `${'a '.repeat(200_000)}\n[x](#a)`],
  ['svg', `<svg><a id="a" begin="${' '.repeat(200_000)}a.click"/></svg>`],
])('what points at what in %s of a strange shape is read', async (name, text) => {
  const syntax = await syntaxOf(requireLanguage(name));
  expect(pointedIn(syntax.language, await syntax.tree(text)).pointers).toHaveLength(1);
});
