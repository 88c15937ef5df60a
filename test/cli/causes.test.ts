import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.js';
import { repositoryWith } from './repository.js';
import { stableWithout } from './stable.js';

const run = (cwd: string, line: string) => spawnSync('/bin/sh', ['-c', line], { cwd, encoding: 'utf8' });
const stable = stableWithout('executed', 'run', 'output');
const sorted = (sets: readonly (readonly string[])[]) => sets.map(set => [...set].sort()).sort();

describe('a compiler', () => {
  const source = 'int main(void) {\n  int unused = 3;\n  return 0;\n}\n';
  const flags = '-O2 -g -std=c11 -Wall -Werror -Wshadow -Werror=unused-variable -Werror=unused -fno-common'.split(' ');
  const command = ['--', 'gcc', ...flags, '-c', 'bug.c', '-o', '/dev/null'];

  test('with two options that each fail and a pair that does: all are found, proven, and avoided by command lines that work', async () => {
    const cwd = folderWith({ 'bug.c': source });
    const { code, stdout, stderr } = await culprit(['options', '--all', '--json', ...command], { cwd });
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({ complete: true, unknown: [], needed: ['bug.c'] });
    expect(sorted(found.causes)).toEqual([['-Wall', '-Werror'], ['-Werror=unused'], ['-Werror=unused-variable']]);
    expect(found.avoid.map(({ leave }: { leave: string[] }) => leave.length)).toEqual([3, 3]);
    for (const { use } of found.avoid) expect(run(cwd, use).status).toBe(0);
    // By hand: each cause fails with the source alone, and with any option of it left out does not.
    for (const cause of found.causes as string[][]) {
      expect(run(cwd, `gcc ${cause.join(' ')} -c bug.c -o /dev/null`).stderr).toContain('error: unused variable');
      for (const option of cause) {
        const rest = cause.filter(each => each !== option).join(' ');
        expect(run(cwd, `gcc ${rest} -c bug.c -o /dev/null`).status).toBe(0);
      }
    }
    expect(stderr).toContain('Done. These are all 3 causes; 2 ways to avoid it.');
    expect(stderr).toMatch(/^cause 1: /m);
    const page = readFileSync(join(cwd, found.run, 'report.html'), 'utf8');
    expect(page).toContain('"cause 3"');
    expect(page).toContain('"way out 2"');
  });

  test('gives the same answer on 1, 2 and 8 workers', async () => {
    const cwd = folderWith({ 'bug.c': source });
    const lines: unknown[] = [];
    for (const jobs of ['1', '2', '8'])
      lines.push(stable((await culprit(['options', '--all', '--json', '-j', jobs, ...command], { cwd })).stdout));
    expect(lines[1]).toEqual(lines[0]);
    expect(lines[2]).toEqual(lines[0]);
  });

  test('stops at the limit, and says so', async () => {
    const cwd = folderWith({ 'bug.c': source });
    const { code, stdout, stderr } = await culprit(['options', '--all', '--limit', '2', '--json', ...command], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ complete: false, stopped: 'limit' });
    expect(stderr).toContain('At least 2 causes; stopped at the limit.');
  });

  test('a stopped run goes on to the same answer', async () => {
    const cwd = folderWith({ 'bug.c': source });
    const whole = await culprit(['options', '--all', '--json', '--run', 'one', ...command], { cwd });
    const half = await culprit(['options', '--all', '--json', '--run', 'two', '--max-tests', '20', ...command], {
      cwd,
    });
    expect(half.code).toBe(3);
    expect(JSON.parse(half.stdout)).toMatchObject({ ended: 'budget', complete: false });
    const rest = await culprit(['resume', 'two'], { cwd });
    expect(rest.code).toBe(0);
    expect(stable(rest.stdout)).toEqual(stable(whole.stdout));
  });
});

