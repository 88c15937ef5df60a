import { expect, test } from 'vitest';
import { structureOf } from '../../../src/reductions/tree/index.js';
import { apply } from '../../../src/syntax/text-cut.js';

/** The text after each edit of a pass, in order. */
async function after(pass: 'bodies' | 'end', file: string, text: string): Promise<readonly string[]> {
  const structure = await structureOf(file);
  return (await structure[pass].edits(text)).map(edit => apply(text, edit));
}

test('a body is emptied and its head stays, in every style of block', async () => {
  expect(await after('bodies', 'a.c', 'int f(int a) { return a; }')).toEqual(['int f(int a) {return 0;}']);
  expect(await after('bodies', 'a.py', 'def f(a):\n    b = a\n    return b\n')).toEqual(['def f(a):\n    pass\n']);
  expect(await after('bodies', 'a.rb', 'def f(a)\n  g a\nend\n')).toEqual(['def f(a)\nend\n']);
  expect(await after('bodies', 'a.js', 'let f = () => { g(); };')).toEqual(['let f = () => {};']);
});

test('a function of TypeScript whose type names a value does not end without one', async () => {
  const text =
    'class a { b(): number { return this.c; } get c(): string | void { return f(1); } d(): Promise<void> { return f(2); } e() { return f(3); } }';
  expect(await after('bodies', 'a.ts', text)).toEqual([
    text.replace('{ return this.c; }', '{throw 0}'),
    text.replace('{ return f(1); }', '{throw 0}'),
    text.replace(' return f(2); ', ''),
    text.replace(' return f(3); ', ''),
  ]);
  expect(
    await after('bodies', 'a.ts', 'function f(): number {throw 0}\nfunction* g(): Generator<number> { yield 1; }'),
  ).toEqual([
    'function f(): number {}\nfunction* g(): Generator<number> { yield 1; }',
    'function f(): number {throw 0}\nfunction* g(): Generator<number> {}',
  ]);
});

test('parentheses around a value are not the brackets of a body', async () => {
  expect(await after('bodies', 'a.js', 'f(() => (a = b), () => ({ a: 1 }), () => { g() })')).toEqual([
    'f(() => (a = b), () => ({ a: 1 }), () => {})',
  ]);
});

test('a body comes after the bodies inside it, and an empty one is left out', async () => {
  const text = 'function f() { function g() { h(); } }\nfunction i() {}\n';
  expect(await after('bodies', 'a.js', text)).toEqual([
    'function f() { function g() {} }\nfunction i() {}\n',
    'function f() {}\nfunction i() {}\n',
  ]);
});

test('no node at a depth is the body of a function alone: its head would be an error', async () => {
  const labels = async (file: string, text: string) => {
    const structure = await structureOf(file);
    return (await structure.band(0, 9).edits(text)).map(edit => apply(text, edit));
  };
  const python = await labels('a.py', 'def f():\n    g()\n    h()\nf()\n');
  expect(python).not.toContain('def f():\nf()\n');
  expect(python).toContain('def f():\n    g()\nf()\n');
  const cpp = await labels('a.cc', 'int f() { g(); h(); }\nint i;\n');
  expect(cpp).not.toContain('int f()\nint i;\n');
  expect(cpp).toContain('int i;\n');
});

test('the end of a page is its last script, and nothing of its markup', async () => {
  const page = `<p>${'text '.repeat(400)}</p><script>f(1);g(2)</script><i>last</i>`;
  const found = await after('end', 'a.html', page);
  expect(found).toContain(page.replace('g(2)', ''));
  expect(found.every(text => text.includes('<i>last</i>'))).toBe(true);
});

test('a page without a script has no end', async () => {
  expect(await after('end', 'a.html', `<p>${'text '.repeat(400)}</p>`)).toEqual([]);
});

test('lines that the preprocessor leaves do not break a declaration, and are removed together', async () => {
  const text = '# 1 "a.c"\nint a(\n# 7 "b.h" 3\n  int b, int c) { return b; }\nint d;\n';
  const structure = await structureOf('a.c');
  expect(await after('bodies', 'a.c', text)).toEqual([text.replace(' return b; ', 'return 0;')]);
  const marks = structure.first.find(({ name }) => name === 'dialect')!;
  const spans = (await marks.edits(text)).flatMap(edit => edit.spans);
  expect(apply(text, { spans })).toBe('int a(\n  int b, int c) { return b; }\nint d;\n');
});
