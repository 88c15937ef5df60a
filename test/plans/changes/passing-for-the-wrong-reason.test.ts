import { expect, test } from 'vitest';
import { changesBetween } from '../../../src/circumstances/changes/changes.js';
import type { Artifact } from '../../../src/core/artifact.js';
import { all, type Test } from '../../../src/core/index.js';
import { Counter } from '../../../src/engine/index.js';
import { passingAs } from '../../../src/plans/changes/rewritten/code-edits.js';
import { passesWithoutOneFile } from '../../../src/plans/changes/rewritten/whole-files.js';
import { identify } from '../../../src/sources/files.js';
import { inOrder } from '../../../src/sources/versions/snapshot.js';

const filesOf = (texts: Readonly<Record<string, string>>): Artifact => ({
  files: inOrder(Object.entries(texts).map(([path, text]) => [path, { kind: 'file', bytes: Buffer.from(text) }])),
});

const textIn = ({ files }: Artifact, path: string): string => {
  const entry = files.get(path);
  return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString() : '';
};

/** It passes, and prints the text of the file. */
const echo: Test<Artifact> = async artifact => ({
  outcome: 'pass',
  ...(textIn(artifact, 'a') === '' ? {} : { prints: true as const }),
});

test('an edit with which new passes and prints something is no answer if old passes without a word', async () => {
  const { signal } = new AbortController();
  const outcomeOf = async (old: string, candidate: string) =>
    (await passingAs(filesOf({ a: old }), echo)(filesOf({ a: candidate }), signal)).outcome;
  expect(await outcomeOf('', 'help')).toBe('unresolved');
  expect(await outcomeOf('', '')).toBe('pass');
  expect(await outcomeOf('1 passed', '2 passed')).toBe('pass');
});

test('an edit with which new passes without a word is no answer if old prints something', async () => {
  const { signal } = new AbortController();
  const silent = passingAs(filesOf({ a: '3 passed' }), echo);
  expect(await silent(filesOf({ a: '' }), signal)).toMatchObject({
    outcome: 'unresolved',
    reason: 'it passes, but prints nothing, and the old version prints something',
  });
  const failing = passingAs(filesOf({ a: '3 passed' }), async artifact =>
    textIn(artifact, 'a') === '' ? { outcome: 'pass' } : { outcome: 'fail' },
  );
  expect((await failing(filesOf({ a: '' }), signal)).outcome).toBe('pass');
});

test('a question about old that was withdrawn is asked again', async () => {
  let isWithdrawn = true;
  const silent = passingAs(filesOf({ a: '' }), async (artifact, signal) => {
    if (textIn(artifact, 'a') === '' && isWithdrawn) throw new Error('withdrawn');
    return echo(artifact, signal);
  });
  const { signal } = new AbortController();
  await expect(silent(filesOf({ a: 'x' }), signal)).rejects.toThrow('withdrawn');
  isWithdrawn = false;
  expect((await silent(filesOf({ a: 'x' }), signal)).outcome).toBe('unresolved');
});

test('of files beside the rewritten ones, the one without whose changes new passes is found, and rewritten ones are not asked about', async () => {
  const names = ['a.js', 'b.js', 'c.js'];
  const [old, now] = [1, 2].map(n => filesOf(Object.fromEntries(names.map(name => [name, `let x = ${n};\n`]))));
  const changes = changesBetween(old!.files, now!.files);
  const asked: string[] = [];
  const isFound = async (rewritten: readonly string[], culprit: string) => {
    asked.length = 0;
    const search = passesWithoutOneFile(
      { changes, suspicion: { suspects: all(changes.count), weights: [1, 3, 2] } as never },
      new Map(rewritten.map(path => [path, path])),
      async artifact => {
        asked.push(names.filter(name => textIn(artifact, name).includes('1')).join());
        return { outcome: textIn(artifact, culprit).includes('1') ? 'pass' : 'fail' };
      },
      { identify, counter: new Counter() },
    );
    let step = await search.next();
    while (!step.done) step = await search.next();
    return step.value;
  };
  expect([await isFound(['a.js'], 'c.js'), asked]).toEqual([true, ['b.js', 'c.js']]);
  expect([await isFound(['a.js'], 'a.js'), asked]).toEqual([false, ['b.js', 'c.js']]);
});

test('a package beside the rewritten files is one of the files, wherever in it the test runs', async () => {
  const [old, now] = [1, 2].map(n =>
    filesOf({
      'a.js': `let x = ${n};\n`,
      'node_modules/p/README.md': `${n}\n`,
      'node_modules/p/index.js': `let x = ${n};\n`,
      [`node_modules/p/package-${n}.json`]: '{}\n',
    }),
  );
  const changes = changesBetween(old!.files, now!.files);
  const search = passesWithoutOneFile(
    { changes, suspicion: { suspects: all(changes.count) } as never },
    new Map([['a.js', 'a.js']]),
    async artifact => ({ outcome: textIn(artifact, 'node_modules/p/index.js').includes('1') ? 'pass' : 'fail' }),
    { identify, counter: new Counter() },
  );
  let step = await search.next();
  while (!step.done) step = await search.next();
  expect(step.value).toBe(true);
});
