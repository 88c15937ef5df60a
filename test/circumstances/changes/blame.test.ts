import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commitsOf } from '../../../src/circumstances/changes/blame.js';
import { changesBetween } from '../../../src/circumstances/changes/changes.js';
import { of } from '../../../src/core/index.js';
import { openRepository } from '../../../src/sources/versions/git.js';
import { inScratch, plain } from './folders.js';

test('by commit: each commit can be applied or left out, what it deleted included', () =>
  inScratch(root => {
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: root,
        encoding: 'utf8',
        stdio: 'pipe',
      }).trim();
    const commit = (lines: readonly string[], more?: string): string => {
      writeFileSync(join(root, 'a'), lines.map(line => `${line}\n`).join(''));
      if (more !== undefined) writeFileSync(join(root, more), more);
      git('add', '.');
      git('commit', '-m', 'x');
      return git('rev-parse', 'HEAD');
    };
    git('init');
    const first = commit(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
    const second = commit(['1', 'two', '3', '4', '5', '6', '7', '8', '9'], 'b');
    const third = commit(['1', 'two', '3', '4', '6', '7', '8', '9']);
    const last = commit(['1', 'two', '3', '4', '6', '7', 'eight', '9']);
    const repository = openRepository(root);
    const [old, now] = [repository.snapshot(first), repository.snapshot(last)];
    const changes = changesBetween(old, now, { granularity: 'commit', commitOf: commitsOf(repository, first, last) });
    expect(changes.changes.map(({ label }) => label)).toEqual([second, third, last]);
    expect(plain(changes.build(of([0]))!.files)).toEqual(plain(repository.snapshot(second)));
    expect(plain(changes.build(of([0, 1]))!.files)).toEqual(plain(repository.snapshot(third)));
    expect(plain(changes.build(of([2]))!.files).a).toBe('1\n2\n3\n4\n5\n6\n7\neight\n9\n');
  }));
