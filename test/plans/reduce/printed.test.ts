/** A program that only prints what the program printed, as one candidate. */
import { expect, test } from 'vitest';
import { printedPass } from '../../../src/plans/reduce/printed.js';
import { artifactOf, textsIn } from '../texts.js';

test('a program becomes what it prints, first without the other files; it is run for that once', async () => {
  const main = `import a from './a.js';\n${'console.log(a(1));\n'.repeat(9)}`;
  const artifact = artifactOf({ 'main.js': main, 'a.js': 'x'.repeat(500), 'data.txt': 'y' });
  let runs = 0;
  const output = async () => {
    runs++;
    return { path: 'main.js', lines: [[1, 'one "1"']] as const, exit: 0 };
  };
  let loaded = new Set<string>();
  const pass = printedPass(output, () => loaded);
  expect(pass.needsRun!(artifact)).toBe(false);
  loaded = new Set(['main.js', 'a.js']);
  expect(pass.needsRun!(artifact)).toBe(true);
  const offered = (await pass.over(artifact))!;
  const printing = 'console.log("one \\"1\\"");\n';
  expect(textsIn(offered.build([]))).toEqual({ 'main.js': printing });
  expect(textsIn(offered.build([0, 1]))).toEqual({ ...textsIn(artifact), 'main.js': printing });
  expect(offered.build([0, 2])).toEqual(artifact);
  expect(pass.needsRun!(artifact)).toBe(false);
  expect(await pass.over(artifact)).toBeUndefined();
  expect(runs).toBe(1);
});

test('what prints nothing, prints as much as it has, or is started by something else, is not asked about', async () => {
  const artifact = artifactOf({ 'main.py': 'print(1)\n'.repeat(100) });
  const offered = (seen: object) =>
    printedPass(
      async () => seen,
      () => new Set(['main.py']),
    ).over(artifact);
  expect(await offered({ path: 'main.py', lines: [], exit: 1 })).toBeUndefined();
  expect(await offered({ path: 'main.py', lines: [[1, 'z'.repeat(800)]], exit: 0 })).toBeUndefined();
  expect(await offered({})).toBeUndefined();
  expect((await offered({ path: 'main.py', lines: [[1, '1']], exit: 1 }))?.count).toBe(1);
});
