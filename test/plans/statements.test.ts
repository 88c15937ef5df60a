import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Changes, changesBetween } from '../../src/circumstances/changes/changes.js';
import { linesOf } from '../../src/circumstances/changes/lines-of-hunks.js';
import type { Artifact } from '../../src/core/artifact.js';
import { all, deltasOf, empty, of } from '../../src/core/index.js';
import { joinStatements } from '../../src/plans/statements.js';
import { inOrder } from '../../src/sources/versions/snapshot.js';

const fileOf = (path: string, lines: readonly string[]): Artifact['files'] =>
  inOrder([[path, { kind: 'file', bytes: Buffer.from(`${lines.join('\n')}\n`) }]]);

async function joined(path: string, old: readonly string[], now: readonly string[]) {
  const [before, after] = [fileOf(path, old), fileOf(path, now)];
  const hunks = changesBetween(before, after);
  const lines = changesBetween(before, after, { granularity: 'line' });
  const inside = linesOf(hunks, lines);
  const byHunk = Array.from({ length: hunks.count }, (_, hunk) => [...deltasOf(inside(of([hunk])))]);
  return { ...(await joinStatements(lines, byHunk)), hunks: hunks.count };
}

const textIn = (changes: Changes, path: string, deltas: readonly number[]): string | undefined => {
  const entry = changes.build(of(deltas))?.files.get(path);
  return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString() : undefined;
};

/** Every candidate that can be built. */
function candidates(changes: Changes, path: string): readonly string[] {
  const subsets = Array.from({ length: 2 ** changes.count }, (_, bits) =>
    Array.from({ length: changes.count }, (_, i) => i).filter(i => (bits >> i) & 1),
  );
  return subsets.map(deltas => textIn(changes, path, deltas)).filter(text => text !== undefined);
}

test('a throw does not come without its if, nor the if without anything in it', async () => {
  const { changes } = await joined(
    'a.js',
    ['function f(a) {', '  return a;', '}'],
    ['function f(a) {', '  if (a.has()) {', "    throw new Error('no');", '  }', '  return a;', '}'],
  );
  expect(candidates(changes, 'a.js')).toEqual([
    'function f(a) {\n  return a;\n}\n',
    "function f(a) {\n  if (a.has()) {\n    throw new Error('no');\n  }\n  return a;\n}\n",
  ]);
});

test('an if that is taken away takes what is in it with it', async () => {
  const body = ['  if (a) {', '    b();', '    c();', '  }'];
  const { changes } = await joined('a.c', ['void f(int a) {', ...body, '}'], ['void f(int a) {', '}']);
  for (const text of candidates(changes, 'a.c'))
    expect(text.includes('if (a)') || !/b\(\)|c\(\)/.test(text)).toBe(true);
});

test('neither arm of an if is left empty, and the second one can be left out', async () => {
  const arms = ['  if (a) {', '    b();', '  } else {', '    c();', '  }'];
  const { changes } = await joined('a.js', ['function f(a) {', '}'], ['function f(a) {', ...arms, '}']);
  const bodies = candidates(changes, 'a.js').map(text =>
    text
      .split('\n')
      .slice(1, -2)
      .map(line => line.trim())
      .join(' '),
  );
  expect(bodies.sort()).toEqual(['', 'if (a) { b(); }', 'if (a) { b(); } else { c(); }']);
});

test('what is taken away does not leave an empty block behind', async () => {
  const { changes } = await joined(
    'a.js',
    ['if (a) {', "  return before + 'major';", '}', 'rest();'],
    ['if (a) {', '  other(1, 2, 3);', '}', 'rest();'],
  );
  for (const text of candidates(changes, 'a.js')) expect(text).toMatch(/major|other/);
});

test('a header that replaces another one around the same end needs nothing of what is inside', async () => {
  const { changes } = await joined(
    'a.js',
    ['if (undefined === a[k]) {', '  one(1);', '  done();', '}'],
    ['if (!has(k)) {', '  two();', '  more(3, 4);', '  done();', '}'],
  );
  expect(candidates(changes, 'a.js')).toContain('if (!has(k)) {\n  one(1);\n  done();\n}\n');
});

