import fc from 'fast-check';
import { expect, test } from 'vitest';
import { align } from '../../src/report/align.js';
import { type Block, compare, textOf } from '../../src/report/compare.js';
import { sampleRun } from './sample.js';
import { htmlPage } from './sample-page.js';

const pieces = (text: string, ranges: readonly number[]): string[] => {
  const all: string[] = [];
  for (let i = 0; i < ranges.length; i += 2) all.push(text.slice(ranges[i], ranges[i + 1]));
  return all;
};

test('What is marked in the original spells the same as what is old in the result, for any two texts.', () => {
  const texts = fc
    .array(fc.constantFrom('a', 'b', 'foo', ' ', '\n', '<', '>', '{', '}', '😀', '\r\n'))
    .map(all => all.join(''));
  fc.assert(
    fc.property(texts, texts, (original, result) => {
      const { kept, old } = align(original, result);
      expect(pieces(original, kept).join('')).toBe(pieces(result, old).join(''));
      for (const ranges of [kept, old])
        for (let i = 1; i < ranges.length; i++) expect(ranges[i]!).toBeGreaterThan(ranges[i - 1]!);
    }),
  );
});

test('Of a result made by leaving out lines, all is found in the original.', () => {
  const lines = htmlPage(300).split('\n');
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: lines.length, maxLength: lines.length }), keep => {
      const result = lines.filter((_, i) => keep[i]).join('\n');
      const { old } = align(lines.join('\n'), result);
      expect(pieces(result, old).join('')).toBe(result);
    }),
    { numRuns: 20 },
  );
});

test('The element that remains is marked as a whole, not letter by letter somewhere before it.', () => {
  const { original, result } = sampleRun();
  const marked = pieces(original, align(original, result).kept);
  expect(marked).toEqual(['<TABLE', '>', '<TD>', '<SELECT', ' MULTIPLE', '>', '<OPTION', '>', '</TABLE>']);
});

test('A shortened name is found in the old one, a new name is not.', () => {
  const original = 'int foo(int priority) {\n  return priority;\n}\n';
  expect(align(original, 'int foo(int p) {\n}\n').old).toEqual([0, 19]);
  expect(pieces('int z(int q) {\n}\n', align(original, 'int z(int q) {\n}\n').old)).toEqual([
    'int ',
    '(int ',
    ') {\n}\n',
  ]);
});

test('A long original is folded around what remains, and every line is there once.', () => {
  const { original, result } = sampleRun();
  const { original: blocks = [] } = compare({ original, result });
  const folds = blocks.filter(block => 'fold' in block);
  expect(folds.length).toBeGreaterThan(1);
  expect(blocks.length).toBeLessThan(40);
  expect(blocks.map(linesIn).reduce((sum, lines) => sum + lines, 0)).toBe(original.split('\n').length - 1);
  let next = 1;
  for (const block of blocks) {
    expect(block.line).toBe(next);
    next += linesIn(block);
  }
});

test('A line of a megabyte is shortened where nothing of it remains.', () => {
  const original = `${'x '.repeat(500_000)}needle${' y'.repeat(500_000)}`;
  const compared = compare({ original, result: 'needle' });
  expect(JSON.stringify(compared).length).toBeLessThan(2_000);
  expect(JSON.stringify(compared)).toContain('["needle",1]');
});

test('Bytes that are no UTF-8 are shown as what they are, beside characters that are.', () => {
  expect(textOf(Uint8Array.of(0x61, 0xff, 0xc3, 0xa9, 0xc3, 0x0a, 0xed, 0xa0, 0x80))).toBe(
    'a\\xffé\\xc3\n\\xed\\xa0\\x80',
  );
  expect(textOf(new TextEncoder().encode('\ufeffé😀'))).toBe('\ufeffé😀');
});

test('An original of more than a few megabytes is left out, and the result is shown alone.', () => {
  const compared = compare({ original: new Uint8Array(5_000_000), result: 'x' });
  expect(compared.original).toBeUndefined();
  expect(compared.result).toEqual([{ line: 1, segments: [['x', 0]] }]);
  expect(compared.note).toMatch(/too large/);
});

const linesIn = (block: Block): number => ('fold' in block ? block.fold : 1);

test('Of a passing and a failing input, what only one of them has is marked, and the rest is folded.', () => {
  const lines = Array.from({ length: 90 }, (_, i) => `line ${i}`);
  const pair = { original: lines.join('\n'), result: lines.with(20, 'line bug').join('\n'), pair: true as const };
  const { original, result } = compare(pair);
  const marked = (blocks: readonly Block[] = []) =>
    blocks
      .flatMap(block => ('segments' in block ? block.segments : []))
      .flatMap(one => ('skip' in one || !one[1] ? [] : one[0]));
  expect(marked(original)).toEqual(['20']);
  expect(marked(result)).toEqual(['bug']);
  expect(result?.filter(block => 'fold' in block)).toHaveLength(2);
});