describe('an environment', () => {
  const files = {
    'bad/settings.h': '#error "these settings are for another machine"\n',
    'main.c': '#if __has_include(<settings.h>)\n#include <settings.h>\n#endif\nint main(void) { return 0; }\n',
  };

  test('with two variables that each break a compiler: both are found, and unsetting both is the way out', async () => {
    const cwd = folderWith(files);
    const env = { CPATH: join(cwd, 'bad'), C_INCLUDE_PATH: join(cwd, 'bad') };
    const command = ['--', 'gcc', '-c', 'main.c', '-o', '/dev/null'];
    const { code, stdout, stderr } = await culprit(['env', '--all', '--json', ...command], { cwd, env });
    expect(stderr).toContain('Done. These are all 2 causes; 1 way to avoid it.');
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    const names = found.causes.map((cause: string[]) => cause.map(each => each.split('=')[0]));
    expect(sorted(names)).toEqual([['CPATH'], ['C_INCLUDE_PATH']]);
    expect(found).toMatchObject({ complete: true });
    const { use } = found.avoid[0];
    expect(use).toBe('env -u CPATH -u C_INCLUDE_PATH gcc -c main.c -o /dev/null');
    const tried = spawnSync('/bin/sh', ['-c', use], { cwd, env: { ...process.env, ...env } });
    expect(tried.status).toBe(0);
  });

  test('with a passing one beside it: variables take their passing values', async () => {
    const cwd = folderWith({
      'good.env': `PATH=${process.env.PATH}\nMODE=calm\nLEVEL=1\nTONE=low\n`,
      'bad.env': `PATH=${process.env.PATH}\nMODE=wild\nLEVEL=9\nTONE=high\n`,
      'tool.sh': '#!/bin/sh\nif [ "$MODE" = wild ] || [ "$LEVEL" = 9 -a "$TONE" = high ]; then echo boom; exit 3; fi\n',
    });
    const args = ['env', '--passing', 'good.env', '--failing', 'bad.env', '--all', '--json', '--', './tool.sh'];
    const { code, stdout } = await culprit(args, { cwd });
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    expect(found.complete).toBe(true);
    expect(found.avoid.map(({ use }: { use: string }) => use).sort()).toEqual([
      'env LEVEL=1 MODE=calm ./tool.sh',
      'env MODE=calm TONE=low ./tool.sh',
    ]);
  });
});

test('a variable that is missing is a cause like any other, and setting it is the way out', async () => {
  const cwd = folderWith({
    'good.env': `PATH=${process.env.PATH}\nCONFIG=here\nTONE=low\n`,
    'bad.env': `PATH=${process.env.PATH}\nTONE=high\n`,
    'tool.sh': '#!/bin/sh\n[ -n "$CONFIG" ] || { echo "no config"; exit 3; }\n',
  });
  const args = ['env', '--passing', 'good.env', '--failing', 'bad.env', '--all', '--json', '--', './tool.sh'];
  const { code, stdout } = await culprit(args, { cwd });
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found).toMatchObject({ complete: true, causes: [['CONFIG is not set (was "here")']] });
  expect(found.avoid.map(({ use }: { use: string }) => use)).toEqual(['env CONFIG=here ./tool.sh']);
});

describe('something is missing', () => {
  test('env --prevent: the variables that make a tool work if they are set, tested, as command lines that work', async () => {
    const cwd = folderWith({
      'bad.env': `PATH=${process.env.PATH}\nNODE_OPTIONS=--no-warnings\n`,
      'more.env': 'TZ=UTC\nNODE_ENV=test\n',
      'tool.js': "if (process.env.NODE_ENV !== 'test' && !process.env.CONFIG) throw new Error('not configured');\n",
    });
    const tries = ['--try', 'CONFIG=here', '--try', 'API_TOKEN=abcdefgh12345678', '--try-file', 'more.env'];
    const args = ['env', '--prevent', ...tries, '--failing', 'bad.env', '--json', '--', 'node', 'tool.js'];
    const { code, stdout, stderr } = await culprit(args, { cwd });
    expect(stderr).toContain('Of 4 variables, 2 prevent the failure, each alone.');
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    expect(sorted(found.preventions)).toEqual([['CONFIG=here'], ['NODE_ENV=test']]);
    for (const use of found.use) expect(run(cwd, use).status).toBe(0);
    expect(run(cwd, `grep -r abcdefgh12345678 ${found.run}/best ${found.run}/report.html`).status).toBe(1);
  });

  test('changes --prevent: which change of a version that works fixed it, as a patch that works', async () => {
    const lib = (limit: number, note: string) =>
      `// ${note}\nexports.limit = ${limit};\nexports.sum = list => list.filter(x => x < exports.limit).length;\n`;
    const cwd = folderWith({
      'old/lib.js': lib(2, 'one'),
      'old/readme.txt': 'one\n',
      'new/lib.js': lib(10, 'one'),
      'new/readme.txt': 'two\n',
      'check.js': "if (require(process.argv[2] + '/lib.js').sum([1, 2, 3]) !== 3) throw new Error('wrong');\n",
    });
    const args = ['changes', 'old', 'new', '--prevent', '--json', '--', 'node', join(cwd, 'check.js'), '{}'];
    const { code, stdout } = await culprit(args, { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ changed: 2, preventions: [['lib.js -2,1 +2,1']] });
    expect(run(join(cwd, 'old'), `git apply ${join(cwd, 'culprit.changes/prevention.patch')}`).status).toBe(0);
    expect(run(cwd, `node check.js ${cwd}/old`).status).toBe(0);
    const swapped = await culprit(['changes', 'new', 'new', '--prevent', '--', 'true'], { cwd });
    expect(swapped.code).not.toBe(0);
  });
});

