import { expect, test } from 'vitest';
import { structureOf } from '../../../src/reductions/tree/index.js';
import { apply } from '../../../src/syntax/text-cut.js';

/** Without spaces that mean nothing. */
const closed = (text: string): string => text.replace(/\s*([{}();=])\s*/g, '$1');

/** The text without anything that has no effect. */
async function without(text: string, file = 'a.c'): Promise<string> {
  const { effectless } = await structureOf(file);
  const spans = (await effectless.edits(text)).flatMap(edit => edit.spans).sort((a, b) => a.start - b.start);
  return closed(apply(text, { spans, label: '' }));
}

test('a branch whose condition is a number is decided', async () => {
  expect(await without('void f(void) { if (0) a(); if (1) b(); else c(); if ((0)) { d(); } else { e(); } }')).toBe(
    closed('void f(void) { b(); { e(); } }'),
  );
  expect(await without('int f(int x) { while (0) a(); for (x = g(); 0; x++) b(); return 0 ? x : h(x); }')).toBe(
    closed('int f(int x) { x = g(); return h(x); }'),
  );
  expect(await without('void f(int x) { if (x) ; if (x) {} else {} if (g()) ; for (;;) if (0) a(); }')).toBe(
    closed('void f(int x) { if (g()) ; for (;;) ; }'),
  );
});

test('in a condition, a number beside `&&` or `||` decides, or adds nothing', async () => {
  expect(await without('void f(int x) { if (1 && x) a(); while ((0 || x)) b(); if (x && 1) c(); }')).toBe(
    closed('void f(int x) { if (x) a(); while ((x)) b(); if (x && 1) c(); }'),
  );
  const value = 'int f(int x) { return 1 && x; }';
  expect(await without(value)).toBe(closed(value));
});

test('a variable that nothing reads goes with what is stored in it, and with what only that mentions', async () => {
  expect(await without('void f(void) { int a = 1; int *b = &a; int c[2]; c[0] = a; b = 0; c[1]++; g(); }')).toBe(
    closed('void f(void) { g(); }'),
  );
  expect(await without('static int a = 3; static int b; void f(void) { a = 4; b = 5; g(b); }')).toBe(
    closed('static int b; void f(void) { b = 5; g(b); }'),
  );
});

test('a call of a function that stores only in its own variables changes nothing', async () => {
  const own = 'static int f(int a) { int b[2]; b[0] = a++; return b[0] + strlen("a"); }';
  expect(await without(`${own} void g(void) { int c = f(2); if (f(3)) ; h(); }`)).toBe(
    closed(`${own} void g(void) { h(); }`),
  );
  for (const other of [
    'int f(int *a) { return a[0] = 1; }',
    'int f(int a) { static int n; return n += a; }',
    'int f(int a) { return k(a); }',
  ]) {
    const text = `${other} void g(void) { int c = f(2); if (f(3)) ; }`;
    expect(await without(text)).toBe(closed(text));
  }
});

test('what may change something stays', async () => {
  for (const text of [
    'void f(void) { int a = g(); int b; b = g(); a->b = 1; }',
    'int g(int); void f(int *a) { *a = 1; a[0] = 2; g(1); }',
    'void f(int x) { switch (x) { case 1: h(); } if (x) g(); while (1) h(); }',
  ])
    expect(await without(text)).toBe(closed(text));
  // A destructor, or an operator, may do anything.
  const other = 'void f() { A a; if (0) g(); }';
  expect(await without(other, 'a.cpp')).toBe(closed(other));
});
