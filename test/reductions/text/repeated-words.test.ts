import { expect, test } from 'vitest';
import { all, type Circumstance, minus, of } from '../../../src/core/index.js';
import { hasRepeatedWords, repeatedWords } from '../../../src/reductions/text/repeated-words.js';

const each = (circumstance: Circumstance<string> | undefined): readonly (string | undefined)[] =>
  Array.from({ length: circumstance?.count ?? 0 }, (_, delta) =>
    circumstance!.build(minus(all(circumstance!.count), of([delta]))),
  );

test('a word that stands at several places gets a letter that the text does not have, at all of them', () => {
  expect(each(repeatedWords('loop: a b\njmp loop'))).toEqual(['c: a b\njmp c']);
});

test('a quoted text keeps its quotes, and a name with dots goes as one', () => {
  const found = each(repeatedWords(`<t name="x.first"/><u call="x.first"/>`));
  expect(found).toContain(`<t name="b"/><u call="b"/>`);
  expect(found.some(text => /^<t name="(\w)"\/><u call="\1"\/>$/.test(text!))).toBe(true);
});

test('a prefix goes where it is declared and where it is used', () => {
  expect(each(repeatedWords('<xs:a xmlns:xs="u"/>'))).toContain('<a xmlns="u"/>');
});

test('where nothing comes twice, or too many words stand, nothing is offered', () => {
  expect(repeatedWords('one two three')).toBeUndefined();
  expect(repeatedWords('word '.repeat(1000))).toBeUndefined();
});

test('random letters are distinguished from words of a language', () => {
  expect(hasRepeatedWords(`)W?FP$KLmK $epG<2m'}G'X.Dc32ysD,Ic&s&X>J`)).toBe(false);
  expect(hasRepeatedWords('set total 0\nadd total 1')).toBe(true);
});