test('a statement of several lines is one change', async () => {
  const { changes } = await joined(
    'a.js',
    ['call(', '  one,', '  two,', ');', 'again();'],
    ['call(', '  three,', '  four,', ');', 'other();'],
  );
  expect(changes.changes.map(({ parts }) => parts.length)).toEqual([2, 1]);
});

test('conditions of the preprocessor go with what they are about', async () => {
  const { changes } = await joined(
    'a.c',
    ['int f(void) {', '#ifdef A', '  one();', '#else', '  two();', '#endif', '  return 0;', '}'],
    ['int f(void) {', '  three();', '  return 0;', '}'],
  );
  for (const text of candidates(changes, 'a.c')) {
    expect(text.includes('#ifdef')).toBe(text.includes('#endif'));
    if (!text.includes('#ifdef')) expect(text).not.toMatch(/one\(\)|two\(\)|#else/);
  }
});

const blocks: fc.Arbitrary<readonly string[]> = fc.letrec<{ block: readonly string[]; statement: readonly string[] }>(
  tie => ({
    block: fc.array(tie('statement'), { minLength: 1, maxLength: 3 }).map(parts => parts.flat()),
    statement: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(['a();'], ['b(1);'], ['c(', '  2,', ');'], ['// note']),
      fc
        .tuple(fc.constantFrom('if (x) {', 'for (;;) {', 'while (y()) {'), tie('block'))
        .map(([header, body]) => [header, ...body.map(line => `  ${line}`), '}']),
    ),
  }),
).block;

test('whole hunks always apply, alone and together, and each statement is in one of them', async () => {
  await fc.assert(
    fc.asyncProperty(blocks, blocks, async (old, now) => {
      const { changes, byHunk, hunks } = await joined('a.js', ['start();', ...old], ['start();', ...now]);
      expect(byHunk).toHaveLength(hunks);
      for (const hunk of byHunk) expect(changes.build(of(hunk))).toBeDefined();
      expect([changes.build(empty), changes.build(all(changes.count))]).not.toContain(undefined);
      expect(byHunk.flat().sort((a, b) => a - b)).toEqual([...deltasOf(all(changes.count))]);
    }),
    { numRuns: 60 },
  );
});

test('of several variables in one declaration, each can be left out, wherever the commas are', async () => {
  const variables = (commas: (line: string, at: number, count: number) => string, names: readonly string[]) =>
    names.map((name, at) => commas(`${name} = ${name.length}`, at, names.length));
  const first = (line: string, at: number, count: number) =>
    `${at === 0 ? 'var' : '  ,'} ${line}${at === count - 1 ? ';' : ''}`;
  const last = (line: string, at: number, count: number) =>
    `${at === 0 ? 'var' : '   '} ${line}${at === count - 1 ? ';' : ','}`;
  for (const commas of [first, last]) {
    const old = variables(commas, ['one', 'last']);
    const now = variables(commas, ['one', 'middle', 'fourth', 'last']);
    const { changes } = await joined('a.js', old, now);
    expect(candidates(changes, 'a.js').map(text => (text.match(/middle|fourth/g) ?? []).join(' '))).toEqual([
      '',
      'middle',
      'fourth',
      'middle fourth',
    ]);
  }
});

test('an item whose comma is at the beginning of its line can be left out', async () => {
  const { changes } = await joined(
    'a.js',
    ['var a = {', '    b: 1', '};'],
    ['var a = {', '    b: 1', '  , c: [', '      2', '    ]', '  , d: 3', '};'],
  );
  expect(candidates(changes, 'a.js').map(text => (text.match(/[cd]:/g) ?? []).join(''))).toEqual([
    '',
    'c:',
    'd:',
    'c:d:',
  ]);
});
