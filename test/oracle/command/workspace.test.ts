import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Artifact, Entry } from '../../../src/core/artifact.js';
import { openWorkspaces } from '../../../src/oracle/command/workspace.js';

const workspaces = openWorkspaces(2);
afterAll(() => workspaces.close());

const file = (text: string, executable = false): Entry => ({ kind: 'file', bytes: Buffer.from(text), executable });
const artifact = (files: Readonly<Record<string, Entry>>): Artifact => ({
  files: new Map(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))),
});

/** What lies in a folder, as text that can be compared. Folders that hold something do not count. */
function contents(folder: string, under = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const item of readdirSync(join(folder, under), { withFileTypes: true })) {
    const path = under + item.name;
    const full = join(folder, path);
    if (item.isSymbolicLink()) found[path] = `-> ${readlinkSync(full)}`;
    else if (item.isFile()) found[path] = `${statSync(full).mode & 0o100 ? 'x' : '-'} ${readFileSync(full, 'latin1')}`;
    else if (readdirSync(full).length === 0) found[path] = '/';
    else Object.assign(found, contents(folder, `${path}/`));
  }
  return found;
}

function expected({ files }: Artifact): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [path, entry] of files) {
    if (entry.kind === 'link') found[path] = `-> ${entry.target}`;
    else if (entry.kind === 'file')
      found[path] = `${entry.executable ? 'x' : '-'} ${Buffer.from(entry.bytes).toString('latin1')}`;
    else if (![...files.keys()].some(other => other.startsWith(`${path}/`))) found[path] = '/';
  }
  return found;
}

test('a test that rewrites a file in place and restores its time leaves nothing for the next test', () => {
  const original = artifact({ input: file('one\n') });
  for (let i = 0; i < 50; i++) {
    workspaces.put(0, original);
    const path = join(workspaces.path(0), 'input');
    const { atime, mtime } = statSync(path);
    writeFileSync(path, 'two\n');
    utimesSync(path, atime, mtime);
    workspaces.tidy(0);
    expect(readFileSync(path, 'utf8')).toBe('one\n');
  }
});

test('in a large folder, too, a file that was rewritten in place with its time restored comes back', async () => {
  const large = artifact(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`f${i}`, file(`one ${i}`)])));
  workspaces.put(0, large);
  const rewrite = (name: string) => {
    const path = join(workspaces.path(0), name);
    const { atime, mtime, size } = statSync(path);
    writeFileSync(path, 'x'.repeat(size));
    utimesSync(path, atime, mtime);
  };
  rewrite('f7');
  workspaces.tidy(0);
  expect(contents(workspaces.path(0))).toEqual(expected(large));
  await new Promise(resolve => setTimeout(resolve, 60));
  workspaces.put(0, large);
  rewrite('f8');
  workspaces.tidy(0);
  expect(contents(workspaces.path(0))).toEqual(expected(large));
});

const leaf: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({ text: fc.string({ maxLength: 3 }), executable: fc.boolean() }).map(f => file(f.text, f.executable)),
  fc.constantFrom('a', '../x', '/nowhere').map((target): Entry => ({ kind: 'link', target })),
  fc.constant<Entry>({ kind: 'folder' }),
);
const paths = ['a', 'b', 'b/c', 'b/d', 'b/d/e', 'b/d/f', 'g/h/i', 'g'];
/** A path below a file or a link can't be: what lies there goes. */
const tree: fc.Arbitrary<Artifact> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...paths), leaf), { selector: ([path]) => path })
  .map(entries => {
    const solid = entries.filter(([, entry]) => entry.kind !== 'folder').map(([path]) => `${path}/`);
    return artifact(Object.fromEntries(entries.filter(([path]) => !solid.some(above => path.startsWith(above)))));
  });

test('after any sequence of artifacts the folder holds exactly the last one', () => {
  fc.assert(
    fc.property(fc.array(tree, { minLength: 1, maxLength: 6 }), sequence => {
      for (const next of sequence) {
        workspaces.put(0, next);
        expect(contents(workspaces.path(0))).toEqual(expected(next));
      }
    }),
  );
});

