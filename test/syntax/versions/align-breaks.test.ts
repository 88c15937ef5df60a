/** Line breaks that a minifier moved are no differences. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alignBreaks } from '../../../src/syntax/versions/align-breaks.js';

test('what both have is broken where the new text breaks it', () => {
  expect(alignBreaks('f(1,2);g(3);\nh(4);i(5);\n', 'e(0);f(1,\n2);g(3);h(4);\ni(5);\n')).toBe(
    'f(1,\n2);g(3);h(4);\ni(5);\n',
  );
});

test('a break that may end a statement, or separates two words, stays', () => {
  expect(alignBreaks('a=b\nc=d;else\nreturn', 'a=b;c=d;else return')).toBe('a=b\nc=d;else\nreturn');
});

test('nothing but line breaks is changed, and new ones are only after a sign that leaves a statement open or ends it', () => {
  const text = fc.array(fc.constantFrom('a', 'b', ' ', ',', ';', '{', '}', '(', ')', '=', '\n'), { maxLength: 30 });
  const withoutBreaks = (each: string) => each.replaceAll('\n', '');
  fc.assert(
    fc.property(text, text, (old, now) => {
      const [before, after] = [old.join(''), now.join('')];
      const aligned = alignBreaks(before, after);
      expect(withoutBreaks(aligned)).toBe(withoutBreaks(before));
      // Every break of the result was there before, or is at such a sign.
      const places = (each: string) =>
        [...each.matchAll(/\n/g)].map(({ index }) => withoutBreaks(each.slice(0, index)));
      const known = new Set(places(before));
      for (const place of places(aligned)) expect(known.has(place) || /[,;{]$/.test(place)).toBe(true);
    }),
    { numRuns: 200 },
  );
});
