import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pairOf } from '../../../src/plans/changes/pair.js';
import { wordsOfTest } from '../../../src/plans/changes/test-words.js';
import { artifactOf } from '../texts.js';

const pairWith = (texts: Readonly<Record<string, string>>) => pairOf(artifactOf({}), artifactOf(texts), ['old', 'new']);

test('the words of a test are those of the scripts that the command names, on disk or in the version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'words-'));
  const script = join(folder, 'breaks.js');
  writeFileSync(script, 'const x = api.absoluteTo(1);');
  const pair = pairWith({ 'test/a.js': 'run(parse)', 'lib/b.js': 'other()' });
  expect([...wordsOfTest(['node', script, '{}'], pair)]).toEqual(['const', 'api', 'absoluteTo']);
  expect([...wordsOfTest(['node', '{}/test/a.js'], pair)]).toEqual(['run', 'parse']);
  expect([...wordsOfTest([`node ./test/a.js && node ${script}`], pair)]).toContain('absoluteTo');
});

test('a long file is no test of one thing', () => {
  const pair = pairWith({ 'all.js': 'check(word); '.repeat(2_000) });
  expect([...wordsOfTest(['node', 'all.js'], pair)]).toEqual([]);
});

test('a word that can name no file, or one that cannot be read, is no script', () => {
  const pair = pairWith({ 'a.js': 'run(parse)' });
  const words = ['x'.repeat(5_000), `${'d/'.repeat(3_000)}x`, '\0', '/proc/self/mem'];
  expect([...wordsOfTest(['sh', '-c', `${words.join(' ')} a.js`], pair)]).toEqual(['run', 'parse']);
});
