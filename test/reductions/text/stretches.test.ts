import { expect, test } from 'vitest';
import type { Circumstance } from '../../../src/core/index.js';
import { all, minus, of } from '../../../src/core/index.js';
import { runs, stretches } from '../../../src/reductions/text/stretches.js';

const each = (circumstance: Circumstance<string>): readonly (string | undefined)[] =>
  Array.from({ length: circumstance.count }, (_, delta) =>
    circumstance.build(minus(all(circumstance.count), of([delta]))),
  );

test('two or three neighbours of a short text go, or as many from both ends, the largest cut first', () => {
  const found = each(stretches('.{-}'));
  expect(found).toContain('{-');
  expect(found).toContain('.}');
  expect(found[0]!.length).toBe(1);
  expect(found.every(text => text!.length < 4)).toBe(true);
  expect(each(stretches('.{-:,}'))).toContain('-:,');
});

test('a last resort costs few tests: two for each character', () => {
  expect(stretches('abcdefghijkl').count).toBeLessThanOrEqual(2 * 12);
});

test('runs of words and signs go with the blanks after them, and with all of a bracket or none of it', () => {
  const found = each(runs('a when (b > 0) c')!);
  expect(found).toContain('a c');
  expect(found).toContain('a when c');
  expect(found.every(text => text!.includes('(') === text!.includes(')'))).toBe(true);
});

test('a text of many words offers no runs: their number would cost too much', () => {
  expect(runs('word '.repeat(1000))).toBeUndefined();
});