test('whatever a test does to the folder, tidying restores it', () => {
  const harm = fc.array(
    fc.record({
      path: fc.constantFrom(...paths, 'new', 'b/new'),
      how: fc.constantFrom('remove', 'file', 'folder', 'link'),
    }),
    { minLength: 1, maxLength: 5 },
  );
  fc.assert(
    fc.property(tree, harm, (given, harms) => {
      workspaces.put(0, given);
      for (const { path, how } of harms) {
        const full = join(workspaces.path(0), path);
        try {
          if (how !== 'folder') rmSync(full, { recursive: true, force: true });
          if (how === 'file') writeFileSync(full, 'xyz');
          if (how === 'folder') mkdirSync(full, { recursive: true });
          if (how === 'link') symlinkSync('/nowhere', full);
        } catch {}
      }
      workspaces.tidy(0);
      expect(contents(workspaces.path(0))).toEqual(expected(given));
    }),
  );
});

test('only what changed is written', () => {
  const [a, b] = [file('a'), file('b')];
  workspaces.put(1, artifact({ a, b }));
  const inode = (name: string) => lstatSync(join(workspaces.path(1), name)).ino;
  const [first, second] = [inode('a'), inode('b')];
  workspaces.put(1, artifact({ a: file('a'), b: file('c') }));
  workspaces.tidy(1);
  expect(inode('a')).toBe(first);
  expect(inode('b')).not.toBe(second);
});

test('a change of the same length within the same moment is noticed', () => {
  for (let i = 0; i < 50; i++) {
    workspaces.put(1, artifact({ a: file(`${i % 10}`) }));
    writeFileSync(join(workspaces.path(1), 'a'), '#');
    workspaces.tidy(1);
    expect(readFileSync(join(workspaces.path(1), 'a'), 'utf8')).toBe(`${i % 10}`);
  }
});

test('a link that a test puts in place of a file is not written through', () => {
  const precious = join(workspaces.root, 'precious');
  writeFileSync(precious, 'mine');
  workspaces.put(1, artifact({ a: file('1') }));
  const a = join(workspaces.path(1), 'a');
  rmSync(a);
  symlinkSync(precious, a);
  workspaces.put(1, artifact({ a: file('2') }));
  expect([readFileSync(precious, 'utf8'), readFileSync(a, 'utf8')]).toEqual(['mine', '2']);
});

test('a removed or replaced working folder comes back with everything in it', () => {
  const given = artifact({ a: file('1'), 'b/c': file('2', true) });
  workspaces.put(1, given);
  rmSync(workspaces.path(1), { recursive: true });
  symlinkSync('/', workspaces.path(1));
  workspaces.tidy(1);
  expect(lstatSync(workspaces.path(1)).isDirectory()).toBe(true);
  expect(contents(workspaces.path(1))).toEqual(expected(given));
});

test('the temporary folder lies beside the artifact and is emptied', () => {
  const tmp = workspaces.tmp(1);
  expect(tmp.startsWith(workspaces.path(1))).toBe(false);
  mkdirSync(join(tmp, 'x/y'), { recursive: true, mode: 0o500 });
  workspaces.tidy(1);
  expect(readdirSync(tmp)).toEqual([]);
});

test('times that a command sees do not depend on when it runs', () => {
  workspaces.put(0, artifact({ z: file('1') }));
  workspaces.put(1, artifact({ z: file('1') }));
  const time = (slot: number) => statSync(join(workspaces.path(slot), 'z')).mtimeMs;
  expect(time(0)).toBe(time(1));
  utimesSync(join(workspaces.path(0), 'z'), 5, 5);
  workspaces.tidy(0);
  expect(time(0)).toBe(time(1));
});

test('closing removes everything', () => {
  const own = openWorkspaces(1);
  own.put(0, artifact({ a: file('1') }));
  own.close();
  expect(existsSync(own.root)).toBe(false);
});
