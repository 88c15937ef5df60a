/** Statements of C that note when they are reached: where they are, and what did not run if they are not. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { structureOf } from '../../src/reductions/tree/index.js';
import { idleRanges, probesOf, probingOf, withProbes } from '../../src/syntax/probes.js';
import { inScratch } from '../circumstances/changes/folders.js';

async function readProbes(name: string, text: string) {
  const { syntax } = await structureOf(name);
  const tree = await syntax.bareTree(text);
  return { tree, probing: probingOf(tree)!, probes: await probesOf(tree) };
}

/** The text with P for a probe. */
async function probed(text: string, name = 'a.c'): Promise<string> {
  const { tree, probes } = await readProbes(name, text);
  return withProbes(tree, probes, 0).replace(/__culprit_ran\(\d+\);/g, 'P;');
}

test('each block, each statement that may not be reached, and each branch without brackets', async () => {
  expect(await probed('int f(int a) { int b = 1; if (a) return b; else g(); return 2; }')).toBe(
    'int f(int a) {P; int b = 1; if (a) {P;return b;} else {P;g();} P;return 2; }',
  );
  expect(await probed('void f(void) { for (;;) if (a) while (b) c(); d(); }')).toBe(
    'void f(void) {P; for (;;) {P;if (a) {P;while (b) {P;c();}}} P;d(); }',
  );
});

test('cases and labels: what jumps there is seen', async () => {
  expect(await probed('void f(int a) { switch (a) { case 1: case 2: b(); break; default: { c(); } } }')).toBe(
    'void f(int a) {P; switch (a) { case 1: case 2: P;b(); P;break; default: {P; c(); } } }',
  );
  expect(await probed('int f(int a) { if (a) goto end; b(); end: return 1; }')).toBe(
    'int f(int a) {P; if (a) {P;goto end;} P;b(); end: P;return 1; }',
  );
});

test('nothing where a call is not allowed or says nothing', async () => {
  for (const text of ['int a = 1; struct b { int c; };', 'constexpr int f(int a) { return a; }'])
    expect(await probed(text, 'a.cpp')).toBe(text);
  expect(await probed('void f(void) { a(); __attribute__((fallthrough)); ; }')).toBe(
    'void f(void) {P; a(); __attribute__((fallthrough)); ; }',
  );
  // The grammar does not know this statement.
  expect(await probed('void f(void **a) { b(); goto *a[c()]; d: e(); }')).toMatch(
    /^void f\(void \*\*a\) \{P; b\(\); goto \*a\[c\(\)\]; d: (P;)?e\(\); \}$/,
  );
  // It may be a namespace that the parser did not understand.
  expect(await probed('int f(void) { int g(void) { return 1; } return g(); }')).toBe(
    'int f(void) { int g(void) {P; return 1; } return g(); }',
  );
  // A line of the preprocessor stays a line.
  expect(await probed('void f(void) {\n  a();\n# 5 "a.h"\n  b();\n}\n')).toBe(
    'void f(void) {P;\n  a();\n# 5 "a.h"\n  P;b();\n}\n',
  );
});

test('where a program starts is known without a tree', async () => {
  const { probing } = await readProbes('a.c', '');
  const before =
    'int main(int argc, char **argv);\nint domain(void) { return 1; }\nint main(\n  int argc, char **argv)\n{';
  expect(probing.startIn(`${before} return domain(); }`)).toBe(before.length);
  expect(probing.startIn('int domain(void) { return main(1); }')).toBeUndefined();
});

const has = (program: string): boolean =>
  process.env.CI !== undefined || spawnSync(program, ['--version']).status === 0;

/** Compiles and runs a program, as it is and with probes: both outputs, and the text without what did not run. */
const run = (name: string, text: string, compiler: readonly string[], isAlone = true) =>
  inScratch(async root => {
    const { tree, probing, probes } = await readProbes(name, text);
    const [file, reached] = [join(root, name), join(root, 'reached')];
    const outputOf = (code: string): string => {
      writeFileSync(file, code);
      writeFileSync(reached, '');
      const [program, ...flags] = compiler as [string, ...string[]];
      const made = spawnSync(program, [...flags, name, '-o', 'a'], { cwd: root, encoding: 'utf8' });
      expect(made.stderr).toBe('');
      const env = { ...process.env, CULPRIT_RAN: reached };
      const { status, signal, stdout, stderr } = spawnSync('./a', [], { cwd: root, env, encoding: 'utf8' });
      return `${stdout}${stderr}${status ?? signal}`;
    };
    const plain = outputOf(text);
    const watched = outputOf(probing.withPrelude(withProbes(tree, probes, 0), probes.length, isAlone));
    const numbers = new Set(readFileSync(reached, 'latin1').split('\n').slice(0, -1).map(Number));
    const ranges = idleRanges(probes, i => numbers.has(i));
    const idle = Array.from({ length: ranges.length / 2 }, (_, i) => text.slice(ranges[2 * i], ranges[2 * i + 1]));
    return { plain, watched, idle };
  });

