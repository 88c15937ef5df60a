import { expect, test } from 'vitest';
import { structureOf } from '../../../src/reductions/tree/index.js';
import { apply } from '../../../src/syntax/text-cut.js';

/** The text without the parts between «» (they did not run), as far as they are left out. */
async function without(file: string, marked: string, isByLine = false): Promise<string> {
  const ranges: number[] = [];
  let text = '';
  for (const part of marked.split(/([«»])/)) {
    if (part === '«' || part === '»') ranges.push(text.length);
    else text += part;
  }
  const { unexecuted } = await structureOf(file);
  const edits = await unexecuted({ ranges, isByLine }).edits(text);
  return apply(text, { spans: edits.flatMap(edit => edit.spans) });
}

test('a function that was not called keeps its head, because something may name it', async () => {
  expect(await without('a.js', 'f(); «function g(a) { h(a); }» exports.g = g;')).toBe(
    'f(); function g(a) {} exports.g = g;',
  );
  expect(await without('a.js', 'class A { «get a() { return 1; }» b() { return 2; } }')).toBe(
    'class A { get a() {} b() { return 2; } }',
  );
});

test('a function that is one expression returns the smallest value if it was not called', async () => {
  expect(await without('a.js', 'f(«() => (a = b)», «({ c }) => ({ c })», «d => d.e(d)», «() => 0», «() => {}»)')).toBe(
    'f(() => 0, ({ c }) => 0, d => 0, () => 0, () => {})',
  );
  expect(await without('a.js', 'f(() => («a => { b(a); }»))')).toBe('f(() => (a => {}))');
  expect(await without('a.py', 'f(\n«    lambda a: g(a)\n»)\n', true)).toBe('f(\n    lambda a: 0\n)\n');
});

test('what is not reached goes: statements, the other side of a branch, a case', async () => {
  expect(await without('a.js', 'function f() { return 1; «g(); h();» }')).toBe('function f() { return 1; }');
  expect(await without('a.js', 'if (a) «{ b(); }» c();')).toBe('if (a) {} c();');
  expect(await without('a.js', 'if (a) { b(); }« else { c(); }»')).toBe('if (a) { b(); }');
  expect(await without('a.js', 'switch (a) { case 1: b(); «case 2: c();» }')).toBe('switch (a) { case 1: b(); }');
});

test('no head is left without what it needs', async () => {
  expect(await without('a.js', 'try { a(); } «catch (e) { b(); }» c();')).toBe('try { a(); } catch (e) {} c();');
  expect(await without('a.js', 'if (a) «b();»\nfunction c() {}')).toBe('if (a) b();\nfunction c() {}');
});

test('by lines, only whole blocks count: the lines of one statement have no steps of their own', async () => {
  const table = "a = {\n«    'b': [1],\n    'c': [2],\n»}\n";
  expect(await without('a.py', table, true)).toBe(table.replace(/[«»]/g, ''));
  expect(await without('a.py', 'def f(a):\n«    b = a\n    return b\n»f\n', true)).toBe('def f(a):\n    pass\nf\n');
  expect(await without('a.py', 'if a:\n«    b(1, 2)\n»else:\n    c()\n', true)).toBe(
    'if a:\n    pass\nelse:\n    c()\n',
  );
});

/** The text without its members that are empty functions. */
async function withoutMembers(file: string, text: string): Promise<string> {
  const { emptyMembers } = await structureOf(file);
  return apply(text, { spans: (await emptyMembers().edits(text)).flatMap(edit => edit.spans) });
}

test('members that are empty functions go, and variables stay', async () => {
  expect(await withoutMembers('a.js', 'A.prototype.b = function (c) {};\nA.d = 1;\n')).toBe('A.d = 1;\n');
  expect(await withoutMembers('a.js', 'class A { b() {} c() { d(); } }')).toBe('class A { c() { d(); } }');
  expect(await withoutMembers('a.js', 'x = { a: function () {}, b: 1 };')).toBe('x = { b: 1 };');
  const variables = 'function a() {}\nlet b = () => {};\nc(function () {});\n';
  expect(await withoutMembers('a.js', variables)).toBe(variables);
});

test('the names of empty members are those of the functions, properties and keys', async () => {
  const { emptyMemberNames } = await structureOf('a.js');
  const text =
    'A.prototype.b = function (c) {};\nclass B { d() {} "e f"() {} }\nx = { g: () => {}, h: 1 };\nlet i = () => {};';
  expect(await emptyMemberNames(text)).toEqual(['b', 'd', 'f', 'g']);
});

test('a class keeps a body where the language needs one, and a member that the class itself mentions', async () => {
  expect(
    await withoutMembers('a.py', 'class A:\n    def b(self):\n        pass\n    def c(self):\n        pass\n'),
  ).toBe('class A:\n    def c(self):\n        pass\n');
  const mentioned = 'class A:\n    def b(self):\n        pass\n    c = b\n';
  expect(await withoutMembers('a.py', mentioned)).toBe(mentioned);
});

test('C: a function that must return something still does, and a branch without brackets is an empty statement', async () => {
  expect(await without('a.c', 'int f(int a);\n«int g(int a) { a++; return f(a); }»\n«void h(void) { f(1); }»')).toBe(
    'int f(int a);\nint g(int a) {return 0;}\nvoid h(void) {}',
  );
  expect(await without('a.c', '«void *g(int a) { return f(a, 1, 2); }»')).toBe('void *g(int a) {return 0;}');
  expect(await without('a.c', 'typedef struct s {int a;} t;«t g(int a) { t b = {a}; return b; }»')).toBe(
    'typedef struct s {int a;} t;t g(int a) {static t a;return a;}',
  );
  expect(await without('a.c', '«unknown g(int a) { return f(a, 1, 2); }»')).toBe('unknown g(int a) {for(;;);}');
  expect(await without('a.cpp', '«int g(int a) { return f(a, 1, 2); }»')).toBe('int g(int a) {for(;;);}');
  // Compilers warn about an end without it.
  const last = 'int f(int a) { for (;;) if (a) return 1; «return 2;» }';
  expect(await without('a.c', last)).toBe(last.replace(/[«»]/g, ''));
  expect(
    await without(
      'a.c',
      'int f(int a) { switch (a) { case 1: return 3; «case 2: return 4;» «default: b(); return 5;» } }',
    ),
  ).toBe('int f(int a) { switch (a) { case 1: return 3; default: return 5; } }');
  expect(await without('a.c', 'int f(int a) { for (;;) if (a) { g(); } «else { h(); return 5; }» }')).toBe(
    'int f(int a) { for (;;) if (a) { g(); } else { return 5; } }',
  );
  expect(await without('a.c', 'void f(int a) { if (a) «goto end;» b(); «end: c();» }')).toBe(
    'void f(int a) { if (a) ; b(); }',
  );
  expect(
    await without(
      'a.c',
      'void f(int a) { if (a) b(); «else c();» switch (a) { «case 1: d(); break;» default: e(); } }',
    ),
  ).toBe('void f(int a) { if (a) b(); switch (a) { default: e(); } }');
});

test('C++: with the last return stay the variables that it names, and a loop over a range goes as a whole', async () => {
  const text = 'int f() { g(); «int a = h(); int b = a; int c = 1; for (auto d : e) { int b; i(d); }» «return b;» }';
  expect(await without('a.cpp', text)).toBe('int f() { g(); int a = h(); int b = a; return b; }');
});
