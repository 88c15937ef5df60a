import { expect, test } from 'vitest';
import { changesBetween } from '../../../src/circumstances/changes/changes.js';
import type { Artifact } from '../../../src/core/artifact.js';
import { all, type Outcome } from '../../../src/core/index.js';
import { Counter } from '../../../src/engine/index.js';
import { blame } from '../../../src/plans/changes/levels/blame.js';
import { hierarchyOf } from '../../../src/plans/changes/levels/hierarchy.js';
import { lackingIn } from '../../../src/plans/changes/levels/missing.js';
import { identify } from '../../../src/sources/files.js';
import { inOrder } from '../../../src/sources/versions/snapshot.js';

const filesOf = (texts: Readonly<Record<string, string>>): Artifact => ({
  files: inOrder(
    Object.entries(texts).map(([path, text]) => [path, { kind: 'file' as const, bytes: Buffer.from(text) }] as const),
  ),
});
const between = (old: Artifact, now: Artifact) => changesBetween(old.files, now.files);
const names = (...some: string[]) => new Set(some);

test('a local name that lost its declaration is lacking, even if another function has one of the same spelling', async () => {
  const other = 'function other(node) { return node; }\n';
  const old = filesOf({ 'a.js': `${other}function f() {\n  return 1;\n}\n` });
  const now = filesOf({ 'a.js': `${other}function f() {\n  var node = 2;\n  return node;\n}\n` });
  const lacks = await lackingIn(between(old, now));
  const half = filesOf({ 'a.js': `${other}function f() {\n  return node;\n}\n` });
  expect(lacks(half, names('node'))).toBe(true);
  for (const end of [old, now]) expect(lacks(end, names('node'))).toBe(false);
});

test('a name that no test has missed is not judged: code that never runs may use anything', async () => {
  const old = filesOf({ 'a.js': 'function f() {\n  return 1;\n}\n' });
  const now = filesOf({ 'a.js': 'var x = 2;\nfunction f() {\n  return x;\n}\n' });
  const lacks = await lackingIn(between(old, now));
  const half = filesOf({ 'a.js': 'function f() {\n  return x;\n}\n' });
  expect(lacks(half, names())).toBe(false);
  expect(lacks(half, names('y'))).toBe(false);
  expect(lacks(half, names('x'))).toBe(true);
});

test('a macro, a member and a function of another file are looked for in all changed files', async () => {
  const old = filesOf({ 'a.c': 'int f(void) { return 1; }\n', 'a.h': 'struct s { int a; };\n' });
  const now = filesOf({
    'a.c': 'int f(struct s *p) { return p->depth + LIMIT + helper(); }\n',
    'a.h': '#define LIMIT 7\nstruct s { int a;\n  int depth;\n};\nint helper(void);\n',
  });
  const lacks = await lackingIn(between(old, now));
  const use = now.files.get('a.c')!;
  const header = (text: string): Artifact => ({
    files: inOrder([
      ['a.c', use],
      ['a.h', { kind: 'file', bytes: Buffer.from(text) }],
    ]),
  });
  expect(lacks(header('struct s { int a;\n  int depth;\n};\nint helper(void);\n'), names('LIMIT'))).toBe(true);
  expect(lacks(header('#define LIMIT 7\nstruct s { int a;\n};\nint helper(void);\n'), names('depth'))).toBe(true);
  expect(lacks(header('#define LIMIT 7\nstruct s { int a;\n  int depth;\n};\n'), names('helper'))).toBe(true);
  expect(lacks(now, names('LIMIT', 'depth', 'helper'))).toBe(false);
});

test('a candidate that lacks what a test has missed before is not tested again', async () => {
  const gap = (name: string) => Array.from({ length: 8 }, (_, i) => `// ${name} ${i}`);
  const body = (isNew: boolean) => [
    ...(isNew ? ['function limit() { return 3; }'] : []),
    ...gap('a'),
    ...Array.from({ length: 6 }, (_, i) => [`const v${i} = ${isNew ? `limit() + ${i}` : i};`, ...gap(`v${i}`)]).flat(),
  ];
  const [old, now] = [false, true].map(isNew => filesOf({ 'a.js': `${body(isNew).join('\n')}\n` }));
  const defective: string[] = [];
  const judge = (artifact: Artifact): { outcome: Outcome; reason?: string } => {
    const entry = artifact.files.get('a.js')!;
    const text = entry.kind === 'file' ? Buffer.from(entry.bytes).toString() : '';
    if (text.includes('limit()') && !text.includes('function limit')) {
      if (/= limit/.test(text)) defective.push(text);
      if (/= limit/.test(text)) return { outcome: 'unresolved', reason: 'ReferenceError: limit is not defined' };
    }
    return { outcome: text.includes('v4 = limit()') ? 'fail' : 'pass' };
  };
  const { levels, changes } = await hierarchyOf(old!, now!, 'hunk');
  const search = blame(levels, { suspects: all(changes.count) }, async artifact => judge(artifact), {
    identify,
    counter: new Counter(),
  });
  let step = await search.next();
  while (!step.done) step = await search.next();
  expect(step.value.ended).toBe('done');
  expect(step.value.causes).toHaveLength(1);
  expect(defective.length).toBeLessThanOrEqual(1);
});

test('neither version lacks anything, whatever was added, deleted or renamed between them', async () => {
  const old = filesOf({ 'a.js': 'exports.f = () => args.length;\n' });
  const now = filesOf({ 'a.js': 'exports.f = () => args.size;\n', 'added.js': 'exports.args = new Set();\n' });
  const lacks = await lackingIn(between(old, now));
  for (const end of [old, now]) expect(lacks(end, names('args', 'size', 'f'))).toBe(false);
});
