import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Branches, divergences, watchBranches } from '../../../src/oracle/coverage/branches/index.js';

const has = (...programs: readonly string[]) =>
  process.env.CI !== undefined || programs.every(name => spawnSync(name, ['--version']).status === 0);

/** Runs a command on two inputs, and gives the places that only the second run comes to. */
function parted(files: Readonly<Record<string, string>>, argv: readonly string[], build?: readonly string[]) {
  const home = mkdtempSync(join(tmpdir(), 'culprit-test-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
  if (build) execFileSync(build[0]!, build.slice(1), { cwd: home });
  const run = (input: string, isNative: boolean) => {
    const tmp = mkdtempSync(join(home, 'tmp-'));
    const look = watchBranches(home, isNative);
    const env = { ...process.env, ...look.built(home, tmp) };
    const { status, signal } = spawnSync(argv[0]!, [...argv.slice(1), input], { cwd: home, env });
    return { ...look.ran(home, tmp), ended: signal ?? status };
  };
  const passing = run('good', false);
  const failing = run('bad', passing.isNative);
  return { ended: [passing.ended, failing.ended], found: divergences(passing.branches, failing.branches) };
}

test('Node: the branch that only the failing run takes, and the function that it leads to', () => {
  const { ended, found } = parted(
    {
      'tool.js': [
        'const clean = text => {', // 1
        "  if (text === 'bad') {", // 2
        '    return explode(text);', // 3
        '  }', // 4
        '  return text;', // 5
        '};', // 6
        'function explode(text) {', // 7
        '  throw new Error(text);', // 8
        '}', // 9
        'function never() {}', // 10
        'for (let i = 0; i < 3; i++) clean(process.argv[2]);', // 11
      ].join('\n'),
    },
    [process.execPath, 'tool.js'],
  );
  expect(ended).toEqual([0, 1]);
  expect(found).toEqual([
    { file: 'tool.js', line: 2, kind: 'branch', function: 'clean' },
    { file: 'tool.js', line: 7, kind: 'function', function: 'explode' },
  ]);
});

test.skipIf(!has('python3'))(
  'Python: the same, and the frames that an exception passes are no branches (python3)',
  () => {
    const { ended, found } = parted(
      {
        'tool.py': [
          'import sys', // 1
          'def clean(text):', // 2
          "    if text == 'bad':", // 3
          '        return explode(text)', // 4
          '    return text', // 5
          'def explode(text):', // 6
          '    raise ValueError(text)', // 7
          'for i in range(3):', // 8
          '    clean(sys.argv[1])', // 9
        ].join('\n'),
      },
      ['python3', 'tool.py'],
    );
    expect(ended).toEqual([0, 1]);
    expect(found).toEqual([
      { file: 'tool.py', line: 3, kind: 'branch', function: 'clean' },
      { file: 'tool.py', line: 6, kind: 'function', function: 'explode' },
    ]);
  },
);

test.skipIf(!has('gcc', 'gcov'))('C: the same, although the failing run dies of a signal (gcc, gcov)', () => {
  const { ended, found } = parted(
    {
      'tool.c': [
        '#include <string.h>', // 1
        'static int explode(int *at) { return *at; }', // 2
        'static int clean(const char *text) {', // 3
        '  if (strcmp(text, "bad") == 0)', // 4
        '    return explode(0);', // 5
        '  return 0;', // 6
        '}', // 7
        'int main(int argc, char **argv) { return clean(argv[1]); }', // 8
      ].join('\n'),
    },
    ['./tool'],
    ['gcc', '--coverage', '-O0', '-o', 'tool', 'tool.c'],
  );
  expect(ended).toEqual([0, 'SIGSEGV']);
  expect(found[0]).toEqual({ file: 'tool.c', line: 4, kind: 'branch', function: 'clean' });
  expect(found.slice(1)).toEqual([{ file: 'tool.c', line: 2, kind: 'function', function: 'explode' }]);
});

test('a decision that always goes the other way comes before one that sometimes does; own files before packages', () => {
  const spot = (line: number) => ({ kind: 'branch', line, column: 0, endLine: line, endColumn: 0 }) as const;
  const branches = (taken: Readonly<Record<string, Readonly<Record<number, readonly [number, number]>>>>): Branches =>
    new Map(
      Object.entries(taken).map(([file, lines]) => [
        file,
        {
          spots: Object.keys(lines).map(line => spot(Number(line))),
          taken: ({ line }) => ({ times: lines[line]![0], of: lines[line]![1] }),
        },
      ]),
    );
  const found = divergences(
    branches({
      'a.js': { 1: [0, 4], 2: [0, 9], 3: [0, 2], 4: [1, 2], 5: [0, 0] },
      'node_modules/b/b.js': { 1: [0, 2] },
    }),
    branches({
      'a.js': { 1: [2, 4], 2: [1, 1], 3: [2, 2], 4: [2, 2], 5: [1, 1] },
      'node_modules/b/b.js': { 1: [2, 2] },
    }),
  );
  expect(found.map(({ file, line }) => `${file}:${line}`)).toEqual([
    'a.js:3',
    'node_modules/b/b.js:1',
    'a.js:2',
    'a.js:1',
  ]);
});
