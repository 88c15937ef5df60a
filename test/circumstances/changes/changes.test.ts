import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesBetween } from '../../../src/circumstances/changes/changes.js';
import { treeOf } from '../../../src/circumstances/changes/tree.js';
import { all, type Configuration, empty, of } from '../../../src/core/index.js';
import { executable, folder, plain } from './folders.js';

const text = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('');

const old = folder({
  'a.js': text(['one', 'two', 'three', 'four', 'five', 'six', 'seven']),
  'gone.js': 'gone\n',
  'lib/moved.js': text(['m1', 'm2', 'm3', 'm4', 'm5', 'm6']),
  'run.sh': 'echo\n',
  'same.js': 'same\n',
  link: '→ a.js',
  'picture.png': '\0old',
});
const now = folder({
  'a.js': text(['one', 'TWO', 'three', 'four', 'five', 'and', 'a half', 'six']),
  'new.js': text(['n1', 'n2']),
  'src/moved.js': text(['m1', 'm2', 'M3', 'm4', 'm5', 'm6']),
  'run.sh': executable('echo\n'),
  'same.js': 'same\n',
  link: '→ same.js',
  'picture.png': '\0new',
});

test('changes are listed in the order of files and lines, as diff -U0 counts them', () => {
  const changes = changesBetween(old, now);
  expect(changes.changes.map(change => change.label)).toEqual([
    'a.js -2,1 +2,1',
    'a.js -5,0 +6,2',
    'a.js -7,1 +8,0',
    'gone.js deleted',
    'lib/moved.js renamed to src/moved.js',
    'src/moved.js -3,1 +3,1',
    'link replaced',
    'new.js added',
    'picture.png replaced',
    'run.sh mode changed',
  ]);
});

test.each(['file', 'hunk', 'line'] as const)(
  'by %s: nothing applied is old, everything applied is new',
  granularity => {
    const changes = changesBetween(old, now, { granularity });
    expect(plain(changes.build(empty)!.files)).toEqual(plain(old));
    expect(plain(changes.build(all(changes.count))!.files)).toEqual(plain(now));
  },
);

test('what a configuration does not touch is the very same entry as in old', () => {
  const changes = changesBetween(old, now);
  const first = changes.build(of([0, 7]))!.files;
  const second = changes.build(of([0, 3]))!.files;
  expect(first.get('same.js')).toBe(old.get('same.js'));
  expect(first.get('gone.js')).toBe(old.get('gone.js'));
  expect(first.get('new.js')).toBe(now.get('new.js'));
  expect(second.get('a.js')).toBe(first.get('a.js'));
  expect([...second.keys()]).toEqual([...second.keys()].sort());
});

test('a hunk of a renamed file applies without the renaming, and the renaming without the hunk', () => {
  const changes = changesBetween(old, now);
  expect(plain(changes.build(of([5]))!.files)['lib/moved.js']).toContain('M3');
  const renamed = changes.build(of([4]))!.files;
  expect(renamed.get('src/moved.js')).toBe(old.get('lib/moved.js'));
  expect(renamed.has('lib/moved.js')).toBe(false);
});

test('a line of an added file is infeasible without the file', () => {
  const changes = changesBetween(old, now, { granularity: 'line' });
  const added = changes.changes.findIndex(({ label }) => label === 'new.js added');
  expect(changes.parents[added + 1]).toBe(added);
  expect(changes.build(of([added + 1]))).toBeUndefined();
  expect(plain(changes.build(of([added, added + 2]))!.files)['new.js']).toBe('n2\n');
});

test('a file that became a folder needs the file to go', () => {
  const changes = changesBetween(folder({ x: 'file\n' }), folder({ 'x/y': 'other\n' }));
  const add = changes.changes.findIndex(({ kind }) => kind === 'add');
  expect(changes.build(of([add]))).toBeUndefined();
  expect(changes.build(all(changes.count))).toBeDefined();
});

test('a last line without an end gets one when another follows it', () => {
  const changes = changesBetween(folder({ f: 'a\nb' }), folder({ f: 'A\nb\nc' }), { granularity: 'line' });
  for (let mask = 0; mask < 1 << changes.count; mask++) {
    const chosen = [...Array(changes.count).keys()].filter(i => mask & (1 << i));
    const lines = plain(changes.build(of(chosen))!.files).f!.split('\n');
    for (const line of lines) expect(['a', 'A', 'b', 'c', '']).toContain(line);
  }
});

test('packages below node_modules are upgraded whole', () => {
  const manifest = (version: string) => `{"version": "${version}"}`;
  const changes = changesBetween(
    folder({ 'node_modules/x/package.json': manifest('1.0.0'), 'node_modules/x/i.js': 'old', 'i.js': 'old' }),
    folder({ 'node_modules/x/package.json': manifest('1.1.0'), 'node_modules/x/i.js': 'new', 'i.js': 'new' }),
  );
  expect(changes.changes.map(({ label }) => label)).toEqual(['i.js -1,1 +1,1', 'node_modules/x 1.0.0 → 1.1.0']);
});

const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 12 }).map(text);
const folders = fc.dictionary(fc.constantFrom('p', 'q', 'r/s', 'r/t'), texts).map(folder);

test('any subset of hunks applies, whatever the two folders are', () => {
  fc.assert(
    fc.property(folders, folders, fc.infiniteStream(fc.boolean()), (a, b, choice) => {
      const changes = changesBetween(a, b);
      const chosen = of([...Array(changes.count).keys()].filter(() => choice.next().value));
      expect(changes.build(chosen)).toBeDefined();
      expect(plain(changes.build(all(changes.count))!.files)).toEqual(plain(b));
      expect(plain(changes.build(empty)!.files)).toEqual(plain(a));
    }),
  );
});

test('as a tree: a change is applied when all above it are, and every change has its node', () => {
  const changes = changesBetween(old, now, { granularity: 'line' });
  const tree = treeOf(changes);
  for (let node = 0; node < tree.count; node++) expect(tree.parents[node]).toBeLessThan(node);
  expect(tree.leaves(all(tree.count))).toEqual(all(changes.count));
  const few: Configuration = of([0, 3]);
  expect(tree.leaves(tree.nodes(few))).toEqual(few);
  expect(tree.leaves(of([1]))).toEqual(empty);
  expect(plain(tree.build(tree.nodes(few))!.files)).toEqual(plain(changes.build(few)!.files));
});