test('a cause that does not fail again is not called a cause', async () => {
  // Fails with -a every time, and with -b alone only once.
  const cwd = folderWith({
    'tool.sh':
      '#!/bin/sh\nif [ "$*" = "-b" ]; then [ ! -e "$ONCE" ] || exit 0; touch "$ONCE"; fi\ncase " $* " in *" -a "*|*" -b "*) echo boom; exit 3;; esac\n',
  });
  const env = { ONCE: join(folderWith(), 'once') };
  const args = ['options', '--all', '--json', '-j', '1', '--', './tool.sh', '-a', '-b', '-c', '-d'];
  const { stdout, stderr } = await culprit(args, { cwd, env });
  const found = JSON.parse(stdout);
  expect(found.complete).toBe(false);
  expect(found.unstable).toBeGreaterThan(0);
  expect(found.causes).not.toContainEqual(['-b']);
  expect(stderr).toContain('did not hold when tested again');
});

describe('changes', () => {
  const library = (a: string, b: string, note: string) =>
    [
      `// ${note}`,
      'const parse = text => {',
      `  ${a}`,
      '};',
      ...Array.from({ length: 12 }, (_, i) => `const filler${i} = ${i};`),
      'const clean = text => {',
      `  ${b}`,
      '};',
      'module.exports = { parse, clean };',
      '',
    ].join('\n');
  const good = library('return text.split(",");', 'return text.trim();', 'first');
  const bad = library('return text.split(";");', 'return text.trim() + ";";', 'second');
  const check =
    "const { parse, clean } = require(process.argv[2] + '/lib.js');\nif (parse(clean(' a,b ')).join('|') !== 'a|b') throw new Error('wrong');\n";

  test('with two independent breaking changes: both are causes, and the revert patch that takes back both is tested', async () => {
    const cwd = folderWith({ 'check.js': check });
    const [old, , now] = repositoryWith(join(cwd, 'lib'), [
      { message: 'works', parents: [], files: { 'lib.js': good } },
      {
        message: 'break one',
        parents: [0],
        files: { 'lib.js': library('return text.split(";");', 'return text.trim();', 'first') },
      },
      { message: 'break the other', parents: [1], files: { 'lib.js': bad } },
    ]);
    const args = ['changes', old!, now!, '--all', '--json', '--', 'node', join(cwd, 'check.js'), '{}'];
    const { code, stdout, stderr } = await culprit(args, { cwd: join(cwd, 'lib') });
    expect(stderr).toContain('These are all 2 causes; 1 way to avoid it.');
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({ complete: true, changed: 3 });
    expect(found.causes.map((cause: string[]) => cause.length)).toEqual([1, 1]);
    const out = join(cwd, 'lib', 'culprit.changes');
    for (const [revision, patch, exit] of [
      [now, 'revert.patch', 0],
      [old, 'culprit.patch', 1],
      [old, 'culprit-2.patch', 1],
    ] as const) {
      const copy = join(cwd, `tried-${patch}`);
      run(
        cwd,
        `git clone -q lib ${copy} && cd ${copy} && git checkout -q ${revision} && git apply ${join(out, patch)}`,
      );
      expect([patch, run(cwd, `node check.js ${copy}`).status]).toEqual([patch, exit]);
    }
  });

  test('between lockfiles: every upgrade that breaks the project, and the versions to pin', async () => {
    const cwd = folderWith({
      'page.js':
        "const at = name => require(process.argv[2] + '/node_modules/' + name);\nfor (const name of ['left', 'right', 'upper', 'lower']) if (at(name).pad('x') !== ' x') throw new Error('not padded');\n",
    });
    project(cwd, 'old', { left: '1.0.0', lower: '1.0.0', right: '1.0.0', upper: '1.0.0' });
    project(cwd, 'new', { left: '1.1.0', lower: '1.2.0', right: '1.1.0', upper: '1.0.9' });
    const locks = ['old/package-lock.json', 'new/package-lock.json'];
    const { code, stdout } = await culprit(['changes', ...locks, '--all', '--json', '--', 'node', 'page.js', '{}'], {
      cwd,
    });
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    expect(sorted(found.causes)).toEqual([['node_modules/left 1.0.0 → 1.1.0'], ['node_modules/right 1.0.0 → 1.1.0']]);
    expect(found.avoid.map(({ use }: { use: string }) => use)).toEqual([
      'npm install --save-exact left@1.0.0 right@1.0.0',
    ]);
    cpSync(join(cwd, 'new'), join(cwd, 'copy'), { recursive: true });
    expect(run(join(cwd, 'copy'), 'git apply ../culprit.changes/revert.patch').status).toBe(0);
    const { packages } = JSON.parse(readFileSync(join(cwd, 'copy/package-lock.json'), 'utf8'));
    expect(packages['node_modules/left'].version).toBe('1.0.0');
    expect(packages['node_modules/lower'].version).toBe('1.2.0');
  });
});

