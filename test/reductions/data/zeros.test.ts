import fc from 'fast-check';
import { expect, test } from 'vitest';
import { all, minus, of } from '../../../src/core/index.js';
import { textOf } from '../../../src/core/trace.js';
import { zeros } from '../../../src/reductions/data/zeros.js';
import { withoutEach } from '../without-each.js';

test('each byte that is not zero becomes one, and all others stay in their places', () => {
  expect(withoutEach(zeros('a\0\xff'))).toEqual(['\0\0\xff', 'a\0\0']);
});

test('a letter of UTF-8 becomes as many zeros as it has bytes', () => {
  expect(withoutEach(zeros('a€\0'))).toEqual(['\0€\0', 'a\0\0\0\0']);
});

test('zeros alone offer nothing', () => {
  expect(zeros('\0\0')).toBeUndefined();
});

test('any of them together are zeros exactly there, as their trace says', () => {
  const data = fc.array(fc.constantFrom('\0', 'a', '\xfe'), { minLength: 1, maxLength: 20 }).map(all => all.join(''));
  fc.assert(
    fc.property(data, fc.uniqueArray(fc.nat(19)), (text, some) => {
      const circumstance = zeros(text);
      if (!circumstance) return;
      const places = [...text].flatMap((letter, i) => (letter === '\0' ? [] : [i]));
      const gone = some.filter(delta => delta < circumstance.count).sort((a, b) => a - b);
      const kept = minus(all(circumstance.count), of(gone));
      const expected = [...text].map((letter, i) => (gone.includes(places.indexOf(i)) ? '\0' : letter)).join('');
      expect(circumstance.build(kept)).toBe(expected);
      expect(textOf(circumstance.trace!(kept) as never, text)).toBe(expected);
    }),
  );
});

test('a large file has as many as it has bytes, without an object for each', () => {
  expect(zeros('a\0'.repeat(8_000_000))!.count).toBe(8_000_000);
});
