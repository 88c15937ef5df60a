import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cProject } from './c-project.js';
import { culprit, folderWith } from './culprit.js';
import { stableWithout } from './stable.js';

const hasTools = ['gcc --version', 'make --version', 'gcov --version'].every(
  line => spawnSync('sh', ['-c', line], { stdio: 'ignore' }).status === 0,
);
const skip = !hasTools && !process.env.CI;

function project(): string {
  const under = (name: string, files: Readonly<Record<string, string>>) =>
    Object.entries(files).map(([path, text]) => [`${name}/${path}`, text] as const);
  return folderWith(Object.fromEntries([...under('old', cProject(false)), ...under('new', cProject(true))]));
}

const build = 'make -s CFLAGS="-g -O0 --coverage"';
const stable = stableWithout('run', 'output', 'patches');

test.skipIf(skip)(
  'in a C project sixty hunks apart the lost bound is blamed, and no change that only fails to compile (needs gcc, make, gcov)',
  async () => {
    const cwd = project();
    const args = (name: string, ...more: readonly string[]) => [
      'changes',
      'old',
      'new',
      '--run',
      name,
      '-o',
      `${name}.out`,
      '--json',
      '--build',
      build,
      ...more,
      '--',
      './program',
    ];
    const { code, stdout, stderr } = await culprit(args('gcov', '-j', '1'), { cwd });
    expect(stderr).toContain('executed by the test (gcov)');
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    expect(found.changed).toBeGreaterThan(55);
    expect(found.suspects).toBeLessThan(found.changed / 2);
    expect(found.minimal).toEqual(['hunk', 'line']);
    expect(found.causes).toBe(1);
    const blamed = found.culprits.map((each: { file: string }) => each.file);
    expect(blamed).toEqual(['src/slot.c']);
    expect(found.culprits[0].code).toBe('-  if (place >= SLOTS)\n+  if (place == SLOTS)');
    expect(found.culprits[0].lines).toEqual({ old: [15, 15], new: [15, 15] });

    // The patches do what is said of them, outside of culprit.
    const run = (version: string, patch: string) => {
      const copy = join(cwd, `${version}-${patch}`);
      cpSync(join(cwd, version), copy, { recursive: true });
      const applied = spawnSync('git', ['apply', join(cwd, 'gcov.out', patch)], { cwd: copy, encoding: 'utf8' });
      expect(applied.stderr).toBe('');
      expect(spawnSync('make', ['-s'], { cwd: copy }).status).toBe(0);
      return spawnSync('./program', { cwd: copy }).signal;
    };
    expect(run('old', 'culprit.patch')).toBe('SIGSEGV');
    expect(run('new', 'revert.patch')).toBe(null);

    const four = await culprit(args('four', '-j', '4'), { cwd });
    expect(stable(four.stdout)).toEqual(stable(stdout));
    const blind = await culprit(args('blind', '--coverage', 'none'), { cwd });
    expect(JSON.parse(blind.stdout).culprits).toEqual(found.culprits);
  },
  240_000,
);

test.skipIf(skip)(
  'a build that does not notice a change is found out, and everything is then built from nothing (needs gcc, make)',
  async () => {
    const makefile = `program: a.o b.o\n\t$(CC) -o $@ a.o b.o\n%.o: %.c\n\t$(CC) -c -o $@ $<\n`;
    const a = '#include "limit.txt"\nint limit(void) { return LIMIT; }\n';
    const b = '#include <stdlib.h>\nint limit(void);\nint main(void) { if (limit() > 5) abort(); return 0; }\n';
    const cwd = folderWith({});
    for (const [name, limit] of [
      ['old', 3],
      ['new', 9],
    ] as const) {
      mkdirSync(join(cwd, name));
      const write = (file: string, text: string) => writeFileSync(join(cwd, name, file), text);
      write('Makefile', makefile);
      write('limit.txt', `#define LIMIT ${limit}\n`);
      write('a.c', a);
      write('b.c', b);
      write('note.txt', `${limit}\n`);
    }
    const args = ['changes', 'old', 'new', '--json', '-j', '1', '--coverage', 'none', '--build', 'make -s'];
    const { code, stdout, stderr } = await culprit([...args, '--signal', 'SIGABRT', '--', './program'], { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain('the build does not notice every change');
    const found = JSON.parse(stdout);
    expect(found.culprits.map((each: { change: string }) => each.change)).toEqual(['limit.txt -1,1 +1,1']);
    expect(readFileSync(join(cwd, 'culprit.changes/revert.patch'), 'utf8')).toContain('+#define LIMIT 3');
  },
);

test.skipIf(skip)('a build that fails on an end is said to, with what it printed (needs gcc, make)', async () => {
  const files = { Makefile: 'program: main.c\n\t$(CC) -o $@ main.c\n', 'main.c': 'int main(void) { return 1; }\n' };
  const broken = { ...files, 'main.c': 'int main(void) { return missing; }\n' };
  const at = (name: string, from: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(from).map(([path, text]) => [`${name}/${path}`, text]));
  const cwd = folderWith({ ...at('good', files), ...at('bad', broken) });
  const run = (old: string, now: string) =>
    culprit(['changes', old, now, '--build', 'make -s', '--', './program'], { cwd });
  const [first, second] = [await run('bad', 'good'), await run('good', 'bad')];
  expect(first.code).toBe(1);
  expect(first.stderr).toContain('The build fails on the old version (bad)');
  expect(first.stderr).toMatch(/.missing. undeclared/);
  expect(second.code).toBe(1);
  expect(second.stderr).toContain('The build fails on the new version (bad)');
});
