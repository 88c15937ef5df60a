import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changesBetween } from '../../../src/circumstances/changes/changes.js';
import { deltasOf } from '../../../src/core/index.js';
import {
  type Coverage,
  gcovEnvironment,
  readGcovCoverage,
  resetGcov,
  suspectChanges,
} from '../../../src/oracle/coverage/index.js';
import { folderSnapshot, type Snapshot } from '../../../src/sources/versions/snapshot.js';
import { folder, inScratch, writeFolder } from '../../circumstances/changes/folders.js';

const hasGcov =
  process.env.CI !== undefined || ['gcc', 'gcov'].every(name => spawnSync(name, ['--version']).status === 0);

const covered = (
  files: Snapshot,
  args: readonly string[] = [],
): Promise<{ coverage: Coverage; signal: string | null }> =>
  inScratch(root => {
    const tree = join(root, 'tree');
    const tools = join(root, 'tools');
    mkdirSync(tools);
    writeFolder(tree, files);
    const sources = [...files.keys()].filter(path => path.endsWith('.c'));
    execFileSync('gcc', ['--coverage', '-O0', '-o', 'program', ...sources], { cwd: tree });
    spawnSync('./program', ['and', 'one', 'run', 'before'], { cwd: tree });
    resetGcov(tree, tools);
    const run = spawnSync('./program', [...args], { cwd: tree, env: { ...process.env, ...gcovEnvironment(tools) } });
    return {
      coverage: readGcovCoverage({ root: tree, folder: tools, files: folderSnapshot(tree) }),
      signal: run.signal,
    };
  });

const program = (limit: number, scale: number, table: number, other: number): Snapshot =>
  folder({
    'main.c': [
      '#include <stdio.h>', // 1
      '#include "lib.h"', // 2
      'int main(int argc, char **argv) {', // 3
      '  int *nowhere = 0;', // 4
      '  if (argc > 3)', // 5
      '    printf("%d", unused(argc));', // 6
      '  printf("%d", used(argc,', // 7
      `                    ${limit}));`, // 8
      '  if (argc == 2)', // 9
      '    *nowhere = 1;', // 10
      '  return 0;', // 11
      '}', // 12
      '',
    ].join('\n'),
    'lib.h': ['int used(int x, int y);', 'int unused(int x);', `#define SCALE ${scale}`, ''].join('\n'),
    'src/lib.c': [
      '#include "../lib.h"', // 1
      '/* a comment', // 2
      `   of ${other} lines */`, // 3
      `static int table[] = { ${table} };`, // 4
      'int used(int x, int y) {', // 5
      '  return x * SCALE + y + table[0];', // 6
      '}', // 7
      'int unused(int x) {', // 8
      `  return x + ${other};`, // 9
      '}', // 10
      '',
    ].join('\n'),
  });

const sorted = (lines: ReadonlySet<number> | undefined): number[] => [...(lines ?? [])].sort((a, b) => a - b);

test.skipIf(!hasGcov)(
  'lines of C that ran are distinguished from lines that did not (needs gcc and gcov)',
  async () => {
    const { coverage } = await covered(program(1, 2, 3, 4));
    expect(sorted(coverage.executed.get('main.c'))).toEqual([3, 4, 5, 7, 8, 9, 11, 12]);
    expect(sorted(coverage.executed.get('src/lib.c'))).toEqual([5, 6, 7]);
  },
);

test.skipIf(!hasGcov)('a crash keeps its signal and still says what ran (needs gcc and gcov)', async () => {
  const { coverage, signal } = await covered(program(1, 2, 3, 4), ['crash']);
  expect(signal).toBe('SIGSEGV');
  expect(sorted(coverage.executed.get('main.c'))).toContain(10);
  expect(sorted(coverage.executed.get('src/lib.c'))).toEqual([5, 6, 7]);
});

test.skipIf(!hasGcov)(
  'macros, tables and headers stay in; comments and functions that did not run are set aside (needs gcc and gcov)',
  async () => {
    const [old, now] = [program(1, 2, 3, 4), program(10, 20, 30, 40)];
    const changes = changesBetween(old, now);
    const kept = suspectChanges(changes.changes, (await covered(old)).coverage, (await covered(now)).coverage);
    expect([...deltasOf(kept)].map(delta => changes.describe(delta))).toEqual([
      'lib.h -3,1 +3,1',
      'main.c -8,1 +8,1',
      'src/lib.c -3,2 +3,2',
    ]);
    expect(changes.count).toBe(4);
  },
);

test.skipIf(!hasGcov)(
  'a macro inside a function that did not run is no suspect, one outside of functions is',
  async () => {
    const { coverage } = await covered(
      folder({
        'main.c': [
          '#define OUTSIDE 1', // 1
          'int idle(int x) {', // 2
          '#define INSIDE 2', // 3
          '  return x + INSIDE;', // 4
          '}', // 5
          'int main(void) {', // 6
          '  return OUTSIDE - 1;', // 7
          '}', // 8
          '',
        ].join('\n'),
      }),
    );
    expect([...coverage.undecided.get('main.c')!]).toContain(1);
    expect([...coverage.undecided.get('main.c')!]).not.toContain(3);
  },
);

test.skipIf(!hasGcov)('the type of a function on a line of its own belongs to the function', async () => {
  const { coverage } = await covered(
    folder({
      'main.c': [
        'int idle(int x);', // 1
        'static const', // 2
        'int', // 3
        'used(void) {', // 4
        '  return 0;', // 5
        '}', // 6
        'int', // 7
        'idle(int x) {', // 8
        '  return x;', // 9
        '}', // 10
        '#define TWICE(x) \\', // 11
        '  (2 * (x))', // 12
        'int other(void) {', // 13
        '  return 1;', // 14
        '}', // 15
        'int main(void) { return TWICE(used()); }', // 16
        '',
      ].join('\n'),
    }),
  );
  expect(sorted(coverage.executed.get('main.c'))).toEqual([2, 3, 4, 5, 6, 16]);
  expect(sorted(coverage.undecided.get('main.c'))).toEqual([1, 11, 12]);
});

test.skipIf(!hasGcov)('lines of a generated file are counted where #line says they came from', async () => {
  const { coverage } = await covered(
    folder({
      'rules.y': ['used', 'idle', ''].join('\n'),
      'parse.c': [
        '#line 2 "y.tab.c"', // 1
        'static int idle(int x) {', // 2
        '  return x + 1;', // 3
        '}', // 4
        'int main(int argc, char **argv) {', // 5
        '  int found = 0;', // 6
        '  if (argc > 1)', // 7
        '    found = idle(argc);', // 8
        '  else', // 9
        '#line 1 "rules.y"', // 10
        '    found += argc - 1;', // 11
        '#line 10 "y.tab.c"', // 12
        '  return found;', // 13
        '}', // 14
        '',
      ].join('\n'),
    }),
  );
  const ran = sorted(coverage.executed.get('parse.c'));
  expect(ran).toEqual(expect.arrayContaining([5, 6, 7, 11, 13]));
  for (const line of [2, 3, 4]) expect([ran, sorted(coverage.undecided.get('parse.c'))].flat()).not.toContain(line);
  expect(sorted(coverage.executed.get('rules.y'))).toContain(1);
});
