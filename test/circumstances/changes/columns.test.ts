import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutLine, mixLine } from '../../../src/circumstances/changes/columns.js';

/** Nested calls and blocks on one line. */
const { code } = fc.letrec<{ code: string; item: string }>(tie => ({
  item: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('a', 'b', 'cc', '1', 'a=b', '\xc3\xa9'),
    fc.tuple(fc.constantFrom('f(', 'g[', 'if(x){', '{'), tie('code')).map(([open, inside]) => {
      const close = { '(': ')', '[': ']', '{': '}' }[open.at(-1)!]!;
      return open + inside + close;
    }),
  ),
  code: fc.array(tie('item'), { maxLength: 6 }).map(items => items.join(';')),
}));

const isBalanced = (text: string): boolean => {
  const open: string[] = [];
  for (const sign of text) {
    if ('([{'.includes(sign)) open.push(sign);
    else if (')]}'.includes(sign) && open.pop() !== { ')': '(', ']': '[', '}': '{' }[sign]) return false;
  }
  return open.length === 0;
};

test('none of the edits is the old line, all of them are the new one, byte for byte', () => {
  fc.assert(
    fc.property(code, code, (old, now) => {
      const { edits } = cutLine(old, now);
      expect(mixLine(old, now, [])).toBe(old);
      expect(mixLine(old, now, edits)).toBe(now);
    }),
    { numRuns: 200 },
  );
});

test('edits that are applied together leave as many brackets open as they close', () => {
  fc.assert(
    fc.property(code, code, fc.infiniteStream(fc.boolean()), (old, now, chosen) => {
      const { edits, firstOf } = cutLine(old, now);
      const isChosen = new Map([...new Set(firstOf)].map(first => [first, chosen.next().value]));
      const mixed = mixLine(
        old,
        now,
        edits.filter((_, i) => isChosen.get(firstOf[i]!)),
      );
      const net = (text: string, open: string, close: string) => text.split(open).length - text.split(close).length;
      for (const [open, close] of ['()', '[]', '{}'] as unknown as readonly [string, string][])
        expect(net(mixed, open, close)).toBe(0);
      expect(isBalanced(old)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('names that a minifier gave to the variables of one function are one edit, and another change in it is another one', () => {
  const fill = Array.from({ length: 80 }, (_, i) => `function h${i}(){return ${i}}`).join('');
  const other = fill.replaceAll('return', 'return 1+');
  const { edits, firstOf } = cutLine(
    `${fill}function f(e,t){return e(t)+t(e)+5}`,
    `${other}function f(n,r){return n(r)+r(n)+6}`,
  );
  const inside = firstOf.slice(80);
  expect(edits.length).toBeGreaterThan(82);
  expect(new Set(inside.slice(0, -1)).size).toBe(1);
  expect(inside.at(-1)).not.toBe(inside[0]);
});
