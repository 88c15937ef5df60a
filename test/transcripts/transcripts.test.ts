import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { examples } from '../../src/cli/explain/examples.js';
import { explain } from '../../src/cli/explain/explain.js';

// The papers' own tables, as text. A transcript that changes is reviewed like code; `npx vitest -u` writes them anew.
describe.each(Object.keys(examples))('%s', name => {
  test('comes out as the committed table', async () => {
    await expect(`${explain(undefined, { example: name })}\n`).toMatchFileSnapshot(`${name}.txt`);
  });
});

const shown = (name: string) => JSON.parse(explain(undefined, { example: name, json: true }));

test('Table 1 tests 1–4, 5–8, 5–6, 7–8 and 7, and finds 7', () => {
  const { steps, result } = shown('quick');
  expect(steps.map((row: { kept: string[] }) => row.kept.join(''))).toEqual(['1234', '5678', '56', '78', '7']);
  expect(result).toEqual(['7']);
});

test('Table 2 has 27 steps and 19 different tests, and finds 1, 7 and 8', () => {
  const { steps, result, tests } = shown('granularity');
  expect([steps.length, tests, result]).toEqual([27, 19, ['1', '7', '8']]);
});

test('the linear table has 10 steps, the divide-and-conquer table 9, and both find 5 and 7', () => {
  expect([shown('linear').steps.length, shown('linear').result]).toEqual([10, ['5', '7']]);
  expect([shown('divide-and-conquer').steps.length, shown('divide-and-conquer').result]).toEqual([9, ['5', '7']]);
});

test('the sheet shows 18 tests of dd and ends in (014567, 0124567)', () => {
  const { steps, result } = shown('sheet-dd');
  expect(steps).toHaveLength(18);
  expect([result.passing.join(''), result.failing.join('')]).toEqual(['014567', '0124567']);
});

test('the sheet shows steps 0 to 10 of ddmin and ends in 2', () => {
  const { steps, result } = shown('sheet-ddmin');
  expect([steps[0].step, steps.at(-1).step, result]).toEqual([0, 10, ['2']]);
});

test('the regression example isolates c4 and c5 by dd, and by add after five tests', () => {
  expect(shown('regression').result.difference).toEqual(['c4', 'c5']);
  const { steps, result } = shown('regression-add');
  expect([steps.length, result]).toEqual([5, ['c4', 'c5']]);
});

test('the tree example has 14 steps at n = 2, 4 and 8', () => {
  const { steps } = shown('tree');
  expect(steps.map((row: { n: number }) => row.n)).toEqual([2, 2, 4, 4, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8]);
});

// Tests until the first cause and until all is proven, at most; the full configuration was tested before the search.
test.each([
  ['one-cause', 1, 10, 12, 2],
  ['either-of-two', 2, 10, 24, 1],
  ['three-causes', 3, 11, 43, 2],
  ['four-pairs', 4, 9, 79, 16],
  ['three-of-five', 10, 16, 182, 10],
  ['far-apart', 2, 22, 48, 1],
])('%s: %i causes, the first after at most %i tests, all proven after at most %i, %i ways to avoid', (...row) => {
  const [name, causes, first, proven, avoid] = row;
  const { steps, result } = shown(name);
  const found = steps.findIndex(({ rule }: { rule?: string }) => rule === 'cause 1');
  const different = (rows: readonly { kept: readonly string[] }[]) => new Set(rows.map(({ kept }) => kept.join())).size;
  expect(result).toMatchObject({ complete: true, unknown: [] });
  expect([result.causes.length, result.avoid.length]).toEqual([causes, avoid]);
  expect(different(steps.slice(0, found + 1))).toBeLessThanOrEqual(first);
  expect(different(steps)).toBeLessThanOrEqual(proven);
});

test('an unresolved seed is listed as unknown, with a way out that was found inside it', () => {
  const { result } = shown('hidden-cause');
  expect(result).toEqual({
    causes: [
      ['2', '6'],
      ['4', '6'],
    ],
    avoid: [['6'], ['2', '3', '4']],
    unknown: [['2', '4']],
    complete: false,
  });
});

test('the committed tables are readable: one line a step, with the papers’ signs', () => {
  const text = readFileSync(new URL('./granularity.txt', import.meta.url), 'utf8');
  expect(text).toContain(' 8  4  ∇2  1 2 · · 5 6 7 8  ✗   reduce to complement, n = 3');
});
