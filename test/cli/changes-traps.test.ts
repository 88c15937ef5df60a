import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.js';
import { git, repositoryWith } from './repository.js';

/** In latin1, as unpacked from an old archive. */
const odd = Buffer.from('caf\u00e9.js', 'latin1');
const oddIn = (folder: string) => Buffer.concat([Buffer.from(`${folder}/`), odd]);

test('a name that is not UTF-8 is a name like any other, in folders and in git, and the patches apply', async () => {
  const cwd = folderWith({ 'old/a.js': '1;\n', 'new/a.js': '1;\n' });
  writeFileSync(oddIn(join(cwd, 'old')), 'a = 1;\n');
  writeFileSync(oddIn(join(cwd, 'new')), 'a = 2;\n');
  const test = ['--json', '--', 'sh', '-c', 'cat *.js | grep -q 2 && { echo two >&2; exit 1; }; exit 0'];
  const folders = await culprit(['changes', 'old', 'new', ...test], { cwd });
  expect([folders.code, folders.stderr]).toEqual([0, expect.anything()]);
  expect(JSON.parse(folders.stdout).culprits).toMatchObject([{ role: 'cause', file: 'caf\udce9.js' }]);

  const repository = join(cwd, 'repository');
  repositoryWith(repository, [{ message: 'one', parents: [], files: { 'a.js': '1;\n' } }]);
  for (const [message, text] of [
    ['two', 'a = 1;\n'],
    ['three', 'a = 2;\n'],
  ] as const) {
    writeFileSync(oddIn(repository), text);
    git(repository, ['add', '.']);
    git(repository, ['-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', message]);
  }
  const revisions = await culprit(['changes', 'HEAD~1', 'HEAD', ...test], { cwd: repository });
  expect([revisions.code, revisions.stderr]).toEqual([0, expect.anything()]);
  git(repository, ['apply', 'culprit.changes/revert.patch']);
  expect(readFileSync(oddIn(repository), 'utf8')).toBe('a = 1;\n');
});

test('in a subfolder of a repository the test runs in the same subfolder of the version', async () => {
  const cwd = folderWith({});
  const check = "if (require('./lib.js') !== 1) throw new Error('not one');\n";
  const files = (n: number) => ({
    'part/lib.js': `module.exports = ${n};\n`,
    'part/check.js': check,
    'top.txt': `${n}\n`,
  });
  repositoryWith(cwd, [
    { message: 'works', parents: [], files: files(1) },
    { message: 'breaks', parents: [0], files: files(2) },
  ]);
  const part = join(cwd, 'part');
  const { code, stdout } = await culprit(['changes', 'HEAD~1', 'HEAD', '--json', '--', 'node', 'check.js'], {
    cwd: part,
  });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).culprits).toMatchObject([{ role: 'cause', file: 'part/lib.js', lines: { new: [1, 1] } }]);
});

