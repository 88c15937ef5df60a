/** Expressions of C that report their values: where they may, and what the text with the reports computes. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { watchValues } from '../../src/oracle/coverage/index.js';
import { structureOf } from '../../src/reductions/tree/index.js';
import { observable, reporting } from '../../src/syntax/observed.js';
import { folder, inScratch } from '../circumstances/changes/folders.js';

async function reportsIn(text: string) {
  const { syntax, language } = await structureOf('a.c');
  const tree = await syntax.tree(text);
  const nodes = observable(tree);
  const parts = nodes.map(node => text.slice(tree.start[node], tree.end[node]));
  const whole = language.observation!.withPrelude!(reporting(tree, nodes, 0), nodes.length, true);
  return { parts, whole };
}

test('expressions that are only values report, with their parts', async () => {
  const { parts } = await reportsIn('int f(int aa) { if (aa > 1) return g(aa, hh[aa + 1].cc) ? -aa : 2; return 0; }');
  expect(parts).toEqual([
    'aa > 1',
    'aa',
    'g(aa, hh[aa + 1].cc) ? -aa : 2',
    'g(aa, hh[aa + 1].cc)',
    'aa',
    'hh[aa + 1].cc',
    'aa + 1',
    'aa',
    '-aa',
    'aa',
  ]);
});

test('nothing reports that is stored to, whose address is taken, or that the compiler must know', async () => {
  for (const text of [
    'int aa = bb + 1; enum { C1 = bb + 1 }; struct s { int dd : bb + 1; }; int ee[bb + 1];',
    'void f(void) { aa = 1; aa++; aa.bb += 1; g(&aa, sizeof(bb + 1)); }',
    'void f(void) { static int aa = bb + 1; int cc[bb + 1]; switch (1) { case bb + 1: ; } }',
    'void f(void) { aa(); (void)bb(); cc ? (void)0 : dd(); return gg(); }',
    'void f(void) { return MAX(aa, va_arg(list, int), bb + 1), __builtin_expect(aa, 1); }',
    '#if aa + 1\n#define bb (cc + 1)\n#endif\n',
  ])
    expect((await reportsIn(text)).parts.filter(part => !/^(cc|&aa)$/.test(part))).toEqual([]);
});

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

const program = `int printf(const char *, ...);
struct pair { unsigned bits : 3; int low : 20; struct { int deep; } in; char name[8]; } one = { 5, -7, { 3 }, "abc" };
enum kind { first = 4, second };
static const volatile unsigned short top = 65535;
struct pair copy(void) { return one; }
float half(float value) { return value / 2; }
int main(int count, char **words) {
  int sizes[count + 2], both[2] = { count + 4, top };
  enum kind which = second;
  int (*print)(const char *, ...) = printf;
  const char *text = "abc";
  long long least = -9223372036854775807LL - 1;
  sizes[1] = one.bits + one.low;
  switch (which) { case first + 1: printf("b %d\\n", sizes[1]); break; default: print("x"); }
  printf("%s %d %f %lu %d\\n", text, copy().in.deep, half(1.5f), (unsigned long)sizeof(both) + 1, least < (long)count);
  for (int step = 0; step < both[0] && text; step++) if (step == 3) return (count++, copy().low + (words != 0) * 8);
  return 0;
}
`;

for (const compiler of ['gcc', 'clang-16', 'tcc'])
  test.runIf(has(compiler))(`${compiler}: a program whose expressions report does the same`, () =>
    inScratch(async root => {
      const [tree, tmp] = [join(root, 'tree'), join(root, 'tmp')];
      mkdirSync(tree);
      mkdirSync(tmp);
      const { parts, whole } = await reportsIn(program);
      const look = watchValues(folder({ 'a.c': program }), {});
      const run = (text: string, more: Readonly<Record<string, string>>) => {
        writeFileSync(join(tree, 'a.c'), text);
        const built = spawnSync(compiler, ['-w', 'a.c', '-o', 'a'], { cwd: tree, encoding: 'utf8' });
        expect(built.stderr).toBe('');
        const { stdout, status } = spawnSync('./a', { cwd: tree, env: { ...process.env, ...more }, encoding: 'utf8' });
        return { stdout, status };
      };
      const plain = run(program, {});
      expect(plain.status).toBe(1);
      expect(run(whole, look.built(tree, tmp))).toEqual(plain);
      const values = Object.fromEntries([...look.ran(tree, tmp)].map(([id, literal]) => [parts[id], literal]));
      expect(values).toMatchObject({
        'count + 4': '5',
        'one.bits + one.low': '-2',
        'half(1.5f)': '0.75f',
        'copy().in.deep': '3',
        '(unsigned long)sizeof(both) + 1': '9UL',
        least: '-9223372036854775807LL-1',
        which: '5U',
      });
      // It varies, or it has no plain type.
      for (const part of ['step == 3', 'copy()', 'text', 'print']) expect(values).not.toHaveProperty([part]);
    }),
  );