const program = `#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static int unused(int a) { return a + 1; }
static int f(int a) {
  if (a > 1) return 1;
  else if (a < 0) puts("negative");
  switch (a) {
    case 0: return 5;
    case 1: puts("one");
    default: break;
  }
  for (int i = 0; i < a; i++) { if (i == 7) { puts("seven"); } }
  return ({ int b = a; b; });
}
int main(int argc, char **argv) {
  printf("%d %d\\n", f(1), __LINE__);
  fflush(stdout);
  if (argc > 5) goto end;
  if (f(2)) assert(argc == 9);
  puts("never");
end:
  return unused(1);
}
`;

test.skipIf(!has('gcc'))(
  'a program that crashes says the same, and what it reached until then is known (needs gcc)',
  async () => {
    const { plain, watched, idle } = await run('a.c', program, ['gcc', '-Wall', '-Werror', '-std=gnu11']);
    expect(plain).toMatch(/^one\n1 17\na: a\.c:20: main: Assertion .*SIGABRT$/s);
    expect(watched).toBe(plain);
    expect(idle).toEqual([
      'static int unused(int a) { return a + 1; }',
      'puts("negative");',
      'case 0: return 5;',
      '{ puts("seven"); }',
      'goto end;',
      'puts("never");',
      'end:\n  return unused(1);',
    ]);
  },
);

const cpp = `# 1 "a.cpp"
extern "C" int puts(const char *);
struct A {
  int n; A(int n) : n(n) { if (n > 3) throw 1; }
  template <class T> T get(T by) const { return n * by; }
  ~A() { puts("gone"); }
};
constexpr int twice(int n) { return 2 * n; }
int main() {
  static_assert(twice(2) == 4);
  auto f = [](int n) { if (n) return A(n).get(2); else { puts("none"); } return 0; };
  try { f(1); f(5); puts("no"); } catch (int) { puts("caught"); }
  int all[] = {1, 2};
  for (int i : all) if (i == 2) return i;
  return 3;
}
`;

test.skipIf(!has('g++'))('C++: lambdas, templates, exceptions (needs g++)', async () => {
  const { plain, watched, idle } = await run('a.cpp', cpp, ['g++', '-std=c++17', '-w']);
  expect(plain).toBe('gone\ncaught\n2');
  expect(watched).toBe(plain);
  expect(idle).toEqual(['else { puts("none"); }', 'return 0;', 'puts("no");', 'return 3;']);
});

test('an object in an expression is no block, whatever the parser took it for', async () => {
  const forward = 'std::forward<ContainerType>(j)';
  const called = `::ownspace::read_from(${forward},val)`;
  const adapter = [
    'namespace own_namespace_v1{template<typename ValueType>struct own_converters{',
    'template<typename ContainerType,typename ResultType=ValueType>static auto read_from(ContainerType&&j,ResultType&val)',
    `noexcept(noexcept(${called}))->decltype(${called},void()){${called};}`,
    'template<typename ContainerType, typename ResultType = ValueType>\n    static auto read_from(ContainerType&&j)noexcept(\n',
    `    noexcept(:ownspace::read_from(${forward},detail::identity_tag<ResultType> {})))`,
    `decltype((${forward},detail::identity_tag<ResultType>)){`,
    'return(std::forward<ContainerType>,detail::identity_tag<ResultType>);}',
  ].join('');
  expect(await probed(adapter, 'a.cpp')).toContain('identity_tag<ResultType> {})))');
});

/** Which blocks of a script would be left out if only these probes were reached. */
const idleIn = async (name: string, text: string, reached: readonly string[]) => {
  const { tree, probes } = await readProbes(name, text);
  const isReached = (i: number): boolean => reached.some(start => text.startsWith(start, probes[i]!.at));
  const ranges = idleRanges(probes, isReached);
  const idle = Array.from({ length: ranges.length / 2 }, (_, i) => text.slice(ranges[2 * i], ranges[2 * i + 1]));
  return { watched: withProbes(tree, probes, 5), idle };
};

test('scripts of Lua and PHP note which of their blocks are reached', async () => {
  const lua = 'local function f(a) if a then return 1 else g() end end\nfunction t:m() h() end\nf(1)\n';
  expect(await idleIn('a.lua', lua, ['if a', 'return 1'])).toEqual({
    watched:
      'local function f(a) __culprit_value(5,0);if a then __culprit_value(6,0);return 1 else __culprit_value(7,0);g() end end\nfunction t:m() __culprit_value(8,0);h() end\nf(1)\n',
    idle: ['g()', 'function t:m() h() end'],
  });
  const php =
    '<?php\nclass A { function f($a) { if ($a) { g(); } } abstract function h(); }\n$k = function () { l(); };\n';
  const { watched, idle } = await idleIn('a.php', php, [' if']);
  expect(idle).toEqual(['{ g(); }', 'function () { l(); }']);
  expect(watched).toContain('function f($a) {__culprit_value(5,0); if ($a) {__culprit_value(6,0); g(); } }');
});
