import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blankLines, bytes, characters, lines, tokens } from '../../src/circumstances/text.js';
import { all, empty, of } from '../../src/core/index.js';

test('blank lines go in one question, with blanks at the ends of lines', () => {
  const circumstance = blankLines('\n \nint a;  \n\n\n  int b;\n\n')!;
  expect(circumstance.count).toBe(1);
  expect(circumstance.build(all(1))).toBe('\n \nint a;  \n\n\n  int b;\n\n');
  expect(circumstance.build(empty)).toBe('int a;\n  int b;\n');
});

test('a few blank lines in a long text are not worth a question', () => {
  expect(blankLines(`${'int a;\n'.repeat(10)}\n`)).toBeUndefined();
});

test('two million blanks inside a line are no trailing blanks', () => {
  expect(blankLines(`a${' '.repeat(2_000_000)}b\n`)).toBeUndefined();
});

test('nothing but blank space goes, and no blank line stays', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b ', ' ', '\t', '\n', '\n\n')), pieces => {
      const text = pieces.join('');
      const left = blankLines(text)?.build(empty);
      if (left === undefined) return;
      expect(left.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      expect(left).not.toMatch(/^\s*\n/);
      expect(left).not.toMatch(/\n[ \t]*\n/);
    }),
  );
});

test('the weights of the pieces are their lengths, however many pieces there are', () => {
  const law = (text: string) => {
    for (const cut of [lines, tokens, characters]) {
      const { count, weights, describe } = cut(text);
      expect(weights).toHaveLength(count);
      let sum = 0;
      for (let i = 0; i < count; i++) sum += weights![i]!;
      expect(sum).toBe(text.length);
      for (const i of [0, count >> 1, count - 1].filter(at => at >= 0 && at < count))
        expect(weights![i]).toBe(describe!(i).length);
    }
  };
  fc.assert(fc.property(fc.string(), law));
  law('line\n'.repeat(150_000));
});

test('of a long run of equal bytes, any number can go, and a few deltas stand for all of them', () => {
  for (const length of [1, 15, 16, 100, 1_000]) {
    const circumstance = bytes(`a${'\0'.repeat(length)}b`);
    const sizes = Array.from(circumstance.weights!).slice(1, -1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(length);
    expect(sizes.length).toBeLessThanOrEqual(16);
    expect(sizes[0]).toBe(1);
    // Each size is at most one more than all smaller ones together, so every number up to the whole length is a sum of some.
    sizes
      .sort((a, b) => a - b)
      .reduce((sum, size) => {
        expect(size).toBeLessThanOrEqual(sum + 1);
        return sum + size;
      }, 0);
  }
});

test('bytes are never half of a letter', () => {
  const circumstance = bytes(`😀😀x${'€'.repeat(40)}`);
  expect(circumstance.build(of([0]))).toBe('😀');
  expect(circumstance.build(all(circumstance.count))).toBe(`😀😀x${'€'.repeat(40)}`);
  expect(bytes('😀'.repeat(16)).build(of([0]))).toBe('😀');
});
