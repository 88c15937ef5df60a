/** Which changes the test executes: in programs that know nothing of coverage, and in several languages. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cProject } from './c-project.js';
import { culprit, folderWith, processesWith, start, until } from './culprit.js';
import { stableWithout } from './stable.js';

const has = (...programs: readonly string[]): boolean =>
  process.env.CI !== undefined ||
  programs.every(name => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0);
const noGcc = !has('gcc', 'make', 'gcov');

type Texts = Readonly<Record<string, string>>;
const under = (name: string, files: Texts): Texts =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${name}/${path}`, text]));
const stable = stableWithout('run', 'output', 'patches');

/** Compiles into a folder that is not the version, and deletes it. */
const compiling = `#!/bin/sh
made=$(mktemp -d) || exit 125
trap 'rm -rf "$made"' EXIT
cc -O0 -o "$made/program" src/*.c || exit 125
"$made/program" || exit 1
`;

const cVersions = { ...under('old', cProject(false)), ...under('new', cProject(true)), 'compiling.sh': compiling };

function expectSlot(stdout: string): void {
  const found = JSON.parse(stdout);
  expect(found.changed).toBeGreaterThan(60);
  expect(found.suspects).toBeLessThan(found.changed / 3);
  expect(found.culprits.map((each: { change: string }) => each.change)).toEqual(['src/slot.c -15,1 +15,1']);
}

