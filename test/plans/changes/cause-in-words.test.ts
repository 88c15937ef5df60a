import { expect, test } from 'vitest';
import { largeCause, largeRevert } from '../../../src/plans/changes/answer/cause-in-words.js';
import type { Culprit } from '../../../src/plans/changes/answer/culprits.js';
import type { Outcomes } from '../../../src/plans/changes/search.js';

const patchOf = (lines: number, files = 1): Uint8Array =>
  Buffer.from(
    Array.from({ length: files }, (_, at) => {
      const name = `lib/${at}.js`;
      const code = Array.from({ length: lines / files }, (__, line) => `+line ${line}`);
      return [`diff --git a/${name} b/${name}`, `--- a/${name}`, `+++ b/${name}`, '@@ -1,0 +1,9 @@', ...code, ''].join(
        '\n',
      );
    }).join(''),
  );

const found = (minimal: readonly string[], minimalRevert: readonly string[]) =>
  ({ blamed: { minimal, minimalRevert } }) as unknown as Outcomes;

const culprit = (lines: number): Culprit => ({
  cause: 1,
  role: 'cause',
  file: 'lib/0.js',
  lines: { new: [1, lines] },
  change: `lib/0.js -1,0 +1,${lines}`,
  code: Array.from({ length: lines }, () => '+x').join('\n'),
  excerpt: '',
  patch: '',
});

test('a cause that was not narrowed is one line beside a small revert that is proven', () => {
  const patches = { causes: [patchOf(4_000, 20)], revert: patchOf(3) };
  expect(largeCause(found([], ['line']), [culprit(3)], patches)).toBe(
    'the cause could not be narrowed: 4,000 lines in 20 files, see culprit.patch',
  );
  // Without a proven revert, the cause is what there is to look at.
  expect(largeCause(found([], []), [culprit(3)], patches)).toBeUndefined();
});

test('a small cause is shown, and a large one if the revert is no smaller', () => {
  expect(largeCause(found([], ['line']), [culprit(3)], { causes: [patchOf(3)], revert: patchOf(2) })).toBeUndefined();
  const both = { causes: [patchOf(100)], revert: patchOf(90) };
  expect(largeCause(found([], ['line']), [culprit(100)], both)).toBeUndefined();
});

test('of a proven cause only its own lines count, and not what it needs besides', () => {
  const patches = { causes: [patchOf(100)], revert: patchOf(2) };
  expect(largeCause(found(['line'], ['line']), [culprit(8)], patches)).toBeUndefined();
  expect(largeCause(found(['line'], ['line']), [culprit(60)], patches)).toBe(
    'the cause is large: 60 lines in 1 file, see culprit.patch',
  );
});

test('a few long lines of a minified file can be read no better than many lines', () => {
  const code = Array.from({ length: 100 }, () => `+${'x'.repeat(500)}`);
  const patch = Buffer.from(['diff --git a/a.js b/a.js', '--- a/a.js', '+++ b/a.js', ...code, ''].join('\n'));
  const patches = { causes: [patch], revert: patch };
  expect(largeRevert(found([], []), patches)).toBe('no small revert is known: 100 lines in 1 file, see revert.patch');
  expect(largeCause(found([], []), [culprit(100)], patches)).toBe(
    'the cause could not be narrowed: 100 lines in 1 file, see culprit.patch',
  );
  // A proven revert is a few tokens of such lines.
  expect(largeRevert(found([], ['token']), patches)).toBeUndefined();
});

test('a large revert of which nothing is proven is one line, and any other revert is shown', () => {
  const patches = (lines: number) => ({ causes: [patchOf(3)], revert: patchOf(lines, 4) });
  expect(largeRevert(found([], []), patches(12_000))).toBe(
    'no small revert is known: 12,000 lines in 4 files, see revert.patch',
  );
  expect(largeRevert(found([], ['line']), patches(12_000))).toBeUndefined();
  expect(largeRevert(found([], []), patches(40))).toBeUndefined();
});
