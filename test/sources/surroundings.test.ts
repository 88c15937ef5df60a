import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { surroundingsOf } from '../../src/sources/surroundings.js';

function folderWith(...paths: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-surroundings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const path of paths) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    if (path.endsWith('/')) mkdirSync(join(folder, path), { recursive: true });
    else writeFileSync(join(folder, path), path);
  }
  return folder;
}

test('a folder is copied with links, empty folders and executable bits, without runs of culprit', () => {
  const folder = folderWith('a.txt', 'src/b.txt', 'src/deep/c.txt', 'empty/', '.culprit/run/journal.jsonl', 'run.sh');
  chmodSync(join(folder, 'run.sh'), 0o755);
  symlinkSync('a.txt', join(folder, 'inside'));
  symlinkSync('../elsewhere', join(folder, 'outside'));
  const { files, linked } = surroundingsOf(folder);
  expect([...files.keys()]).toEqual(['a.txt', 'empty', 'inside', 'outside', 'run.sh', 'src/b.txt', 'src/deep/c.txt']);
  expect(files.get('run.sh')).toMatchObject({ executable: true });
  expect(files.get('inside')).toEqual({ kind: 'link', target: 'a.txt' });
  expect(files.get('outside')).toEqual({ kind: 'link', target: join(folder, '../elsewhere') });
  expect(files.get('empty')).toEqual({ kind: 'folder' });
  expect(linked).toEqual([]);
});

test('a run of culprit is left out wherever it is, and a journal of another program is copied', () => {
  const folder = folderWith('a.txt', 'runs/one/best/a.txt', 'runs/one/journal.jsonl', 'log/journal.jsonl');
  writeFileSync(join(folder, 'runs/one/journal.jsonl'), '{"culprit":2,"job":"schedules"}\n');
  expect([...surroundingsOf(folder).files.keys()]).toEqual(['a.txt', 'log/journal.jsonl']);
});

test('what is too much to copy is there by a link', () => {
  const many = Array.from({ length: 20 }, (_, i) => `many/${i}.txt`);
  const folder = folderWith('a.txt', 'node_modules/x/index.js', ...many, 'large.bin');
  writeFileSync(join(folder, 'large.bin'), Buffer.alloc(5000));
  const { files, linked } = surroundingsOf(folder, { bytes: 1000, entries: 10 });
  expect(linked).toEqual(['large.bin', 'many', 'node_modules']);
  expect(files.get('many')).toEqual({ kind: 'link', target: join(folder, 'many') });
  expect(files.get('a.txt')?.kind).toBe('file');
});