describe('two inputs', () => {
  const tool =
    "const { items } = JSON.parse(require('fs').readFileSync(process.argv[2], 'utf8'));\nif (items.some(item => item < 0) || (items[5] > 9 && items[6] > 9)) throw new RangeError('bad items');\n";
  const input = (items: readonly number[]) => `${JSON.stringify({ items }, null, 1)}\n`;

  test('every difference that fails by itself is found, and the input without all of them passes', async () => {
    const cwd = folderWith({
      'tool.js': tool,
      'works.json': input([1, 2, 3, 4, 5, 6, 7, 8]),
      'crashes.json': input([1, -2, 3, 44, 5, 60, 70, 8]),
    });
    const { code, stdout } = await culprit(
      ['isolate', 'works.json', 'crashes.json', '--all', '--json', '--', 'node', 'tool.js', '{}'],
      { cwd },
    );
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    expect(found.complete).toBe(true);
    expect(found.causes.map((cause: string[]) => cause.length).sort()).toEqual([1, 2]);
    expect(found.avoid).toHaveLength(2);
    for (const { use } of found.avoid) expect(run(cwd, use).status).toBe(0);
    expect(existsSync(join(cwd, 'crashes.isolated/avoids-2/crashes.json'))).toBe(true);
  });

  test('a folder that holds something else is not replaced', async () => {
    const cwd = folderWith({
      'tool.js': tool,
      'a.json': input([1]),
      'b.json': input([-1]),
      'mine/notes.txt': 'keep\n',
    });
    const args = ['isolate', 'a.json', 'b.json', '--all', '-o', 'mine', '--', 'node', 'tool.js', '{}'];
    const { code, stderr } = await culprit(args, { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('it holds notes.txt')]);
    expect(readFileSync(join(cwd, 'mine/notes.txt'), 'utf8')).toBe('keep\n');
  });
});

