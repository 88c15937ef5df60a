import { expect, test } from 'vitest';
import { raritiesOf } from '../../../src/plans/changes/rewritten/systematic.js';

const renamed = ['usage', 'shim', 'options', 'strict'].map(name => ({
  text: `${name}.run();`,
  now: `this.${name}.run();`,
}));

test('what changed once is rarer than what changed everywhere', () => {
  const once = { text: 'done(found);', now: 'done(null, found);' };
  const rarities = raritiesOf([...renamed, once]);
  expect(Math.max(...rarities.slice(0, -1))).toBeLessThan(rarities.at(-1)!);
});

test('white space is no difference, and what does not differ says nothing', () => {
  expect(raritiesOf([{ text: 'f(a, b)', now: 'f( a,\n  b )' }])).toEqual([0]);
});

test('a change that is in no other place is as rare as it gets', () => {
  expect(
    raritiesOf([
      { text: 'a < 3', now: 'a <= 3' },
      { text: 'b = 1', now: 'b = 2' },
    ]),
  ).toEqual([1, 1]);
});

test('quotes say nothing', () => {
  const edits = [
    { now: 'code = code.strip("\\n")', text: "code = code.lstrip('\\n')" },
    { now: 'a("b")', text: "a('b')" },
    { now: 'a("c")', text: "a('c')" },
  ];
  expect(raritiesOf(edits)).toEqual([1, 0, 0]);
});
