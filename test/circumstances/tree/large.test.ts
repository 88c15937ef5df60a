import { expect, test } from 'vitest';
import { requireLanguage } from '../../../src/circumstances/tree/languages.js';
import { level } from '../../../src/circumstances/tree/passes/delete.js';
import { hollow } from '../../../src/circumstances/tree/passes/hoist.js';
import { type Syntax, syntaxOf } from '../../../src/circumstances/tree/syntax.js';

const syntaxNamed = (name: string): Promise<Syntax> => syntaxOf(requireLanguage(name));

test('nesting of 50,000 brackets neither overflows nor hides the middle', async () => {
  const depth = 50_000;
  for (const name of ['json', 'javascript', 'c', 'text']) {
    const text = `${'['.repeat(depth)}1${']'.repeat(depth)}`;
    const syntax = await syntaxNamed(name);
    const outline = await syntax.outline(text);
    expect(outline.count).toBeGreaterThan(depth);
    for (const pass of [level(syntax, 0), hollow(syntax)]) expect(Array.isArray(await pass.edits(text))).toBe(true);
  }
}, 120_000);

test('a single line of 20 MB has an outline within 1 GB', async () => {
  const line = 'f(a,[1,2,3],"text");'.repeat(1_000_000);
  const syntax = await syntaxNamed('javascript');
  const outline = await syntax.outline(line);
  expect(outline.text.length).toBe(20_000_000);
  expect((await level(syntax, 0).edits(line)).length).toBe(1_000_000);
  expect(process.memoryUsage().rss).toBeLessThan(1_000_000_000);
}, 240_000);
