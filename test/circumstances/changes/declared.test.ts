import { expect, test } from 'vitest';
import { changesBetween } from '../../../src/circumstances/changes/changes.js';
import { declarationsIn } from '../../../src/circumstances/changes/needs/declarations.js';
import { dependenciesIn } from '../../../src/circumstances/changes/needs/needs.js';
import { deltasOf, of } from '../../../src/core/index.js';
import { inOrder } from '../../../src/sources/versions/snapshot.js';

const linesOf = (text: string) => text.split(/(?<=\n)/);

test('declarations are read across macros, conditionals that both open a brace, and old parameter lists', async () => {
  const text = `#include "a.h"
#define LIMIT(x, y) \\
  ((x) + (y))
typedef struct node { int depth; struct node *next; } NODE;
enum color { RED, GREEN = 2 };
static int seen, table[3] = { 1, 2 };
extern "C" {
int declared(const char *name, int);
}
int
defined(NODE *n)
{
#ifdef A
  if (n) {
#else
  if (!n) {
#endif
    return '{'; /* { */
  }
  return 0;
}
char *old_style(a, b) int a; char *b; { return b; }
`;
  const found = (await declarationsIn(linesOf(text))).map(({ kind, name, from, headerTo, to }) => [
    kind,
    name,
    from,
    headerTo,
    to,
  ]);
  expect(found).toEqual([
    ['include', 'a.h', 0, 0, 0],
    ['macro', 'LIMIT', 1, 2, 2],
    ['type', 'NODE', 3, 3, 3],
    ['type', 'node', 3, 3, 3],
    ['member', 'depth', 3, 3, 3],
    ['member', 'next', 3, 3, 3],
    ['type', 'color', 4, 4, 4],
    ['member', 'RED', 4, 4, 4],
    ['member', 'GREEN', 4, 4, 4],
    ['variable', 'seen', 5, 5, 5],
    ['variable', 'table', 5, 5, 5],
    ['prototype', 'declared', 7, 7, 7],
    ['function', 'defined', 9, 11, 20],
    ['function', 'old_style', 21, 21, 21],
  ]);
});

const gap = Array.from({ length: 8 }, (_, i) => `int kept${i};`).join('\n');
const needsIn = async (files: Readonly<Record<string, readonly [old: string, now: string]>>) => {
  const side = (which: 0 | 1) =>
    inOrder(
      Object.entries(files)
        .filter(([, ends]) => ends[which] !== '')
        .map(([path, ends]) => [path, { kind: 'file', bytes: Buffer.from(`${ends[which]}\n`) }] as const),
    );
  const changes = changesBetween(side(0), side(1));
  const { certain } = await dependenciesIn(changes);
  const at = (label: string) => changes.changes.findIndex(change => change.label.startsWith(label));
  return {
    needed: (label: string) => [...deltasOf(certain.withNeeded(of([at(label)])))].map(i => changes.changes[i]!.label),
    needing: (label: string) => [...deltasOf(certain.withNeeding(of([at(label)])))].map(i => changes.changes[i]!.label),
  };
};

test('a function with another parameter: header, definition and calls belong together, other changes do not', async () => {
  const { needed, needing } = await needsIn({
    'a.h': ['int f(int a);', 'int f(int a, int b);'],
    'a.c': [
      `int f(int a) { return a; }\n${gap}\nint g(void) { return 1; }`,
      `int f(int a, int b) { return a + b; }\n${gap}\nint g(void) { return 2; }`,
    ],
    'main.c': ['int main(void) { return f(1); }', 'int main(void) { return f(1, 2); }'],
  });
  const together = ['a.c -1,1 +1,1', 'a.h -1,1 +1,1', 'main.c -1,1 +1,1'];
  for (const label of together) expect([needed(label), needing(label)]).toEqual([together, together]);
  expect(needed('a.c -10')).toEqual(['a.c -10,1 +10,1']);
});

test('a condition changes with the macro that it compares', async () => {
  const { needed, needing } = await needsIn({
    'a.h': [`#define PATCH 15\n${gap}\n#define SIZE 2`, `#define PATCH 19\n${gap}\n#define SIZE 3`],
    'a.c': [
      `#if PATCH != 15\n#error a.h and a.c have different versions\n#endif\n${gap}\nint a = 1;`,
      `#if PATCH != 19\n#error a.h and a.c have different versions\n#endif\n${gap}\nint a = 2;`,
    ],
  });
  for (const label of ['a.h -1,', 'a.c -1,'])
    expect([needed(label), needing(label)]).toEqual([
      ['a.c -1,1 +1,1', 'a.h -1,1 +1,1'],
      ['a.c -1,1 +1,1', 'a.h -1,1 +1,1'],
    ]);
  expect(needed('a.h -10')).toEqual(['a.h -10,1 +10,1']);
});

