import { expect, test } from 'vitest';
import { pairs } from '../../../src/reductions/text/pairs.js';
import { withoutEach as each } from '../without-each.js';

test('a bracket goes with the one that closes it, and words do not become one', () => {
  expect(each(pairs('if(a){b[0]}', false))).toEqual(['if a{b[0]}', 'if(a){b 0}', 'if(a)b[0]']);
});

test('only empty pairs, where that is asked for', () => {
  expect(each(pairs('f() { g(1) }', true))).toEqual(['f { g(1) }']);
});

test('what is not closed, or closed by another sign, is left alone, and so is a long text', () => {
  expect(pairs('(]', false)).toBeUndefined();
  expect(pairs('('.repeat(10_000), false)).toBeUndefined();
});

test('quotes go together, and leave a blank if words would become one', () => {
  expect(each(pairs(`a="x y"b='c'`, true))).toEqual([`a=x y b='c'`, `a="x y"b=c`]);
});