test('submodules are named: they are empty in both versions', async () => {
  const cwd = folderWith({});
  const [id] = repositoryWith(cwd, [{ message: 'works', parents: [], files: { 'lib.sh': 'exit 0\n' } }]);
  git(cwd, ['update-index', '--add', '--cacheinfo', `160000,${id},vendor/thing`]);
  writeFileSync(join(cwd, 'lib.sh'), 'exit 3\n');
  git(cwd, ['add', 'lib.sh']);
  git(cwd, ['-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '-m', 'breaks']);
  const { code, stderr } = await culprit(['changes', 'HEAD~1', 'HEAD', '--', 'sh', 'lib.sh'], { cwd });
  expect(code).toBe(0);
  expect(stderr).toContain('vendor/thing');
});

test('a new version that hangs ends at the limit, with a hint', async () => {
  const cwd = folderWith({ 'old/t.sh': 'exit 0\n', 'new/t.sh': 'sleep 600\n' });
  const { code, stderr } = await culprit(['changes', 'old', 'new', '--timeout', '1', '--', 'sh', 't.sh'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain('--hang');
});

test('a test that changes its mind about the old version is said to, and nothing is called verified', async () => {
  const cwd = folderWith({ 'old/a.txt': '1\n', 'new/a.txt': '2\n', 'new/b.txt': '2\n' });
  mkdirSync(join(cwd, 'state'));
  // The old version passes when it is first seen, and fails from then on.
  writeFileSync(
    join(cwd, 't.sh'),
    `#!/bin/sh\ngrep -q 2 a.txt && exit 7\n[ -e ${cwd}/state/seen ] && exit 7\ntouch ${cwd}/state/seen\n`,
    { mode: 0o755 },
  );
  const { stdout, stderr } = await culprit(
    ['changes', 'old', 'new', '--json', '--coverage', 'none', '--', join(cwd, 't.sh')],
    { cwd },
  );
  expect(stderr).toContain('too often to distinguish the two');
  expect(stdout).not.toContain('"verified"');
});

test('a strategy whose answer does not verify says so first', async () => {
  const gap = Array.from({ length: 9 }, (_, i) => `// ${i}\n`).join('');
  const lib = (a: number, b: number) => `exports.a = ${a};\n${gap}exports.b = ${b};\n${gap}`;
  const cwd = folderWith({
    'old/lib.js': lib(1, 1),
    'new/lib.js': lib(2, 2),
    't.js': "const { a, b } = require(process.argv[2] + '/lib.js');\nif (a + b === 4) throw new Error('both');\n",
  });
  const { stderr } = await culprit(['changes', 'old', 'new', '--strategy', 'dd', '--', 'node', 't.js', '{}'], { cwd });
  expect(stderr).toContain('Not verified: 1 of 2 changes is to blame by this strategy');
  const ours = await culprit(['changes', 'old', 'new', '-o', 'ours', '--', 'node', 't.js', '{}'], { cwd });
  expect(ours.stderr).toContain('Done: 2 of 2 changes are to blame');
  expect(ours.stderr).toContain('to blame: lib.js:1');
  expect(existsSync(join(cwd, 'ours/revert.patch'))).toBe(true);
  expect(readFileSync(join(cwd, 'ours/revert.patch'), 'utf8').match(/^[-+]exports/gm)).toHaveLength(2);
});

test('--repeat looks at both ends that often', async () => {
  const cwd = folderWith({ 'old/a.txt': '1\n', 'new/a.txt': '2\n' });
  const runs = async (repeat: string) => {
    const count = join(cwd, `runs-${repeat}`);
    const script = join(cwd, `t-${repeat}.sh`);
    const text = `#!/bin/sh\ncat a.txt >> ${count}\n[ "$(cat a.txt)" = 1 ]\n`;
    writeFileSync(script, text, { mode: 0o755 });
    const args = ['changes', 'old', 'new', '-j', '1', '--coverage', 'none', '--repeat', repeat];
    const { code } = await culprit([...args, '--run', `r${repeat}`, '-o', `o${repeat}`, '--', script], { cwd });
    expect(code).toBe(0);
    const seen = readFileSync(count, 'utf8').trim().split('\n');
    return ['1', '2'].map(version => seen.filter(each => each === version).length);
  };
  const [often, once] = [await runs('9'), await runs('1')];
  for (const count of often) expect(count).toBeGreaterThanOrEqual(9);
  for (const count of once) expect(count).toBeLessThan(9);
});

/** Any mix of the two can't be judged. */
const entangled = (line: (word: string, at: number) => string) => {
  const lines = (word: string) => Array.from({ length: 70 }, (_, at) => `${line(word, at)}\n// ${at}\n`).join('');
  return { 'old/data.js': lines('old'), 'new/data.js': lines('new') };
};
const tooLarge = async (files: Readonly<Record<string, string>>, command: readonly string[]) => {
  const cwd = folderWith(files);
  const run = await culprit(['changes', 'old', 'new', '--bisect', '--json', '--', ...command, '{}'], { cwd });
  expect(run.code).toBe(0);
  expect(JSON.parse(run.stdout).minimal).toEqual([]);
  return run.stderr;
};

test('an answer that is too large to read ends with the likeliest changes', async () => {
  const check = `
const values = Object.values(require(require('path').resolve(process.argv[2], 'data.js'))).map(each => each());
const count = values.filter(each => each === 'new').length;
if (count === 70) process.exit(1);
process.exit(count === 0 ? 0 : 125);
`;
  const files = { ...entangled((word, at) => `exports.v${at} = () => '${word}';`), 'check.js': check };
  const [, likeliest] = (await tooLarge(files, ['node', 'check.js'])).split('the likeliest of these changes:\n');
  expect(likeliest).toMatch(/^ .*\d\.\d {2}data\.js:\d+/);
});

test('none is called likelier than the others if nothing is known about them', async () => {
  const check = 'case $(grep -c new "$1/data.js") in 0) exit 0;; 70) exit 1;; *) exit 125;; esac\n';
  const files = { ...entangled((word, at) => `${word} ${at}`), 'check.sh': check };
  expect(await tooLarge(files, ['sh', 'check.sh'])).not.toContain('likeliest');
});
