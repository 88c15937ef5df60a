import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesBetween } from '../../../src/circumstances/changes/changes.js';
import { patchBetween } from '../../../src/circumstances/changes/patch.js';
import { all, minus, of } from '../../../src/core/index.js';
import type { Snapshot } from '../../../src/sources/versions/snapshot.js';
import { folderSnapshot } from '../../../src/sources/versions/snapshot.js';
import { executable, folder, inScratch, plain, writeFolder } from './folders.js';

/** What real `git apply` makes of a folder. */
const applied = (before: Snapshot, patch: Uint8Array): Promise<Record<string, string>> =>
  inScratch(root => {
    writeFolder(root, before);
    if (patch.length > 0)
      execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: root, input: patch, stdio: 'pipe' });
    return plain(folderSnapshot(root));
  });

const lines = (count: number, at: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: count }, (_, i) => `${at[i] ?? `line ${i}`}\n`).join('');

const old = folder({
  'a.txt': lines(40),
  'gone.txt': 'gone\n',
  'gone.bin': '\0gone',
  'lib/moved.js': lines(10),
  'exact.js': lines(5, { 0: 'exact' }),
  'run.sh': 'echo\n',
  'no-end.txt': 'a\nb',
  'pic.png': `\0${'old'.repeat(100)}`,
  link: '→ a.txt',
  'becomes-link': 'file\n',
  'gr\u00FC\u00DFe "x".txt': 'h\xE9llo\r\nworld\r\n',
  empty: '',
});
const now = folder({
  'a.txt': lines(41, { 2: 'two', 6: 'six', 30: 'thirty' }),
  'new.txt': 'new\n',
  'new.bin': '\0\x01\xFF new',
  'src/moved.js': lines(10, { 4: 'four' }),
  'src/exact.js': lines(5, { 0: 'exact' }),
  'run.sh': executable('echo\n'),
  'no-end.txt': 'a\nb\nc',
  'pic.png': `\0${'new'.repeat(77)}`,
  link: '→ run.sh',
  'becomes-link': '→ a.txt',
  'gr\u00FC\u00DFe "x".txt': 'h\xE8llo\r\nworld\r\n',
  'new-empty': '',
});

test('git apply makes new out of old, and old out of new, with the two patches between them', async () => {
  expect(await applied(old, patchBetween(old, now))).toEqual(plain(now));
  expect(await applied(now, patchBetween(now, old))).toEqual(plain(old));
});

test('the patch of some changes applies to old, and the patch that takes them back applies to new', async () => {
  const changes = changesBetween(old, now);
  for (const deltas of [[0], [1, 2], [0, 3, 5], [4, 6, 8], [7, 9, 10, 11]]) {
    const culprits = of(deltas);
    const alone = changes.build(culprits)!.files;
    const without = changes.build(minus(all(changes.count), culprits))!.files;
    expect(await applied(old, patchBetween(old, alone))).toEqual(plain(alone));
    expect(await applied(now, patchBetween(now, without))).toEqual(plain(without));
  }
});

const hasPatch = process.env.CI !== undefined || spawnSync('patch', ['--version']).error === undefined;

test.skipIf(!hasPatch)('patch -p1 takes a patch of texts (needs the command patch)', () =>
  inScratch(root => {
    const before = folder({ 'lib/a.txt': lines(30), 'b.txt': 'b\n' });
    const after = folder({ 'lib/a.txt': lines(30, { 3: 'three', 20: 'twenty' }), 'c.txt': 'c\n' });
    writeFolder(root, before);
    execFileSync('patch', ['-p1'], { cwd: root, input: patchBetween(before, after), stdio: 'pipe' });
    expect(plain(folderSnapshot(root))).toEqual(plain(after));
  }),
);

const anyText = fc
  .tuple(fc.array(fc.constantFrom('a', 'b', 'c', 'x\r', ''), { maxLength: 30 }), fc.boolean())
  .map(([rows, ended]) => rows.join('\n') + (ended ? '\n' : ''));

test('git apply agrees with us on any two texts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(anyText, anyText), { minLength: 1, maxLength: 20 }), async pairs => {
      const before = folder(Object.fromEntries(pairs.map(([a], i) => [`f${i}`, a])));
      const after = folder(Object.fromEntries(pairs.map(([, b], i) => [`f${i}`, b])));
      expect(await applied(before, patchBetween(before, after))).toEqual(plain(after));
    }),
    { numRuns: 25 },
  );
});

test('a snapshot of a folder leaves .git out and keeps empty folders', () =>
  inScratch(root => {
    mkdirSync(join(root, '.git'));
    mkdirSync(join(root, 'empty'));
    writeFileSync(join(root, '.git', 'HEAD'), 'x');
    expect(plain(folderSnapshot(root))).toEqual({ empty: '(folder)' });
  }));
