import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changesBetween } from '../../../src/circumstances/changes/changes.js';
import { UserError } from '../../../src/core/index.js';
import { openRepository } from '../../../src/sources/versions/git.js';
import {
  requireDifference,
  resolveVersion,
  resolveVersions,
  splitVersions,
  type Version,
} from '../../../src/sources/versions/versions.js';
import { inScratch, plain } from '../../circumstances/changes/folders.js';

const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'init.defaultBranch=main', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Two commits, tagged v1 and v2, and then changes that were not committed. */
function repository(root: string): string {
  mkdirSync(join(root, 'lib'));
  git(root, 'init');
  writeFileSync(join(root, 'a.js'), 'one\n');
  writeFileSync(join(root, 'same.bin'), Buffer.from([0, 255, 10, 13]));
  writeFileSync(join(root, 'lib', 'run.sh'), 'echo\n', { mode: 0o755 });
  symlinkSync('a.js', join(root, 'link'));
  git(root, 'add', '.');
  git(root, 'commit', '-m', 'first');
  git(root, 'tag', 'v1');
  writeFileSync(join(root, 'a.js'), 'two\n');
  git(root, 'commit', '-am', 'second');
  git(root, 'tag', 'v2');
  writeFileSync(join(root, 'a.js'), 'not committed\n');
  writeFileSync(join(root, 'staged.js'), 'staged\n');
  git(root, 'add', 'staged.js');
  return root;
}

const options = (root: string) => ({ cwd: root, cache: join(root, '.culprit', 'cache') });
const failure = async (work: () => unknown): Promise<UserError> => {
  try {
    await work();
  } catch (error) {
    expect(error).toBeInstanceOf(UserError);
    return error as UserError;
  }
  throw new Error('nothing was wrong');
};

test('a revision is what was committed, with modes, links and binary files', () =>
  inScratch(async root => {
    repository(root);
    const [old, now] = await resolveVersions(['v1..v2'], options(root));
    if (old.kind !== 'git' || now.kind !== 'git') throw new Error('not a revision');
    expect(plain(old.files)).toEqual({
      'a.js': 'one\n',
      'lib/run.sh': 'x echo\n',
      link: '→ a.js',
      'same.bin': '\0\xFF\n\r',
    });
    expect(now.files.get('same.bin')).toBe(old.files.get('same.bin'));
    expect(changesBetween(old.files, now.files).changes.map(({ label }) => label)).toEqual(['a.js -1,1 +1,1']);
  }));

test('looking at revisions leaves the index, the stash and the work tree as they were', () =>
  inScratch(async root => {
    repository(root);
    const seen = () => [
      readFileSync(join(root, '.git', 'index')).toString('latin1'),
      statSync(join(root, '.git', 'index')).mtimeMs,
      readFileSync(join(root, 'a.js'), 'utf8'),
      existsSync(join(root, '.git', 'refs', 'stash')),
    ];
    const before = seen();
    const [old] = await resolveVersions(['v1', 'HEAD'], options(root));
    if (old.kind === 'git') plain(old.files);
    expect(openRepository(root).uncommitted().toSorted()).toEqual(['a.js', 'staged.js']);
    expect(seen()).toEqual(before);
  }));

test('more files than are fetched at once come out right', () =>
  inScratch(async root => {
    git(root, 'init');
    for (let i = 0; i < 1100; i++) writeFileSync(join(root, `f${i}`), `${i}\n`.repeat(i % 5));
    git(root, 'add', '.');
    git(root, 'commit', '-m', 'many');
    const version = await resolveVersion('HEAD', options(root));
    if (version.kind !== 'git') throw new Error('not a revision');
    for (const i of [1099, 0, 511, 512, 513, 700]) expect(plain(version.files)[`f${i}`]).toBe(`${i}\n`.repeat(i % 5));
  }));

