import { expect, test } from 'vitest';
import { bodies } from '../../src/reductions/tree/bodies.js';
import { languageNamed } from '../../src/syntax/languages/index.js';
import { removals } from '../../src/syntax/removals.js';
import { syntaxOf } from '../../src/syntax/syntax.js';
import { unitsOf } from '../../src/syntax/units/units.js';

const text = `use a::B;

/// A pair.
#[derive(Clone, Debug)]
#[repr(C)]
pub struct P<T>(T);

#[cfg(test)]
mod tests;

fn f() {}
`;

test('an attribute of Rust goes with the declaration that it is about, and alone', async () => {
  const syntax = await syntaxOf(languageNamed('rust')!);
  const tree = await syntax.tree(text);
  const removed = removals(tree).map(({ start, end }) => text.slice(start, end));
  expect(removed).toContain('#[derive(Clone, Debug)]\n#[repr(C)]\npub struct P<T>(T);');
  expect(removed).toContain('#[cfg(test)]\nmod tests;');
  expect(removed).toContain('#[repr(C)]');
  expect(removed).toContain('fn f() {}');
});

test('an attribute is no declaration by itself, and declares nothing', async () => {
  const syntax = await syntaxOf(languageNamed('rust')!);
  const units = await unitsOf(await syntax.bareTree(text), Number.POSITIVE_INFINITY);
  const [, , pair, tests] = units;
  expect(units).toHaveLength(5);
  expect(text.slice(pair!.from, pair!.end)).toMatch(/^\/\/\/ A pair\.\n#\[derive[\s\S]*\(T\);$/);
  expect(text.slice(tests!.from, tests!.end)).toBe('#[cfg(test)]\nmod tests;');
  expect(units.flatMap(({ declares }) => declares)).not.toContain('Clone');
});

test('methods of a class that is taken apart are mentioned after a dot', async () => {
  const java =
    'class A {\n  int used() { return 1; }\n  int other() { return 2; }\n  int f(A a) { return a.used(); }\n}\n';
  const syntax = await syntaxOf(languageNamed('java')!);
  const units = await unitsOf(await syntax.bareTree(java), 20);
  const caller = units.find(({ start }) => java.startsWith('int f', start));
  expect(caller!.mentions).toContain('used');
  expect(caller!.mentions).not.toContain('other');
});

test.each([
  ['rust', 'fn f(a: u8) -> u8 { a + 1 }\nfn g() { h() }\n', ['{todo!()}', '']],
  ['java', 'class A {\n  int f() { return 1; }\n  void g() { h(); }\n}\n', ['{throw null;}', '']],
  ['go', 'package p\nfunc f() int { return 1 }\nfunc g() { h() }\n', ['{panic(0)}', '']],
])('%s: what is left of a function that must return something has no value', async (name, source, expected) => {
  const edits = await bodies(await syntaxOf(languageNamed(name)!)).edits(source);
  expect(edits.map(({ spans: [span] }) => span!.text)).toEqual(expected);
});
