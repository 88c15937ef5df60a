import { expect, test } from 'vitest';
import { definitionCounts } from '../../src/syntax/definition-counts.js';
import { languageOf } from '../../src/syntax/languages/index.js';
import { hostTree, syntaxOf } from '../../src/syntax/syntax.js';

async function countsIn(path: string, text: string) {
  return Object.fromEntries(definitionCounts(hostTree(text, await syntaxOf(languageOf(path)!))!));
}

test('functions and classes are counted by name and place', async () => {
  expect(
    await countsIn('a.py', 'def f(): pass\nclass A:\n  def f(self): pass\n  def g(self): pass\ndef f(a): pass\n'),
  ).toEqual({
    ' f': 2,
    ' A': 1,
    ' A f': 1,
    ' A g': 1,
  });
  expect(await countsIn('a.js', 'function f() { function g() {} }\nf(() => 1);\n')).toEqual({ ' f': 1, ' f g': 1 });
});

test('in C, overloads have different parameters', async () => {
  expect(await countsIn('a.cpp', 'int f(int a) { return a; }\nint f(char a) { return a; }\n')).toEqual({
    ' f(int a)': 1,
    ' f(char a)': 1,
  });
});