test.each([
  [['options', '--all', '--limit', '0', '--', 'gcc', '-c', 'x.c'], '--limit 0 is not a whole number of at least 1.'],
  [['options', '--all', '--limit', 'many', '--', 'gcc', '-c', 'x.c'], '--limit many is not a whole number'],
  [['options', '--limit', '3', '--', 'gcc', '-c', 'x.c'], 'needs --all'],
  [['options', '--all', '--prevent', '--try', '-O1', '--', 'gcc', 'x.c'], '--all and --prevent cannot be combined.'],
  [['env', '--all', '--names-only', '--', 'true'], '--all and --names-only cannot be combined.'],
  [['env', '--limit', '3', '--', 'true'], 'needs --all'],
  [['env', '--prevent', '--', 'true'], '--prevent needs variables to try'],
  [['env', '--try', 'A=1', '--', 'true'], '--try needs --prevent'],
  [['env', '--prevent', '--try', 'A', '--', 'true'], '--try A does not say to which value'],
  [['env', '--prevent', '--all', '--try', 'A=1', '--', 'true'], '--all and --prevent cannot be combined.'],
  [['env', '--prevent', '--try', 'A=1', '--passing', 'x', '--', 'true'], '--prevent and --passing cannot be combined.'],
  [
    ['changes', 'a', 'b', '--prevent', '--strategy', 'dd', '--', 'true'],
    '--prevent and --strategy cannot be combined.',
  ],
  [['changes', 'a', 'b', '--all', '--strategy', 'dd', '--', 'true'], '--all and --strategy cannot be combined.'],
  [['changes', 'a', 'b', '--all', '--granularity', 'commit', '--', 'true'], 'cannot be combined.'],
  [['isolate', 'a', 'b', '--all', '--smallest', '--', 'true'], '--all and --smallest cannot be combined.'],
])('%j is refused with a sentence', async (args, sentence) => {
  const { code, stderr } = await culprit(args, { cwd: folderWith() });
  expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
});

/** A project, installed by hand: versions 1.1 do not pad. */
function project(cwd: string, name: string, versions: Readonly<Record<string, string>>): void {
  const folder = join(cwd, name);
  const packages: Record<string, unknown> = {};
  for (const [each, version] of Object.entries(versions)) {
    packages[`node_modules/${each}`] = { version };
    mkdirSync(join(folder, 'node_modules', each), { recursive: true });
    const body = version === '1.1.0' ? 'exports.pad = s => s;' : "exports.pad = s => ' ' + s;";
    writeFileSync(join(folder, 'node_modules', each, 'package.json'), JSON.stringify({ name: each, version }));
    writeFileSync(join(folder, 'node_modules', each, 'index.js'), `${body}\n`);
  }
  const dependencies = Object.fromEntries(Object.keys(versions).map(each => [each, '^1.0.0']));
  const root = { name: 'app', version: '1.0.0', dependencies };
  const lock = { name: 'app', version: '1.0.0', lockfileVersion: 3, requires: true };
  const text = (all: unknown) => `${JSON.stringify({ ...lock, packages: all }, null, 2)}\n`;
  writeFileSync(join(folder, 'package.json'), JSON.stringify(root));
  writeFileSync(join(folder, 'package-lock.json'), text({ '': root, ...packages }));
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), text(packages));
}

describe('reduce --others', () => {
  const tool =
    "const text = require('fs').readFileSync(process.argv[2], 'utf8');\nif (/alpha[^]*beta/.test(text) || text.includes('gamma')) throw new RangeError('bad word');\n";
  const input = `${Array.from({ length: 30 }, (_, i) => ({ 4: 'one alpha', 20: 'two beta', 25: 'three gamma' })[i] ?? `line ${i}`).join('\n')}\n`;

  test('finds a different cause of the same failure in the same input', async () => {
    const cwd = folderWith({ 'tool.js': tool, 'words.txt': input });
    const args = ['reduce', 'words.txt', '--others', '3', '--json', '--', 'node', 'tool.js', '{}'];
    const { code, stdout, stderr } = await culprit(args, { cwd });
    expect(stderr).toContain('another cause of the same failure');
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    const texts = [found.output, join(cwd, found.others[0].path, 'words.txt')].map(path => readFileSync(path, 'utf8'));
    expect(found.others).toHaveLength(1);
    expect(texts.map(text => text.replace(/\n/g, '')).sort()).toEqual(['alphabeta', 'gamma']);
  });

  test('a number that is none is refused with a sentence', async () => {
    const { code, stderr } = await culprit(['reduce', 'x', '--others', '0', '--', 'true'], { cwd: folderWith() });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--others 0 is not a whole number')]);
  });
});
