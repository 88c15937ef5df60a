import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changesBetween } from '../../../src/circumstances/changes/changes.js';
import { deltasOf } from '../../../src/core/index.js';
import {
  type Coverage,
  readV8Coverage,
  suspectChanges,
  suspectPackages,
  v8Environment,
  watchReads,
} from '../../../src/oracle/coverage/index.js';
import { folderSnapshot, type Snapshot } from '../../../src/sources/versions/snapshot.js';
import { folder, inScratch, writeFolder } from '../../circumstances/changes/folders.js';

/** Runs `node main.js` in a folder of its own, with coverage. */
const covered = (files: Snapshot, args: readonly string[] = ['main.js'], reads = false): Promise<Coverage> =>
  inScratch(root => {
    const tree = join(root, 'tree');
    writeFolder(tree, files);
    const readNow = watchReads(tree, files.keys());
    spawnSync(process.execPath, args, { cwd: tree, env: { ...process.env, ...v8Environment(join(root, 'v8')) } });
    return readV8Coverage(join(root, 'v8'), tree, folderSnapshot(tree), reads ? readNow() : undefined);
  });

const sorted = (lines: ReadonlySet<number> | undefined): number[] => [...(lines ?? [])].sort((a, b) => a - b);

test('lines that ran are distinguished from lines that did not, in CommonJS', async () => {
  const coverage = await covered(
    folder({
      'main.js': [
        "const { used } = require('./lib.js');", // 1
        'if (used(1)) {', // 2
        '  console.log(1);', // 3
        '} else {', // 4
        '  console.log(2);', // 5
        '}', // 6
      ].join('\n'),
      'lib.js': ['exports.used = x => x > 0;', 'exports.unused = function () {', '  return 7;', '};', ''].join('\n'),
      'never.js': 'console.log(1);\n',
    }),
  );
  expect(sorted(coverage.executed.get('main.js'))).toEqual([1, 2, 3, 4]);
  expect(sorted(coverage.executed.get('lib.js'))).toEqual([1, 2, 4]);
  expect(coverage.executed.has('never.js')).toBe(false);
});

test('ES modules, child processes and worker threads count, with characters beyond ASCII before them', async () => {
  const coverage = await covered(
    folder({
      'main.mjs': [
        "import { spawnSync } from 'node:child_process';",
        "import { Worker } from 'node:worker_threads';",
        "import { there } from './lib.mjs';",
        "spawnSync(process.execPath, ['child.cjs']);",
        "new Worker(new URL('./worker.mjs', import.meta.url));",
        'there();',
      ].join('\n'),
      'lib.mjs': Buffer.from(
        '// größer 🎈\nexport function there() {\n  return 1;\n}\nexport function not() {\n  return 2;\n}\n',
      ).toString('latin1'),
      'child.cjs': 'console.log(1);\nif (false) {\n  console.log(2);\n}\n',
      'worker.mjs': 'console.log(3);\n',
    }),
    ['main.mjs'],
  );
  expect(sorted(coverage.executed.get('lib.mjs'))).toEqual([1, 2, 3, 4, 5]);
  expect(sorted(coverage.executed.get('child.cjs'))).toEqual([1, 2]);
  expect(sorted(coverage.executed.get('worker.mjs'))).toEqual([1]);
});

test('a program that fails with an exception still says what ran', async () => {
  const coverage = await covered(folder({ 'main.js': "throw new Error('x');\nfunction never() {}\n" }));
  expect(sorted(coverage.executed.get('main.js'))).toEqual([1]);
});

const main = "const { a } = require('./lib.js');\nconsole.log(a(1));\n";
const lib = (used: string, unused: string): string =>
  ['exports.a = x => {', `  ${used}`, '};', 'exports.b = x => {', `  ${unused}`, '};', ''].join('\n');
const old = folder({
  'main.js': main,
  'lib.js': lib('return x;', 'return 1;'),
  'data.json': '1\n',
  'other.js': '1;\n',
  'README.md': 'a\n',
});
const now = folder({
  'main.js': main,
  'lib.js': lib('return -x;', 'return 2;'),
  'data.json': '2\n',
  'other.js': '2;\n',
  'README.md': 'b\n',
});

