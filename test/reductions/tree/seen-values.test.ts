import { expect, test } from 'vitest';
import { structureOf, type ValuesOf } from '../../../src/reductions/tree/index.js';
import { apply } from '../../../src/syntax/text-cut.js';

/** The texts with one edit each, the first one that is tried first. */
async function with1(
  file: string,
  text: string,
  seen: Readonly<Record<string, string>>,
  whole?: number,
  which: ValuesOf = 'others',
) {
  const values = Object.entries(seen).map(([part, literal]) => {
    const start = text.indexOf(part);
    return [start, start + part.length, literal] as const;
  });
  const structure = await structureOf(file);
  const edits = await structure.seenValues(values, which).edits(text, whole);
  return edits.map(edit => apply(text, edit)).reverse();
}

test('an expression becomes its value: the whole first, then its parts', async () => {
  const text = 'x = compute(first.length) + 10;';
  expect(await with1('a.js', text, { 'compute(first.length) + 10': '12', 'first.length': '-3' })).toEqual([
    'x = 12;',
    'x = compute((-3)) + 10;',
  ]);
});

test('a value stays one: brackets where it would bind differently, and nothing that is not shorter', async () => {
  expect(await with1('a.js', 'f(value.size.toFixed());', { 'value.size': '5' })).toEqual(['f((5).toFixed());']);
  expect(await with1('a.js', 'x = a.b;', { 'a.b': '"longer"' })).toEqual([]);
  expect(await with1('a.py', 'x = name.size\n', { 'name.size': 'None' })).toEqual(['x = None\n']);
});

test('in a large program, only what calls something is worth a question', async () => {
  const text = 'x = compute(first.length);';
  const seen = { 'compute(first.length)': '1', 'first.length': '2' };
  expect(await with1('a.js', text, seen, 200_000)).toEqual(['x = 1;']);
});

test('a large program by itself: at its end, whatever has a value is worth a question', async () => {
  const text = `first = head.length;\n${'x = y;\n'.repeat(20_000)}last = tail.length;\n`;
  const seen = { 'head.length': '1', 'tail.length': '2' };
  expect(await with1('a.js', text, seen)).toEqual([text.replace('tail.length', '2')]);
});

test('C: what changes nothing is one question at any size; what may change something is asked about when the program is small', async () => {
  const text = 'int f(int a) { return a + 1; } int g(int *a) { return *a = 1; } int h(int x) { return f(x) + g(&x); }';
  const seen = { 'f(x) + g(&x)': '5', 'f(x)': '4', 'g(&x)': '1' };
  const pure = text.replace('f(x)', '4');
  expect(await with1('a.c', text, seen, 200_000, 'pure expressions')).toEqual([pure]);
  expect(await with1('a.c', text, seen, 200_000)).toEqual([]);
  expect(await with1('a.c', text, seen)).toEqual([text.replace('f(x) + g(&x)', '5'), text.replace(' g(&x)', ' 1')]);
});