test('const where it matters ties the declarations, and not the calls', async () => {
  const { needed } = await needsIn({
    'a.h': ['int f(char *s);', 'int f(const char *s);'],
    'a.c': ['int f(char *s)\n{ return *s; }', 'int f(const char *s)\n{ return *s; }'],
    'main.c': ['int main(void) { return f("a"); }', 'int main(void) { return f("b"); }'],
  });
  expect(needed('a.h')).toEqual(['a.c -1,1 +1,1', 'a.h -1,1 +1,1']);
  expect(needed('main.c')).toEqual(['main.c -1,1 +1,1']);
});

test('a new member, a new local variable and a new file are needed by what uses them', async () => {
  const { needed, needing } = await needsIn({
    Makefile: ['OBJECTS = main.o', 'OBJECTS = main.o extra.o'],
    'a.h': ['struct s {\n  int a;\n};', 'struct s {\n  int a;\n  int depth;\n};\nint extra(void);'],
    'extra.c': ['', 'int extra(void) { return 3; }'],
    'main.c': [
      `int main(void) {\n  int a = 0;\n${gap}\n  return a;\n}`,
      `int main(void) {\n  int a = 0;\n  struct s place;\n${gap}\n  return place.depth + extra();\n}`,
    ],
  });
  expect(needed('main.c -11')).toEqual([
    'Makefile -1,1 +1,1',
    'a.h -2,0 +3,1',
    'a.h -3,0 +5,1',
    'extra.c added',
    'main.c -2,0 +3,1',
    'main.c -11,1 +12,1',
  ]);
  expect(needing('extra.c')).toEqual(['Makefile -1,1 +1,1', 'extra.c added', 'main.c -11,1 +12,1']);
  expect(needed('a.h -2')).toEqual(['a.h -2,0 +3,1']);
});

test('a definition that moved to another file comes and goes at once', async () => {
  const { needed } = await needsIn({
    'a.c': [`int f(void) { return 1; }\n${gap}`, gap],
    'b.c': [gap, `${gap}\nint f(void) { return 1; }`],
  });
  expect(needed('a.c')).toEqual(needed('b.c'));
  expect(needed('a.c')).toHaveLength(2);
});

test('#if, #else and #endif in three changes are one thing', async () => {
  const body = (a: string, b: string, c: string) => `${a}int one;\n${gap}\n${b}int two;\n${gap}\n${c}int three;`;
  const { needed } = await needsIn({
    'a.c': [body('', '', ''), body('#ifdef A\n', '#else\n', '#endif\n')],
  });
  expect(needed('a.c -0,0')).toHaveLength(3);
});

test('the includes of one file go together, because one list takes the place of another', async () => {
  const { needed } = await needsIn({
    'a.c': [
      `#include "one.h"\n#include "two.h"\n${gap}\nint other;`,
      `#define QUIET\n${gap}\nint other;\n#include <two.h>\n#include <one.h>`,
    ],
  });
  expect(needed('a.c -1,')).toEqual(['a.c -1,2 +1,1', 'a.c -11,0 +11,2']);
});

test('a setting that is only tested can come and go alone, and so can each line of a file of settings', async () => {
  const settings = (...more: readonly string[]) =>
    `/* generated automatically by configure */\n#define A 1\n${more.join('\n')}`;
  const spaced = Array.from({ length: 8 }, (_, i) => `#define KEPT_${i} 1`);
  const { needed, needing } = await needsIn({
    'config.h': [
      settings(...spaced, '#define LAST 1'),
      settings('#define HAVE_INT64 1', ...spaced, '#define HAVE_STDINT 1', '#define LAST 1'),
    ],
    'sizes.h': [
      `typedef int Int;\n${gap}`,
      `#ifdef HAVE_INT64\ntypedef long Int;\n#else\ntypedef int Int;\n#endif\n${gap}`,
    ],
  });
  expect(needed('config.h -2,0')).toEqual(['config.h -2,0 +3,1']);
  expect(needing('config.h -2,0')).toEqual(['config.h -2,0 +3,1']);
});

test('a switch that a source file sets for its headers belongs to what the header shows', async () => {
  const { needing } = await needsIn({
    'a.c': [`#include <cell.h>\n${gap}`, `#define Visible_CELL\n#include <cell.h>\n${gap}`],
    'cell.h': [
      `typedef struct cell { int type; } CELL;\n${gap}`,
      `typedef struct cell\n#ifdef Visible_CELL\n{ int type; }\n#endif\nCELL;\n${gap}`,
    ],
  });
  expect(needing('a.c')).toEqual(expect.arrayContaining([expect.stringMatching(/^cell\.h/)]));
});