test('a history lists parents before children, merges included', () =>
  inScratch(root => {
    repository(root);
    git(root, 'stash', 'push', '--include-untracked');
    git(root, 'checkout', '-b', 'side', 'v1');
    git(root, 'commit', '--allow-empty', '-m', 'side');
    git(root, 'checkout', 'main');
    git(root, 'merge', 'side', '-m', 'merge');
    const commits = openRepository(root).history('main', ['v1']);
    expect(commits).toHaveLength(3);
    const place = new Map(commits.map(({ id }, i) => [id, i]));
    for (const [i, { parents }] of commits.entries())
      for (const parent of parents) expect(place.get(parent) ?? -1).toBeLessThan(i);
    expect(commits.at(-1)!.parents).toHaveLength(2);
  }));

test('a folder, a lockfile and a range are distinguished', () =>
  inScratch(async root => {
    mkdirSync(join(root, 'old'));
    writeFileSync(join(root, 'old', 'x'), 'x\n');
    writeFileSync(join(root, 'package-lock.json'), '{"lockfileVersion": 3, "packages": {}}');
    expect(await resolveVersion('old', options(root))).toMatchObject({ kind: 'folder', title: 'old' });
    expect(await resolveVersion('package-lock.json', options(root))).toMatchObject({ kind: 'lockfile', folder: root });
    expect(splitVersions(['v1.2..v1.3'])).toEqual(['v1.2', 'v1.3']);
    expect(splitVersions(['a', 'b'])).toEqual(['a', 'b']);
  }));

test('what is wrong is said in a sentence, with what to do', () =>
  inScratch(async root => {
    repository(root);
    writeFileSync(join(root, 'plain.txt'), 'x');
    mkdirSync(join(root, 'folder'));
    writeFileSync(join(root, 'package-lock.json'), '{}');
    const wrong = (...specs: string[]) => failure(() => resolveVersions(specs, options(root)));
    expect((await wrong('v1', 'v9')).message).toContain('no commit "v9"');
    expect((await wrong('./nowhere', 'v1')).message).toContain('no folder ./nowhere');
    expect((await wrong('plain.txt', 'v1')).advice).toContain('culprit isolate');
    expect((await wrong('v1')).message).toContain('Two versions');
    expect((await wrong('package-lock.json', 'folder')).message).toContain('one is a lockfile');
    expect((await wrong('npm:marked', 'v1')).message).toContain('names no version');
    const same: Version = { kind: 'folder', title: 'x', files: new Map() };
    expect(await failure(() => requireDifference(0, same, same))).toMatchObject({ exitCode: 1 });
  }));

test('outside of a repository, and in a shallow clone, the advice fits', () =>
  inScratch(async root => {
    mkdirSync(join(root, 'none'));
    mkdirSync(join(root, 'origin'));
    repository(join(root, 'origin'));
    const ceiling = process.env.GIT_CEILING_DIRECTORIES;
    process.env.GIT_CEILING_DIRECTORIES = root;
    try {
      const none = await failure(() => resolveVersion('v1', options(join(root, 'none'))));
      expect(none.message).toContain('not inside a git repository');
    } finally {
      if (ceiling === undefined) delete process.env.GIT_CEILING_DIRECTORIES;
      else process.env.GIT_CEILING_DIRECTORIES = ceiling;
    }
    git(root, 'clone', '--depth', '1', '--no-tags', `file://${join(root, 'origin')}`, 'shallow');
    const shallow = await failure(() => resolveVersion('v1', options(join(root, 'shallow'))));
    expect(shallow.advice).toContain('--unshallow');
  }));

const hasRegistry =
  process.env.CI !== undefined ||
  spawnSync('npm', ['view', 'graceful-readlink@1.0.1', 'version'], {
    timeout: 20_000,
    encoding: 'utf8',
  }).stdout?.trim() === '1.0.1';

test.skipIf(!hasRegistry)(
  'a published package comes with what it needs, and is fetched once (needs the npm registry)',
  () =>
    inScratch(async root => {
      const version = await resolveVersion('npm:commander@2.9.0', options(root));
      if (version.kind !== 'npm') throw new Error('not a package');
      expect([...version.files.keys()]).toContain('index.js');
      expect([...version.files.keys()]).toContain('node_modules/graceful-readlink/index.js');
      const missing = await failure(() => resolveVersion('npm:commander@0.0.99', options(root)));
      expect(missing.message).toBe('commander@0.0.99 is not published.');
    }),
);
