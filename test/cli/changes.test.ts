import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { culprit, folderWith, lines, start, until } from './culprit.js';
import { stableWithout } from './stable.js';

/** A module of many functions, far enough apart for hunks of their own; `edited` says what is new in each. */
const library = (edited: Readonly<Record<number, string>>, version: number, length = 30) =>
  Array.from({ length }, (_, i) =>
    [
      `exports.f${i} = function (x) {`,
      '  const base = [1, 2, 3];',
      edited[i] ?? `  const y = x + ${i} * ${version % 2 === 1 || i % 3 === 0 ? 1 : 2};`,
      '  return base.map(each => each * y);',
      '};',
      '',
      `// the end of f${i}`,
      '',
      '',
      '',
    ].join('\n'),
  ).join('\n');

const check = `
const lib = require(require('path').resolve(process.argv[2], 'lib.js'));
const sum = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map(i => lib['f' + i](2)[0]).reduce((a, b) => a + b);
if (Number.isNaN(sum)) throw new TypeError('not a number');
`;

const versions = {
  'old/lib.js': library({}, 1),
  'old/README.md': '# one\n',
  'new/lib.js': library({ 9: '  const y = x + undefined;' }, 2),
  'new/README.md': '# two\n',
  'new/extra.js': 'exports.extra = 1;\n',
  'check.js': check,
};
const command = ['--', 'node', 'check.js', '{}'];
/** The same question to a shell, which answers in a tenth of the time: for what takes many tests, and no coverage. */
const asked = `#!/bin/sh
if grep -q undefined "$1/lib.js"; then echo 'TypeError: not a number' >&2; exit 1; fi
`;
const byShell = ['--', './check.sh', '{}'];
const stable = stableWithout('run', 'output', 'patches');
const failsOn = (cwd: string, version: string) =>
  spawnSync('node', ['check.js', version], { cwd, stdio: 'ignore' }).status !== 0;

function apply(cwd: string, version: string, patch: string): string {
  const copy = `${version} with ${patch.replaceAll('/', ' ')}`;
  cpSync(join(cwd, version), join(cwd, copy), { recursive: true });
  const { stderr } = spawnSync('git', ['apply', join(cwd, patch)], { cwd: join(cwd, copy), encoding: 'utf8' });
  expect(stderr).toBe('');
  return copy;
}

test('of twenty hunks, one line is blamed, by two patches that do what is said of them', async () => {
  const cwd = folderWith(versions);
  const { code, stdout, stderr } = await culprit(['changes', 'old', 'new', '--json', ...command], { cwd });
  expect(stderr).toContain('executed by the test (v8)');
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({
    job: 'changes',
    ended: 'done',
    causes: 1,
    verified: { culprit: 'fail', revert: 'pass' },
  });
  expect(found.suspects).toBeLessThan(found.changed);
  expect(found.culprits).toMatchObject([
    {
      file: 'lib.js',
      lines: { old: [93, 93], new: [93, 93] },
      code: '-  const y = x + 9 * 1;\n+  const y = x + undefined;',
    },
  ]);
  expect(readdirSync(join(cwd, 'culprit.changes'))).toEqual(['.gitignore', 'culprit.patch', 'revert.patch']);
  expect(failsOn(cwd, apply(cwd, 'old', 'culprit.changes/culprit.patch'))).toBe(true);
  expect(failsOn(cwd, apply(cwd, 'new', 'culprit.changes/revert.patch'))).toBe(false);
  const run = join(cwd, found.run);
  expect(readFileSync(join(run, 'best/culprit.patch'))).toEqual(
    readFileSync(join(cwd, 'culprit.changes/culprit.patch')),
  );
  const page = readFileSync(join(run, 'report.html'), 'utf8');
  for (const word of ['set aside', 'innocent', 'culprit']) expect(page).toContain(`"status":"${word}"`);
});

test('in the example, one line of the 63 changes between two versions of a library is to blame', async () => {
  const cwd = folderWith({});
  cpSync(fileURLToPath(new URL('../../examples/regression/', import.meta.url)), cwd, { recursive: true });
  const { code, stdout } = await culprit(['changes', 'ledger-1.2', 'ledger-1.3', '--json', ...command], { cwd });
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({ changed: 63, suspects: 46, tests: 9, causes: 1 });
  expect(found.culprits).toMatchObject([{ file: 'lib/money.js', lines: { old: [11, 11], new: [11, 11] } }]);
  expect(found.passes[0]).toMatchObject({ pass: 'hunks under suspicion', tests: 7 });
  expect(failsOn(cwd, apply(cwd, 'ledger-1.2', 'culprit.changes/culprit.patch'))).toBe(true);
  expect(failsOn(cwd, apply(cwd, 'ledger-1.3', 'culprit.changes/revert.patch'))).toBe(false);
});

