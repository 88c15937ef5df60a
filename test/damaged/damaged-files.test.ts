/** Damaged files of every format are read, or refused in a sentence: no other error, and no loop without an end. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { actionsOf } from '../../src/circumstances/actions.js';
import { upgradesOf } from '../../src/circumstances/packages.js';
import { exchangesOf } from '../../src/circumstances/traffic/exchanges.js';
import { fieldsOf } from '../../src/circumstances/traffic/fields.js';
import { all, UserError } from '../../src/core/index.js';
import { stateOfJournal } from '../../src/report/journal.js';
import { readJournal } from '../../src/run/journal.js';
import { readHar } from '../../src/sources/har/har.js';
import { maskedHar, secretsOf, shownExchange } from '../../src/sources/har/show.js';
import { parseLockfile } from '../../src/sources/packages/lockfile.js';
import { playwrightScript } from '../../src/sources/recording/playwright-script.js';
import { folded, separated } from '../../src/sources/recording/presses.js';
import { readRecording } from '../../src/sources/recording/recording.js';
import { boom, culprit, folderWith } from '../cli/culprit.js';
import { mutationsOf } from './mutations.js';

const example = (path: string): string => readFileSync(new URL(`../../examples/${path}`, import.meta.url), 'utf8');

/** Reads each text and uses what was read. Counts, so that a test can see that both ends were reached. */
function readAll(
  texts: Iterable<string>,
  use: (text: string) => void,
): { readonly read: number; readonly refused: number } {
  let [read, refused] = [0, 0];
  for (const text of texts) {
    try {
      use(text);
      read++;
    } catch (error) {
      // A test that fails shows the text and where it went wrong.
      if (!(error instanceof UserError)) throw new Error(`${text}\n${(error as Error).stack}`);
      expect(error.message).toMatch(/\S/);
      refused++;
    }
  }
  return { read, refused };
}

test('a damaged HAR file is read or refused in a sentence', () => {
  const whole = JSON.parse(example('traffic/session.har'));
  whole.log.entries = whole.log.entries.slice(0, 3);
  const counts = readAll(mutationsOf(JSON.stringify(whole), 5000, 1), text => {
    const har = readHar(text, 'x.har');
    for (const each of [exchangesOf(har), fieldsOf(har, 'request'), fieldsOf(har, 'response')]) {
      each.build(all(each.count));
      each.build([]);
      for (let delta = 0; delta < each.count; delta++) each.describe?.(delta);
    }
    maskedHar(har);
    secretsOf(har);
    har.log.entries.map(shownExchange);
  });
  expect(counts.read).toBeGreaterThan(500);
  expect(counts.refused).toBeGreaterThan(500);
});

test('a damaged recording is read or refused in a sentence', () => {
  const whole = {
    title: 'all kinds',
    steps: [
      { type: 'setViewport', width: 800, height: 600, deviceScaleFactor: 1, isMobile: false, hasTouch: false },
      { type: 'navigate', url: 'https://example.org/', assertedEvents: [{ type: 'navigation', url: 'x', title: 'y' }] },
      { type: 'click', target: 'main', selectors: [['#a'], 'text/b'], offsetX: 3, offsetY: 4, modifiers: ['Alt'] },
      { type: 'doubleClick', selectors: ['aria/c'], button: 'secondary', frame: [0] },
      { type: 'hover', selectors: [['xpath///a']] },
      { type: 'change', selectors: ['#d'], value: 'e' },
      { type: 'keyDown', key: 'p', code: 'KeyP', modifiers: ['Control', 'Shift'] },
      { type: 'keyUp', key: 'p' },
      { type: 'scroll', x: 1, y: 2, selectors: ['#f'] },
      { type: 'waitForElement', selectors: ['#g'], operator: '>=', count: 2 },
      { type: 'waitForExpression', expression: 'true' },
      { type: 'emulateNetworkConditions', download: 1, upload: 1, latency: 1 },
      { type: 'customStep', name: 'culprit:mouseDown', parameters: { selectors: ['#h'], button: 'primary' } },
      { type: 'customStep', name: 'culprit:mouseUp', parameters: {} },
      { type: 'customStep', name: 'culprit:select', parameters: { selectors: ['#i'], values: ['j'] } },
      {
        type: 'customStep',
        name: 'culprit:chooseFiles',
        parameters: { selectors: ['#k'], files: [{ name: 'l', base64: 'bQ==' }] },
      },
      { type: 'close' },
    ],
  };
  const counts = readAll(mutationsOf(JSON.stringify(whole), 8000, 2), text => {
    const recording = readRecording(text, 'x.json');
    const actions = actionsOf(recording);
    for (let delta = 0; delta < actions.count; delta++) actions.describe!(delta);
    const reduced = actions.build([])!;
    for (const each of [recording, reduced, folded(separated(recording))]) playwrightScript(each);
  });
  expect(counts.read).toBeGreaterThan(500);
  expect(counts.refused).toBeGreaterThan(500);
});

test('a damaged lockfile is read or refused in a sentence', () => {
  const lock = (versions: Readonly<Record<string, string>>) => ({
    name: 'p',
    lockfileVersion: 3,
    packages: {
      '': { name: 'p', version: '1.0.0', dependencies: { a: '^1.0.0', b: '>=1 <3 || ~4.1' } },
      ...Object.fromEntries(
        Object.entries(versions).map(([place, version]) => [
          place,
          {
            version,
            resolved: `https://example.org/${place}.tgz`,
            integrity: 'sha512-x',
            dependencies: { c: '^1.0.0' },
          },
        ]),
      ),
    },
  });
  const old = JSON.stringify(
    lock({ 'node_modules/a': '1.0.0', 'node_modules/b': '1.2.3-beta.1', 'node_modules/c': '1.0.0' }),
  );
  const now = JSON.stringify(
    lock({ 'node_modules/a': '1.1.0', 'node_modules/b': '4.1.0', 'node_modules/b/node_modules/c': '1.5.0' }),
  );
  const files = new Map();
  const counts = readAll(mutationsOf(old, 5000, 3), text => {
    const [from, to] = [parseLockfile(text), parseLockfile(now)];
    for (const [a, b] of [
      [from, to],
      [to, from],
    ] as const) {
      const upgrades = upgradesOf({ lockfile: a, files }, { lockfile: b, files });
      upgrades.build(all(upgrades.count));
    }
  });
  expect(counts.read).toBeGreaterThan(500);
  expect(counts.refused).toBeGreaterThan(500);
});

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
