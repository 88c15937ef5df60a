/** Damaged files of every format are read, or refused in a sentence: no other error, and no loop without an end. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { stateOfJournal } from '../../src/report/journal.js';
import { culprit, folderWith } from '../cli/culprit.js';
import { formatsIn, readDamaged } from './formats.js';
import { mutationsOf } from './mutations.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Of each format; `npm run bench -- hostile` reads ten times as many. */
const each = 250;
const place = mkdtempSync(join(tmpdir(), 'culprit-test-'));
const names = formatsIn(root, place).map(({ name }) => name);
rmSync(place, { recursive: true });

test.each(names.map((name, i) => ({ name, i })))('a damaged $name is read or refused in a sentence', ({ i }) => {
  const format = formatsIn(root, folderWith())[i]!;
  const counts = readDamaged(format, each, i + 1);
  expect(counts.read + counts.refused).toBe(each);
  // The mutations reach both.
  expect(counts.read).toBeGreaterThan(5);
  expect(counts.refused).toBeGreaterThan(3);
});

test('a damaged journal is read by `report`, up to the damage', async () => {
  const scratch = folderWith();
  const format = formatsIn(root, scratch).find(({ name }) => name === 'journal')!;
  const lines = format.whole.trimEnd().split('\n');
  const path = join(scratch, 'journal.jsonl');
  for (const [at, line] of lines.entries())
    for (const damaged of mutationsOf(line, 4, at)) {
      writeFileSync(path, `${lines.with(at, damaged).join('\n')}\n`);
      await stateOfJournal(path);
    }
});

test('the command line answers damaged files in a sentence, too', async () => {
  const damaged =
    '{"log": {"entries": [{"request": {"method": "GET", "url": "http://a/", "headers": [], "postData": {"text": 7}}}]}}';
  const step =
    '{"steps": [{"type": "navigate", "url": "x"}, {"type": "click", "selectors": ["#a"], "modifiers": "Alt"}]}';
  const lock = '{"packages": {"": {"dependencies": {"a": 7}}}}';
  const cwd = folderWith({
    'x.har': damaged,
    'x.json': step,
    'old/package-lock.json': lock,
    'new/package-lock.json': lock,
  });
  for (const [args, word] of [
    [['traffic', 'x.har', '--send', '--', 'true'], 'x.har: log.entries[0].request.postData.text is 7, expected a text'],
    [['actions', 'x.json'], 'step 2 of x.json (click): modifiers is "Alt", expected a list'],
    [
      ['changes', 'old/package-lock.json', 'new/package-lock.json', '--', 'true'],
      'dependencies.a is 7, expected a text',
    ],
  ] as const) {
    const ended = await culprit(args, { cwd });
    expect(ended.stderr).toContain(word);
    expect(ended.stderr).not.toMatch(/^ {4}at /m);
    expect(ended.code).toBe(2);
  }
});