test('the number of workers, and an interruption, change nothing in the result', async () => {
  const cwd = folderWith({ ...versions, 'check.sh': asked.replace('\n', '\nsleep 0.1\n') });
  const args = (name: string, jobs: string) => [
    'changes',
    'old',
    'new',
    '--json',
    '--run',
    name,
    '-o',
    `${name}.out`,
    '-j',
    jobs,
    ...byShell,
  ];
  const [one, four] = [await culprit(args('one', '1'), { cwd }), await culprit(args('four', '4'), { cwd })];
  expect(stable(four.stdout)).toEqual(stable(one.stdout));
  const run = start(args('cut', '1'), { cwd });
  const journal = join(cwd, 'cut/journal.jsonl');
  expect(await until(() => existsSync(journal) && lines(journal).some(line => line.includes('"step":3,')))).toBe(true);
  run.kill('SIGINT');
  const stopped = await run.ended;
  expect(stopped.code).toBe(3);
  expect(JSON.parse(stopped.stdout)).toMatchObject({ ended: 'interrupted', minimal: [] });
  // What is there already is true: the patch makes old fail.
  expect(failsOn(cwd, apply(cwd, 'old', 'cut/best/culprit.patch'))).toBe(true);
  const tested = lines(journal).filter(line => line.startsWith('{"test"')).length;
  const resumed = await culprit(['resume', 'cut'], { cwd });
  expect(resumed.code).toBe(0);
  expect(stable(resumed.stdout)).toEqual(stable(one.stdout));
  const all = lines(journal).filter(line => line.startsWith('{"test"'));
  expect(new Set(all.map(line => JSON.parse(line).test)).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(tested);
});

test('an interrupted run does not go on with a version that has changed', async () => {
  const cwd = folderWith({ ...versions, 'check.sh': asked });
  await culprit(['changes', 'old', 'new', '--run', 'r', '--max-tests', '2', ...byShell], { cwd });
  writeFileSync(join(cwd, 'new/extra.js'), 'something else\n');
  const { code, stderr } = await culprit(['resume', 'r'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain('new has changed since the run began');
});

test('a search that is stopped after the revert was found names it in JSON too', async () => {
  const files = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const version = (folder: string, value: number) =>
    Object.fromEntries(files.map(name => [`${folder}/${name}.js`, `exports.value = ${value};\n`]));
  const both = `#!/bin/sh
if grep -q 'value = 2' "$1/b.js" && grep -q 'value = 2' "$1/g.js"; then echo 'TypeError: both' >&2; exit 1; fi
`;
  const cwd = folderWith({ ...version('old', 1), ...version('new', 2), 'check.sh': both });
  const few = ['--coverage', 'none', '-j', '1', '--max-tests', '5', '--json'];
  const { stdout } = await culprit(['changes', 'old', 'new', ...few, ...byShell], { cwd });
  const { ended, culprits, revert } = JSON.parse(stdout);
  expect({ ended, culprits }).toEqual({ ended: 'budget', culprits: [] });
  expect(revert).toHaveLength(1);
});

test('two causes that are each enough are both blamed, and each has its patch', async () => {
  const both = library({ 6: '  const y = x - undefined;', 12: '  const y = x * undefined;' }, 2, 13);
  const cwd = folderWith({ ...versions, 'old/lib.js': library({}, 1, 13), 'new/lib.js': both });
  const { stdout, stderr } = await culprit(['changes', 'old', 'new', '--json', ...command], { cwd });
  const found = JSON.parse(stdout);
  expect(found.causes).toBe(2);
  expect(stderr).toContain('and, enough by itself,');
  expect(found.culprits.map((each: { code: string }) => each.code.split('\n')[1]).sort()).toEqual([
    '+  const y = x * undefined;',
    '+  const y = x - undefined;',
  ]);
  for (const name of ['culprit.patch', 'culprit-2.patch'])
    expect(failsOn(cwd, apply(cwd, 'old', `culprit.changes/${name}`))).toBe(true);
  expect(failsOn(cwd, apply(cwd, 'new', 'culprit.changes/revert.patch'))).toBe(false);
});

test('what coverage can’t see is found when the search widens: a file that only a native program reads', async () => {
  const reads = `#!/bin/sh\ngrep -q calm settings.md && node -e 0 && exit 0\necho "Error: not calm" >&2\nexit 2\n`;
  const cwd = folderWith({ ...versions, 'old/settings.md': 'calm\n', 'new/settings.md': 'wild\n', 't.sh': reads });
  const { code, stdout } = await culprit(['changes', 'old', 'new', '--json', '--', './t.sh'], { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).culprits).toMatchObject([{ file: 'settings.md' }]);
});

test('the plain algorithms run by name, over hunks or lines, and say what their answers are worth', async () => {
  const cwd = folderWith({ ...versions, 'check.sh': asked });
  for (const name of ['dd', 'ddmin', 'hdd', 'add', 'sweep']) {
    const args = ['changes', 'old', 'new', '--json', '--strategy', name, '-o', `${name}.out`, ...byShell];
    const { code, stdout } = await culprit(args, { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      culprits: [{ file: 'lib.js', lines: { new: [93, 93] } }],
      verified: { culprit: 'fail', revert: 'pass' },
    });
  }
  const wrong = await culprit(['changes', 'old', 'new', '--strategy', 'guess', ...byShell], { cwd });
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('Choose one of: dd, ddmin, hdd, add, sweep.');
});

/** A project with two packages, installed by hand: what npm would have made of the lockfile. */
function project(cwd: string, name: string, versionsOf: Readonly<Record<string, string>>): void {
  const packages: Record<string, unknown> = {};
  const folder = join(cwd, name);
  const ranges = Object.fromEntries(Object.keys(versionsOf).map(each => [each, '^1.0.0']));
  const root = { name: 'app', version: '1.0.0', dependencies: ranges };
  for (const [each, version] of Object.entries(versionsOf)) {
    packages[`node_modules/${each}`] = { version };
    mkdirSync(join(folder, 'node_modules', each), { recursive: true });
    const body = each === 'left' && version === '1.1.0' ? 'exports.pad = s => s;' : `exports.pad = s => ' ' + s;`;
    writeFileSync(join(folder, 'node_modules', each, 'package.json'), JSON.stringify({ name: each, version }));
    writeFileSync(join(folder, 'node_modules', each, 'index.js'), `${body}\n`);
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(root));
  const lock = { name: 'app', version: '1.0.0', lockfileVersion: 3, requires: true };
  const text = (all: unknown) => `${JSON.stringify({ ...lock, packages: all }, null, 2)}\n`;
  writeFileSync(join(folder, 'package-lock.json'), text({ '': root, ...packages }));
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), text(packages));
}

test('of two lockfiles, the upgrade that breaks the project is blamed, as a patch for the lockfile', async () => {
  const cwd = folderWith({
    'page.js':
      "const { pad } = require(process.argv[2] + '/node_modules/left');\nfor (const each of ['right', 'upper']) require(process.argv[2] + '/node_modules/' + each);\nif (pad('x') !== ' x') throw new Error('not padded');\n",
  });
  project(cwd, 'old', { left: '1.0.0', lower: '1.0.0', right: '1.0.0', upper: '1.0.0' });
  project(cwd, 'new', { left: '1.1.0', lower: '1.2.0', right: '1.0.4', upper: '1.0.9' });
  const locks = ['old/package-lock.json', 'new/package-lock.json'];
  const { code, stdout } = await culprit(['changes', ...locks, '--json', '--', 'node', 'page.js', '{}'], { cwd });
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({ changed: 4, minimal: ['upgrade'] });
  expect(found.suspects).toBe(3);
  expect(found.culprits).toMatchObject([{ file: 'package-lock.json', change: 'node_modules/left 1.0.0 → 1.1.0' }]);
  const copy = join(cwd, apply(cwd, 'new', 'culprit.changes/revert.patch'));
  const locked = JSON.parse(readFileSync(join(copy, 'package-lock.json'), 'utf8')).packages;
  expect(locked['node_modules/left'].version).toBe('1.0.0');
  expect(locked['node_modules/lower'].version).toBe('1.2.0');
  rmSync(copy, { recursive: true });
});

test('links, modes, binary files and new folders are changes like any other, and come back in the patch', async () => {
  const cwd = folderWith({
    'old/data.bin': Buffer.from([0, 1, 2, 3]),
    'old/run.sh': 'exit 0\n',
    'new/data.bin': Buffer.from([0, 1, 9, 3]),
    'new/run.sh': 'exit 0\n',
    'new/deep/er/file.txt': 'x\n',
    't.sh': '#!/bin/sh\ncmp -s data.bin /dev/null; od -An -tu1 data.bin | grep -q 9 && exit 4\nexit 0\n',
  });
  symlinkSync('run.sh', join(cwd, 'new/link'));
  spawnSync('chmod', ['+x', join(cwd, 'new/run.sh')]);
  const { code, stdout } = await culprit(['changes', 'old', 'new', '--json', '--', './t.sh'], { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    changed: 4,
    culprits: [{ file: 'data.bin', change: 'data.bin replaced' }],
  });
  const copy = apply(cwd, 'new', 'culprit.changes/revert.patch');
  expect([...readFileSync(join(cwd, copy, 'data.bin'))]).toEqual([0, 1, 2, 3]);
});

const good = { 'a/lib.js': '1;\n', 'a/t.js': '' };
test.each<[string, Readonly<Record<string, string>>, readonly string[], string, number]>([
  ['a version that is not there', good, ['./a', './gone', '--', 'true'], 'There is no folder ./gone', 2],
  ['no revision outside of a repository', good, ['v1', 'v2', '--', 'true'], 'not inside a git repository', 2],
  ['a folder that is misspelt', good, ['a', 'nwe', '--', 'true'], 'There is no folder nwe, and', 2],
  ['one version only', good, ['a', '--', 'true'], 'Two versions are needed', 2],
  ['no command', good, ['a', 'a'], 'No command to run', 2],
  ['the same twice', good, ['a', 'a', '--', 'false'], 'do not differ', 1],
  ['two that pass', { ...good, 'b/lib.js': '2;\n' }, ['a', 'b', '--', 'true'], 'it passes', 1],
  [
    'two that fail',
    { ...good, 'b/lib.js': '2;\n' },
    ['a', 'b', '--', 'false'],
    'both versions fail in the same way',
    1,
  ],
  [
    'two the wrong way round',
    { ...good, 'b/lib.js': '2;\n' },
    ['a', 'b', '--', 'grep', '-q', '2', 'lib.js'],
    'Did you swap the two versions?',
    1,
  ],
  [
    'a test that old lacks',
    { 'a/lib.js': '', 'b/lib.js': '', 'b/t.js': 'throw new Error("no")' },
    ['a', 'b', '--', 'node', 't.js'],
    'Only one of the two versions has t.js',
    1,
  ],
  [
    'a test that needs the network',
    {
      'a/lib.js': '1',
      'b/lib.js': '2',
      't.sh': '#!/bin/sh\ngrep -q 2 lib.js && exit 3\necho "getaddrinfo EAI_AGAIN example.org" >&2; exit 1\n',
    },
    ['a', 'b', '--', './t.sh'],
    'seems to need the network',
    1,
  ],
  [
    'coverage that sees nothing',
    { 'a/x.txt': '1', 'b/x.txt': '2' },
    ['a', 'b', '--coverage', 'v8', '--', 'grep', '-q', '1', 'x.txt'],
    'saw no code of these versions run',
    1,
  ],
  [
    'a file in place of a version',
    { 'a.txt': '', 'b.txt': '' },
    ['a.txt', 'b.txt', '--', 'true'],
    'is a file, but not a package-lock.json',
    2,
  ],
  [
    'an output that holds something else',
    { ...good, 'b/lib.js': '2;\n', 'culprit.changes/mine.txt': '' },
    ['a', 'b', '--', 'false'],
    'holds mine.txt',
    2,
  ],
  [
    'commits of folders',
    { ...good, 'b/lib.js': '2;\n' },
    ['a', 'b', '--granularity', 'commit', '--', 'grep', '-q', '1', 'lib.js'],
    'not revisions of a repository',
    2,
  ],
])('%s: a sentence, no stack, and nothing left behind', async (_, files, args, said, exit) => {
  const cwd = folderWith(files);
  const before = readdirSync(cwd, { recursive: true }).sort();
  const { code, stderr } = await culprit(['changes', ...args], { cwd });
  expect(stderr).toContain(said);
  expect(code).toBe(exit);
  expect(stderr).not.toMatch(/^ {4}at /m);
  const after = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter(name => !name.startsWith('.culprit'));
  expect(after.sort()).toEqual(before);
});

test('a test that changes its mind makes the answer "not verified"', async () => {
  // It counts its runs outside of the versions: the new one fails in the first seven, then in every other one.
  const fickle = `#!/bin/sh
runs=$(dirname "$0")/runs
touch "$runs"
n=$(wc -c < "$runs")
printf . >> "$runs"
if grep -q BUG "$1/a.txt" && { [ "$n" -lt 7 ] || [ $((n % 2)) -eq 1 ]; }; then echo 'Error: boom' >&2; exit 1; fi
`;
  const cwd = folderWith({ 'old/a.txt': 'one\ntwo\n', 'new/a.txt': 'one\nBUG\n', 'fickle.sh': fickle });
  const args = ['changes', 'old', 'new', '--json', '-j', '1', '--coverage', 'none', '--flaky', 'off'];
  const { stdout, stderr } = await culprit([...args, '--', './fickle.sh', '{}'], { cwd });
  expect(stderr).toContain('The test does not always say the same');
  expect(stderr).toContain('Not verified: 1 of 1 change is to blame');
  expect(JSON.parse(stdout).unsteady).not.toEqual([]);
});
