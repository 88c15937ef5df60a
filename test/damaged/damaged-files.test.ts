/** Damaged files of every format are read, or refused in a sentence: no other error, and no loop without an end. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { stateOfJournal } from '../../src/report/journal.js';
import { readJournal } from '../../src/run/journal.js';
import { boom, culprit, folderWith } from '../cli/culprit.js';
import { formatsIn, readAll, readDamaged } from './formats.js';
import { mutationsOf } from './mutations.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

test.each(formatsIn(root).map((format, i) => ({ ...format, seed: i + 1 })))(
  'a damaged $name is read or refused in a sentence',
  ({ seed, ...format }) => {
    const counts = readDamaged(format, 5000, seed);
    expect(counts.read).toBeGreaterThan(300);
    expect(counts.refused).toBeGreaterThan(500);
  },
);

test('a damaged journal is read or refused in a sentence, by resume and by report', async () => {
  const cwd = folderWith({ 'in.txt': 'a\nb\nBOOM\nc\n', 't.sh': boom });
  expect((await culprit(['reduce', 'in.txt', '--', './t.sh', '{}'], { cwd })).code).toBe(0);
  const lines = readFileSync(join(cwd, '.culprit/in-1/journal.jsonl'), 'utf8').trimEnd().split('\n');
  const path = join(cwd, 'journal.jsonl');
  const texts = lines.flatMap((line, i) =>
    [...mutationsOf(line, 40, i)].map(
      damaged => `${[...lines.slice(0, i), damaged, ...lines.slice(i + 1)].join('\n')}\n`,
    ),
  );
  expect(texts.length).toBeGreaterThan(500);
  const counts = readAll(texts, text => {
    writeFileSync(path, text);
    readJournal(path);
  });
  // Only a damaged header is refused; damage further down ends the trusted part.
  expect(counts.refused).toBeGreaterThan(20);
  for (const text of texts.filter((_, i) => i % 4 === 0)) {
    writeFileSync(path, text);
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