test('changes that neither version executed are set aside; data files stay in, documents do not', async () => {
  const changes = changesBetween(old, now);
  const kept = suspectChanges(changes.changes, await covered(old), await covered(now));
  expect([...deltasOf(kept)].map(delta => changes.describe(delta))).toEqual([
    'data.json -1,1 +1,1',
    'lib.js -2,1 +2,1',
  ]);
});

test('where the file system tells what was read, data files that nobody read are set aside', async () => {
  const changes = changesBetween(old, now);
  const [before, after] = [await covered(old, ['main.js'], true), await covered(now, ['main.js'], true)];
  const known = before.read !== undefined;
  const kept = suspectChanges(changes.changes, before, after);
  const expected = known ? ['lib.js -2,1 +2,1'] : ['data.json -1,1 +1,1', 'lib.js -2,1 +2,1'];
  expect([...deltasOf(kept)].map(delta => changes.describe(delta))).toEqual(expected);
});

test('a script that is read as data and never run stays in', async () => {
  const reader = "console.log(require('fs').readFileSync('input.js', 'utf8'));\n";
  const before = folder({ 'main.js': reader, 'input.js': 'a\n' });
  const after = folder({ 'main.js': reader, 'input.js': 'b\n' });
  const changes = changesBetween(before, after);
  const coverages = [await covered(before, ['main.js'], true), await covered(after, ['main.js'], true)] as const;
  const kept = suspectChanges(changes.changes, ...coverages);
  expect([...deltasOf(kept)]).toEqual(coverages[0].read ? [0] : []);
});

test('when no coverage was seen at all, every change stays in', () => {
  const changes = changesBetween(old, now);
  const nothing: Coverage = { kinds: ['v8'], executed: new Map(), undecided: new Map() };
  expect([...deltasOf(suspectChanges(changes.changes, nothing, nothing))]).toEqual([...changes.changes.keys()]);
});

test('lines added are judged in new, lines deleted in old', () => {
  const before = folder({ 'a.js': '1\n2\n3\n4\n' });
  const after = folder({ 'a.js': '1\n3\n4\n5\n' });
  const changes = changesBetween(before, after);
  const ran = (...lines: number[]): Coverage => ({
    kinds: ['v8'],
    executed: new Map([['a.js', new Set(lines)]]),
    undecided: new Map(),
  });
  expect([...deltasOf(suspectChanges(changes.changes, ran(2), ran(1)))]).toEqual([0]);
  expect([...deltasOf(suspectChanges(changes.changes, ran(4), ran(4)))]).toEqual([1]);
  expect([...deltasOf(suspectChanges(changes.changes, ran(1, 3, 4), ran(1, 2, 3)))]).toEqual([]);
});

test('what a build made counts for its sources through the source map; what was shipped beside them does not', () =>
  inScratch(async root => {
    const { build } = await import('esbuild');
    const tree = join(root, 'tree');
    const files = folder({
      'src/lib.ts': 'export const used = (x: number) => x;\nexport function unused() {\n  return 2;\n}\n',
      'main.js': "console.log(require('./dist/lib.js').used(1));\n",
    });
    writeFolder(tree, files);
    const paths = { entryPoints: [join(tree, 'src/lib.ts')], outfile: join(tree, 'dist/lib.js') };
    await build({ ...paths, sourcemap: true, format: 'cjs', logLevel: 'error' });
    const env = { ...process.env, ...v8Environment(join(root, 'v8')) };
    spawnSync(process.execPath, ['main.js'], { cwd: tree, env });
    const lines = sorted(readV8Coverage(join(root, 'v8'), tree, files).executed.get('src/lib.ts'));
    expect(lines).toContain(1);
    expect(lines).not.toContain(3);
    expect(readV8Coverage(join(root, 'v8'), tree, folderSnapshot(tree)).executed.has('src/lib.ts')).toBe(false);
  }));

test('packages that neither run used are set aside', () => {
  const ran = (...paths: string[]): Coverage => ({
    kinds: ['v8'],
    executed: new Map(paths.map(path => [path, new Set([1])])),
    undecided: new Map(),
  });
  const upgrades = ['node_modules/a', 'node_modules/@s/b', 'node_modules/a/node_modules/c'].map(location => ({
    steps: [{ location }],
  }));
  expect([...deltasOf(suspectPackages(upgrades, ran('node_modules/a/x.js'), ran('node_modules/@s/b/y.js')))]).toEqual([
    0, 1,
  ]);
});
