import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blankLines } from '../../src/circumstances/text.js';
import { all, empty } from '../../src/core/index.js';

test('blank lines go in one question, with blanks at the ends of lines', () => {
  const circumstance = blankLines('\n \nint a;  \n\n\n  int b;\n\n')!;
  expect(circumstance.count).toBe(1);
  expect(circumstance.build(all(1))).toBe('\n \nint a;  \n\n\n  int b;\n\n');
  expect(circumstance.build(empty)).toBe('int a;\n  int b;\n');
});

test('a few blank lines in a long text are not worth a question', () => {
  expect(blankLines(`${'int a;\n'.repeat(10)}\n`)).toBeUndefined();
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
