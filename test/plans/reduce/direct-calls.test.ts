/** A program that starts later: calls of its functions in place of what starts it. */
import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { runInOrder } from '../../../src/core/index.js';
import { directCalls } from '../../../src/plans/reduce/direct-calls.js';
import { artifactOf, textsIn } from '../texts.js';

const artifact = artifactOf({
  'main.js': "const { a } = require('./lib/a.js');\na(1);\n",
  'lib/a.js': `const { b } = require('./b.js');\nexports.a = n => b('x' + n, n);\n// ${'x'.repeat(30_000)}\n`,
  'lib/b.js': "const data = require('./data.json');\nexports.b = (text, n) => text + n + data.c;\n",
  'lib/data.json': '{ "c": 1 }',
  'lib/more.json': '{}',
  'notes.txt': 'y',
});
const calls = [
  { path: 'lib/a.js', name: 'a', values: '1' },
  { path: 'lib/b.js', name: 'b', values: '"x1", 1' },
];

test('calls take the place of what starts the program, without the files that they do not load', async () => {
  const watched: string[][] = [];
  let loaded = new Set<string>();
  const run = async (_: Artifact, files: ReadonlySet<string>) => {
    watched.push([...files]);
    return calls;
  };
  const pass = directCalls(run, () => loaded);
  expect(pass.needsRun!(artifact)).toBe(false);
  loaded = new Set(['main.js', 'lib/a.js', 'lib/b.js']);
  expect(pass.needsRun!(artifact)).toBe(true);
  const offered = (await pass.over(artifact))!;
  expect(offered.count).toBe(3);
  expect(offered.build([0, 3])).toBe(artifact);
  expect(offered.build([2, 3])).toBe(artifact);
  const both = textsIn(offered.build([0, 2]));
  expect(Object.keys(both)).toHaveLength(6);
  expect(both['main.js']).toMatch(/m0 = require\("\.\/lib\/a\.js"\)[\s\S]*m0\.a\(1\)[\s\S]*m1\.b\("x1", 1\)/);
  const second = textsIn(offered.build([0, 1]));
  expect(Object.keys(second).sort()).toEqual(['lib/b.js', 'lib/data.json', 'lib/more.json', 'main.js', 'notes.txt']);
  expect(second['main.js']).not.toContain('lib/a.js');
  // All calls first, and then as few of them as possible.
  const strategy = pass.strategy!(offered, false);
  const { result } = runInOrder(strategy, [0, 3], configuration =>
    textsIn(offered.build(configuration))['main.js']!.includes('m0.b(') ? 'fail' : 'pass',
  );
  expect(result).toEqual([0, 3]);
  const found = runInOrder(strategy, [0, 3], configuration =>
    /\.b\("x1"/.test(textsIn(offered.build(configuration))['main.js']!) ? 'fail' : 'pass',
  );
  expect(found.result).toEqual([0, 1]);
  expect(watched).toEqual([['lib/a.js', 'lib/b.js']]);
  expect(pass.needsRun!(artifact)).toBe(false);
});

test('a program without calls that can be written down is not asked about', async () => {
  const pass = directCalls(
    async () => [],
    () => new Set(['main.js', 'lib/a.js', 'lib/b.js']),
  );
  expect(await pass.over(artifact)).toBeUndefined();
});