test.skipIf(noGcc)(
  'a test that compiles without any flag still shows which of sixty changes run, on any number of workers (needs gcc, gcov)',
  async () => {
    const cwd = folderWith(cVersions);
    const before = readdirSync(cwd, { recursive: true, encoding: 'utf8' });
    const run = (name: string, jobs: string) =>
      culprit(
        [
          'changes',
          'old',
          'new',
          '--json',
          '--bisect',
          '--run',
          name,
          '-o',
          `${name}.out`,
          '-j',
          jobs,
          '--',
          'sh',
          join(cwd, 'compiling.sh'),
        ],
        { cwd },
      );
    const one = await run('one', '1');
    expect(one.stderr).toContain('changes are executed by the test (gcov); the others are set aside');
    expect(one.code).toBe(0);
    expectSlot(one.stdout);
    expect(stable((await run('four', '4')).stdout)).toEqual(stable(one.stdout));
    const after = readdirSync(cwd, { recursive: true, encoding: 'utf8' });
    expect(after.filter(path => /^(?:old|new)\//.test(path))).toEqual(
      before.filter(path => /^(?:old|new)\//.test(path)),
    );
  },
  120_000,
);

test.skipIf(noGcc)(
  'a build without any flag is made with coverage once for each version, and no other test sees that (needs gcc, make, gcov)',
  async () => {
    const cwd = folderWith(cVersions);
    // The test itself refuses a program with counts in it, unless it runs with coverage.
    const check = '[ "$GCOV_PREFIX" ] || ! nm program | grep -q gcov || exit 125; ./program || exit 1';
    const args = ['changes', 'old', 'new', '--json', '--bisect', '-j', '1', '--build', 'make -s'];
    const { code, stdout, stderr } = await culprit([...args, '--', 'sh', '-c', check], { cwd });
    expect(stderr).toContain('executed by the test (gcov)');
    expect(code).toBe(0);
    expectSlot(stdout);
    expect(JSON.parse(stdout).unresolved).toBe(0);
  },
  120_000,
);

test.skipIf(noGcc)(
  'if a version has another outcome with our compilers, all changes are searched as without them (needs gcc)',
  async () => {
    const cwd = folderWith(cVersions);
    const check = 'case $(command -v cc) in */compilers/*) exit 0 ;; esac; sh "$0"';
    const args = ['changes', 'old', 'new', '--json', '--bisect', '-j', '1', '--granularity', 'file'];
    const { code, stderr } = await culprit([...args, '--', 'sh', '-c', check, join(cwd, 'compiling.sh')], { cwd });
    expect(stderr).toContain('no coverage found');
    expect(code).toBe(0);
    const asked = await culprit([...args, '--coverage', 'gcov', '--', 'sh', '-c', check, join(cwd, 'compiling.sh')], {
      cwd,
    });
    expect(asked.code).toBe(1);
    expect(asked.stderr).toContain('--coverage gcov saw no code of these versions run.');
  },
  120_000,
);

/** A package of two modules with 35 functions each, and one that is wrong in the new version. Every seventh function runs. */
interface Language {
  readonly program: string;
  readonly extension: string;
  /** A function that returns its argument plus a number; the lines before it are the same in both versions. */
  functionOf(name: string, number: number): string;
  main(names: readonly string[]): string;
}

const numbers = Array.from({ length: 35 }, (_, i) => i);
const ran = numbers.filter(i => i % 7 === 0);

const languages: readonly Language[] = [
  {
    program: 'python3',
    extension: 'py',
    functionOf: (name, number) =>
      `def ${name}(\n    x,\n):\n    """Adds."""\n    y = (x +\n         ${number})\n    return y\n\n\n`,
    main: names =>
      `import one\nimport two\ntotal = 0\n${names.map(name => `total += ${name}(1)\n`).join('')}assert total < 2000, "too much"\n`,
  },
  {
    program: 'ruby',
    extension: 'rb',
    functionOf: (name, number) => `def ${name}(x)\n  # Adds.\n  y = x +\n    ${number}\n  y\nend\n\n\n`,
    main: names =>
      `require_relative 'one'\nrequire_relative 'two'\ntotal = 0\n${names.map(name => `total += ${name.split('.')[1]}(1)\n`).join('')}raise 'too much' if total > 2000\n`,
  },
  {
    program: 'perl',
    extension: 'pl',
    functionOf: (name, number) =>
      `sub ${name} {\n  my ($x) = @_;\n  # Adds.\n  my $y = $x +\n    ${number};\n  return $y;\n}\n\n\n`,
    main: names =>
      `require './one.pl';\nrequire './two.pl';\nmy $total = 0;\n${names.map(name => `$total += ${name.split('.')[1]}(1);\n`).join('')}die "too much" if $total > 2000;\n`,
  },
];

function packageIn({ extension, functionOf, main }: Language, isNew: boolean): Texts {
  const moduleOf = (part: string) =>
    numbers
      .map(i => functionOf(`${part}_${i}`, part === 'two' && i === 14 && isNew ? 9000 : isNew ? i + 2 : i + 1))
      .join('') + (extension === 'pl' ? '1;\n' : '');
  const names = ['one', 'two'].flatMap(part => ran.map(i => `${part}.${part}_${i}`));
  return {
    [`one.${extension}`]: moduleOf('one'),
    [`two.${extension}`]: moduleOf('two'),
    [`main.${extension}`]: main(names),
  };
}

test.each(languages)(
  '$program: of seventy changed functions, only those that the test calls are searched',
  async language => {
    const { program, extension } = language;
    if (!has(program)) return;
    const cwd = folderWith({ ...under('old', packageIn(language, false)), ...under('new', packageIn(language, true)) });
    const args = (name: string, ...more: readonly string[]) => [
      ...['changes', 'old', 'new', '--json', '--run', name, '-o', `${name}.out`, '-j', '1', ...more],
      ...['--', program, `main.${extension}`],
    ];
    const { code, stdout, stderr } = await culprit(args('seen'), { cwd });
    expect(stderr).toContain(
      `10 of 70 changes are executed by the test (${program === 'python3' ? 'python' : program})`,
    );
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    expect(found.culprits).toHaveLength(1);
    expect(found.culprits[0].file).toBe(`two.${extension}`);
    expect(found.culprits[0].code).toContain('9000');
    const blind = JSON.parse((await culprit(args('blind', '--coverage', 'none'), { cwd })).stdout);
    expect(blind.culprits).toEqual(found.culprits);
    expect(found.tests).toBeLessThan(blind.tests);
  },
  60_000,
);

const inThree = (isNew: boolean): Texts => ({
  'check.js': [
    "const { execFileSync } = require('node:child_process');",
    "const run = (...argv) => execFileSync(argv[0], argv.slice(1), { encoding: 'utf8' });",
    'exports.unused = () => {',
    `  return ${isNew ? 1 : 2};`,
    '};',
    "run('cc', '-o', 'program', 'program.c');",
    "const [a, b] = [run('./program'), run('python3', 'program.py')];",
    "if (a !== b) throw new Error('different');",
    '',
  ].join('\n'),
  'program.c': `#include <stdio.h>\nint unused(void) {\n  return ${isNew ? 1 : 2};\n}\nint main(void) {\n  printf("%d\\n", 5);\n  return 0;\n}\n`,
  'program.py': `def unused():\n    return ${isNew ? 1 : 2}\n\n\nprint(${isNew ? 6 : 5})\n`,
  'unused.py': `x = ${isNew ? 1 : 2}\n`,
});

test.skipIf(noGcc || !has('python3'))(
  'a Node test that starts a C and a Python program: what each of them saw counts (needs gcc, gcov, python3)',
  async () => {
    const cwd = folderWith({ ...under('old', inThree(false)), ...under('new', inThree(true)) });
    const { code, stdout, stderr } = await culprit(
      ['changes', 'old', 'new', '--json', '-j', '1', '--', 'node', 'check.js'],
      { cwd },
    );
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('1 of 5 changes is executed by the test (v8, python, gcov)');
    expect(JSON.parse(stdout).culprits.map((each: { file: string }) => each.file)).toEqual(['program.py']);
  },
  60_000,
);

const args = (name: string, script: string, ...more: readonly string[]) => [
  ...['changes', 'old', 'new', '--json', '--bisect', '--run', name, '-o', `${name}.out`, '-j', '1', ...more],
  ...['--', 'sh', script],
];

test.skipIf(noGcc)('a resumed run reads from the journal what the test executes (needs gcc)', async () => {
  const cwd = folderWith(cVersions);
  const notes = () => readFileSync(join(cwd, 'r/journal.jsonl'), 'utf8').match(/"noted":"executed /g)?.length;
  const run = args('r', join(cwd, 'compiling.sh'), '--max-tests', '1');
  expect((await culprit(run, { cwd })).code).toBe(3);
  expect(notes()).toBe(1);
  const resumed = await culprit(['resume', 'r'], { cwd });
  expect(resumed.code).toBe(0);
  expectSlot(resumed.stdout);
  expect(notes()).toBe(1);
});

test.skipIf(noGcc)('Ctrl-C ends a run with coverage, and everything that it started (needs gcc)', async () => {
  const slow = `[ "$GCOV_PREFIX" ] && touch "\${0%/*}/started" && exec sleep 300\n${compiling}`;
  const cwd = folderWith({ ...cVersions, 'slow.sh': slow });
  const run = start(args('r', join(cwd, 'slow.sh'), '--timeout', '60'), { cwd });
  expect(await until(() => existsSync(join(cwd, 'started')))).toBe(true);
  run.kill('SIGINT');
  expect((await run.ended).code).not.toBe(0);
  expect(await until(() => processesWith(`/culprit-${run.pid}-`).length === 0)).toBe(true);
});
