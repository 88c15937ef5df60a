/** What is left of a program that is executed: large tables, and branches that do nothing. */
import { expect, test } from 'vitest';
import { structureOf } from '../../../src/reductions/tree/index.js';
import { apply } from '../../../src/syntax/text-cut.js';

const afterAll = async (path: string, text: string, what: 'tables' | 'items' | 'branches') => {
  const structure = await structureOf(path);
  const pass = what === 'branches' ? structure.emptyBranches : structure.tables(what);
  const edits = await pass.edits(text);
  return { count: edits.length, texts: edits.map(edit => apply(text, edit)) };
};
const numbers = Array.from({ length: 12 }, (_, i) => i + 10);

test('of a large table, the first item stays; or single items are left out', async () => {
  const javascript = `const small = [1, 2], large = { ${numbers.map(n => `k${n}: [${n}, 1]`).join(', ')} };\nf([]);\n`;
  const { count, texts } = await afterAll('a.js', javascript, 'tables');
  expect(count).toBe(1);
  expect(texts[0]).toMatch(/^const small = \[1, 2\], large = \{ k10: \[10, 1\] *,? *\};\nf\(\[\]\);\n$/);
  expect((await afterAll('a.js', javascript, 'items')).count).toBe(12);
  const python = `names = (1, 2)\nlarge = [\n${numbers.map(n => `    'k${n}',\n`).join('')}]\n`;
  const found = await afterAll('a.py', python, 'tables');
  expect(found.count).toBe(1);
  expect(found.texts[0]).toMatch(/^names = \(1, 2\)\nlarge = \[\s*'k10',?\s*\]\n$/);
  const json = JSON.stringify({ a: numbers, b: 1 });
  expect((await afterAll('a.json', json, 'tables')).texts).toEqual(['{"a":[10],"b":1}']);
});

test('statements whose branches are all empty go; a function in a condition is left alone', async () => {
  const javascript =
    'if (a()) {} else {}\nif (b) { c(); }\nwhile (d) {}\nif (e(() => {})) {}\nfor (const f of g) { if (h) {} }\n';
  const { texts } = await afterAll('a.js', javascript, 'branches');
  expect(texts.map(text => text.trim().split('\n').length)).toEqual([4, 4, 4, 5]);
  expect(texts[3]).toContain('for (const f of g) { }');
  const python = 'if a:\n    pass\nelif b:\n    pass\nelse:\n    pass\nif c:\n    d()\nelse:\n    pass\n';
  expect((await afterAll('a.py', python, 'branches')).texts).toEqual(['if c:\n    d()\nelse:\n    pass\n']);
});
