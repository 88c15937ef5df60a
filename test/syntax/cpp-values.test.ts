/** Expressions of C++ that report their values: where they may, and what the text with the reports computes. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { watchValues } from '../../src/oracle/coverage/index.js';
import { structureOf } from '../../src/reductions/tree/index.js';
import { observable, reporting } from '../../src/syntax/observed.js';
import { folder, inScratch } from '../circumstances/changes/folders.js';

async function reportsIn(text: string) {
  const { syntax, language } = await structureOf('a.cpp');
  const tree = await syntax.tree(text);
  const nodes = observable(tree);
  const parts = nodes.map(node => text.slice(tree.start[node], tree.end[node]));
  const whole = language.observation!.withPrelude!(reporting(tree, nodes, 0), nodes.length, true);
  return { parts, whole };
}

test('calls and operators report where they are only values', async () => {
  const { parts } = await reportsIn(
    'int g(int); int f(int aa) { if (aa > 1) return g(aa + 1) * -aa; return h(!aa, aa == 2); }',
  );
  expect((await reportsIn('int f() { return 1 + g([] { return 2; }, {3}); }')).parts).toEqual([
    '1 + g([] { return 2; }, {3})',
    'g([] { return 2; }, {3})',
  ]);
  expect(parts).toEqual(['aa > 1', 'g(aa + 1) * -aa', 'g(aa + 1)', '-aa', 'h(!aa, aa == 2)', '!aa', 'aa == 2']);
});

test('nothing reports where an object is made in its place: it would have to be moved', async () => {
  for (const text of [
    'struct S { S(S&&); }; S make(); S f() { return make(); }',
    'struct S {}; S make(); void f() { auto one = make(); S two = make(); g(make()); }',
    'std::string f() { return aa + bb; }',
  ])
    expect((await reportsIn(text)).parts).toEqual([]);
});

test('nothing reports that the compiler must know, that is in a template, or that the parser may have misread', async () => {
  for (const text of [
    'constexpr int f(int aa) { return aa + 1; }',
    'template <class T> int f(T aa) { return g(aa) + 1; }',
    'int f() { constexpr int aa = g() + 1; static_assert(aa == 2); if constexpr (aa == 3) {} return 1; }',
    'int f() { int aa[bb + 1]; h<bb + 1>(1); static int cc = g(); switch (1) { case bb + 1: ; } auto d = [] { return e() + 1; }; return 1; }',
    'struct T { bool operator!=(const T& aa) const { return !operator==(aa); } };',
    'void f() { aa(); return gg(); }',
  ])
    expect((await reportsIn(text)).parts).toEqual([]);
});

test('what may be a call of a template is not taken for two comparisons', async () => {
  for (const text of ['int f() { return aa < bb > (1); }', 'int f() { return aa < bb && cc > (1); }'])
    for (const part of (await reportsIn(text)).parts) expect(['aa < bb', 'cc > (1)', 'bb > (1)']).not.toContain(part);
});

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

const program = `#include <cstdio>
#include <map>
#include <string>
#include <vector>
namespace own {
struct Item { unsigned bits : 3; std::string name; Item(const char *text) : bits(5), name(text) {} Item(const Item &) = delete; };
static const int &low() { static int value = -7; return value; }
static double half(double value) { return value / 2; }
static std::string title(const Item &item) { return item.name + "!"; }
enum Kind : short { first = 4, second };
Kind kind() { return second; }
}
int main(int count, char **) {
  own::Item item("abc");
  std::map<std::string, int> sizes;
  std::vector<int> all{1, 2, 3};
  sizes["a"] = own::low() + 1;
  for (std::size_t step = 0; step < all.size() && !all.empty(); step++) sizes["b"] += all[step];
  if (own::half(3.0) > 1 && count == 1) std::printf("%s %d %d\\n", own::title(item).c_str(), sizes.at("b"), own::low());
  unsigned long long large = 1ULL << (count + 62);
  return own::kind() == own::second ? static_cast<int>(large >> 62) : 1;
}
`;

for (const compiler of ['g++', 'clang++-16'])
  test.runIf(has(compiler))(`${compiler}: a program whose expressions report does the same`, () =>
    inScratch(async root => {
      const [tree, tmp] = [join(root, 'tree'), join(root, 'tmp')];
      mkdirSync(tree);
      mkdirSync(tmp);
      const { parts, whole } = await reportsIn(program);
      const look = watchValues(folder({ 'a.cpp': program }), {});
      const run = (text: string, more: Readonly<Record<string, string>>) => {
        writeFileSync(join(tree, 'a.cpp'), text);
        const built = spawnSync(compiler, ['-w', '-std=c++11', 'a.cpp', '-o', 'a'], { cwd: tree, encoding: 'utf8' });
        expect(built.stderr).toBe('');
        const { stdout, status } = spawnSync('./a', { cwd: tree, env: { ...process.env, ...more }, encoding: 'utf8' });
        return { stdout, status };
      };
      const plain = run(program, {});
      expect(plain).toEqual({ stdout: 'abc! 6 -7\n', status: 2 });
      expect(run(whole, look.built(tree, tmp))).toEqual(plain);
      const values = Object.fromEntries([...look.ran(tree, tmp)].map(([id, literal]) => [parts[id], literal]));
      expect(values).toMatchObject({
        'own::low() + 1': '-6',
        'own::low()': '-7',
        'own::half(3.0)': '1.5',
        'count == 1': '1',
        'count + 62': '63',
        '!all.empty()': '1',
      });
      // It varies, or it has no plain type.
      for (const part of ['step < all.size()', 'own::title(item)', 'own::kind()'])
        expect(values).not.toHaveProperty([part]);
    }),
  );
