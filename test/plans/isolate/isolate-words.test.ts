import fc from 'fast-check';
import { expect, test } from 'vitest';
import { all, empty, of } from '../../../src/core/index.js';
import { describeDifference } from '../../../src/plans/isolate/pair.js';
import { linesDiffering, wordsDiffering } from '../../../src/plans/isolate/words.js';

const described = (differing: ReturnType<typeof linesDiffering>) =>
  Array.from({ length: differing.count }, (_, delta) => differing.describe!(delta));

test('a line that replaces a similar one is one delta, although other lines come beside it', () => {
  const differing = linesDiffering('a = 1;\nend\n', 'new(x)\na = 2;\nmore[y]\nend\n');
  expect(described(differing)).toEqual(['+new(x)\n', '-a = 1;\n+a = 2;\n', '+more[y]\n']);
});

test('a line that only one side has is not cut, and neither are words that differ side by side', () => {
  expect(described(wordsDiffering('[core]\n', '[core]\nmmap = yes\n', 'token'))).toEqual(['+mmap = yes\n']);
  expect(described(wordsDiffering('76,n76,114.00,ok\n', '76,n76,-,ok\n', 'token'))).toEqual(['-114-.-00+-']);
  expect(described(wordsDiffering('<td>2</td>\n', '<td colspan="0">2</td>\n', 'token'))).toEqual([
    '+ +colspan+=+"+0+"',
  ]);
  expect(wordsDiffering('a = false\n', 'a = null\n', 'character').count).toBe(0);
});

test('what is too long to read is cut into tokens, and a long token into characters', () => {
  const words = (more: string) => `${Array.from({ length: 40 }, (_, i) => `${more}${i}`).join(' ')}\n`;
  expect(wordsDiffering('\n', words('w'), 'token').count).toBeGreaterThan(60);
  const long = 'x'.repeat(100);
  expect(described(wordsDiffering(`${long}A${long}\n`, `${long}B${long}\n`, 'character'))).toEqual(['-A+B']);
});

const text = fc
  .array(fc.oneof(fc.constantFrom('a', 'b', 'c = 1', 'c = 2', '', 'x y z'), fc.string({ maxLength: 90 })), {
    maxLength: 6,
  })
  .map(lines => lines.join('\n'));

test('no delta is the passing text and all of them the failing one, at every level', () => {
  fc.assert(
    fc.property(text, text, (passing, failing) => {
      for (const differing of [
        linesDiffering(passing, failing),
        wordsDiffering(passing, failing, 'token'),
        wordsDiffering(passing, failing, 'character'),
      ]) {
        if (differing.count === 0) continue;
        expect(differing.build(empty)!.join('')).toBe(passing);
        expect(differing.build(all(differing.count))!.join('')).toBe(failing);
        for (let delta = 0; delta < differing.count; delta++)
          expect(differing.build(of([delta]))!.join('')).not.toBe(passing);
      }
    }),
    { numRuns: 200 },
  );
});

test('a difference is named by file and line, with what is around it, and a long line by its columns', () => {
  const side = (content: string) => ({
    files: new Map([['a.txt', { kind: 'file' as const, bytes: Buffer.from(content) }]]),
  });
  expect(describeDifference({ passing: side('a\nb\nc\n'), failing: side('a\nB\nc\n') })).toEqual([
    'a.txt:2',
    '   a',
    '  -b',
    '  +B',
    '   c',
  ]);
  const [before, after] = ['x'.repeat(200), 'y'.repeat(200)];
  const long = describeDifference({ passing: side(`${before}1${after}`), failing: side(`${before}2${after}`) });
  expect(long.slice(0, 2)).toEqual(['a.txt:1', '  at column 201:']);
});
