import { expect, test } from 'vitest';
import { empty } from '../../../src/core/index.js';
import { editing } from '../../../src/reductions/edits.js';
import { structureOf, type UnusedKind } from '../../../src/reductions/tree/index.js';

/** The text without everything that nothing uses. */
async function used(
  file: string,
  text: string,
  elsewhere: readonly string[] = [],
  kind: UnusedKind = 'any',
): Promise<string> {
  const structure = await structureOf(file);
  const edits = await structure.unused(name => elsewhere.includes(name), kind).edits(text);
  return String(editing('unused', text, edits).build(empty)).replace(/\n+/g, '\n');
}

test('what nothing uses goes, and what only that used', async () => {
  const text =
    "const a = require('a');\nvar b = a.b, c = 1;\nfunction f() { return b; }\nfunction g() { f(); }\nh(c);\n";
  expect(await used('a.js', text)).toBe('var c = 1;\nh(c);\n');
});

test.each([
  ['a.js', 'var a, b = 2;\nf();\nvar c, d;\nf(d);\n', 'f();\nvar d;\nf(d);\n'],
  ['a.js', 'export const a = 1, b = 2;\nf();\n', 'f();\n'],
  ['a.py', 'from m import a, b\nfrom m import c, d\nd()\n', 'from m import d\nd()\n'],
  ['a.py', 'from m import (\n    a,\n    b,\n)\nf()\n', 'f()\n'],
])('a list of names that are all unused goes with its statement (%s)', async (file, text, left) => {
  expect(await used(file, text)).toBe(left);
});

test.each([
  [
    'a.js',
    'var a = /x/, b = register({});\nfunction f() { g(); }\nclass C extends mix(A) {}\nlet n = i++;\nlet t = new T();\nvar h = function () { g(); };\n',
    'var b = register({});\nclass C extends mix(A) {}\nlet n = i++;\nlet t = new T();\n',
  ],
  [
    'a.py',
    'import os\nx = 1\ny = make()\ndef f():\n    g()\n@route("/")\ndef h():\n    g()\n',
    'y = make()\n@route("/")\ndef h():\n    g()\n',
  ],
])('what only makes a name is told from what calls something (%s)', async (file, text, left) => {
  expect(await used(file, text, [], 'names')).toBe(left);
  expect(await used(file, text)).toBe('');
});

test('the scripts of a page share their names, and other words of the page are none of them', async () => {
  const text =
    '<p class="used">idle</p>\n<script>\nvar lib = 1, used = 2;\nfunction idle() {}\n</script>\n<style>.lib { top: 0 }</style>\n<script>\nalert(used)\n</script>\n<script>var own = 3</script>\n';
  const left = text.replace('lib = 1, ', '').replace('function idle() {}\n', '').replace('var own = 3', '');
  expect(await used('a.html', text)).toBe(left);
});

test('a function that calls only itself is not used', async () => {
  expect(await used('a.js', 'function f(n) { return f(n - 1); }\nlet x = 1;\ng(x);\n')).toBe('let x = 1;\ng(x);\n');
});

test('parameters, members, names of values and loop variables stay: something would shift, or be missed', async () => {
  const text =
    'x(function named(a, b) { return b; }, { member: 1 });\nfor (let i of y) z();\ntry { z(); } catch (e) {}\n';
  expect(await used('a.js', text)).toBe(text);
});

test('methods stay: who looks for them may only have their names as text', async () => {
  const text = 'class A:\n    def visit_x(self):\n        return 1\n\nprint(A())\n';
  expect(await used('a.py', text)).toBe(text.replace('\n\n', '\n'));
});

test('what another file may import stays', async () => {
  const text = 'import os\nLIMIT = 1\ndef f():\n    return 2\n';
  expect(await used('a.py', text, ['f', 'LIMIT'])).toBe('LIMIT = 1\ndef f():\n    return 2\n');
  expect(await used('a.py', text, ['LIMIT'])).toBe('LIMIT = 1\n');
  const module = 'export const shared = 1;\nconst own = 2;\n';
  expect(await used('a.mjs', module, ['shared'])).toBe('export const shared = 1;\n');
});

test('of `a as b`, only `b` is a name; a name that is also a text, or that Python reads, is asked about later', async () => {
  const text =
    "from m import one as two\ndef called():\n    return 1\ndef idle():\n    return 2\n__all__ = []\nprint(two, globals()['called'])\n";
  const left = text.replace('def idle():\n    return 2\n', '');
  expect(await used('a.py', text, [], 'names')).toBe(left);
  expect(await used('a.py', text)).toBe("from m import one as two\nprint(two, globals()['called'])\n");
});

test('files of a language without modules share their names', async () => {
  const text = '<?php\nfunction f() { return 1; }\nfunction g() { return 2; }\necho 3;\n';
  expect(await used('a.php', text, ['f'])).toBe(text.replace('function g() { return 2; }\n', ''));
  expect(await used('a.php', text)).toBe('<?php\necho 3;\n');
});

test('C: what main needs by name stays, with what has no name', async () => {
  const text =
    '#include <stdio.h>\ntypedef int (*compare)(int);\nstruct a { int b; };\nstruct c { struct a d; };\nint e(int);\nint e(int f) { return f; }\nstatic int g(struct a h) { return e(h.b); }\nint main(void) { return e(1); }\n';
  const main = '#include <stdio.h>\nint e(int);\nint e(int f) { return f; }\nint main(void) { return e(1); }\n';
  expect(await used('a.c', text)).toBe(main);
  expect(await used('a.c', text, ['g'])).toBe(
    text.replace('typedef int (*compare)(int);\n', '').replace('struct c { struct a d; };\n', ''),
  );
  // A library: nobody knows what is needed of it.
  expect(await used('a.c', text.replace('main', 'library'))).toBe(text.replace('main', 'library'));
});
