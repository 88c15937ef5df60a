/** Formats that culprit reads, with a whole file of each and a use of all that was read. No test library: the bench uses it too. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { actionsOf } from '../../src/circumstances/actions.js';
import { upgradesOf } from '../../src/circumstances/packages.js';
import { exchangesOf } from '../../src/circumstances/traffic/exchanges.js';
import { fieldsOf } from '../../src/circumstances/traffic/fields.js';
import { all, UserError } from '../../src/core/index.js';
import { readHar } from '../../src/sources/har/har.js';
import { maskedHar, secretsOf, shownExchange } from '../../src/sources/har/show.js';
import { parseLockfile } from '../../src/sources/packages/lockfile.js';
import { playwrightScript } from '../../src/sources/recording/playwright-script.js';
import { joinPresses, splitClicks } from '../../src/sources/recording/presses.js';
import { readRecording } from '../../src/sources/recording/recording.js';
import { mutationsOf } from './mutations.js';
import { recordsIn } from './records.js';

export interface Format {
  readonly name: string;
  readonly whole: string;
  /** One JSON text per line; each mutation damages one of them. */
  readonly isLines?: boolean;
  /** Reads a text and uses what was read. */
  readonly use: (text: string) => void;
}

/** Reads damaged copies of a file: each is read, or refused in a sentence. Anything else is thrown, with the text. */
export function readDamaged({ whole, use, isLines }: Format, count: number, seed: number): Damaged {
  return readAll(isLines ? damagedLines(whole, count, seed) : mutationsOf(whole, count, seed), use);
}

function* damagedLines(whole: string, count: number, seed: number): Generator<string> {
  const lines = whole.trimEnd().split('\n');
  for (let n = 0; n < count; n++) {
    const at = n % lines.length;
    const [damaged = ''] = mutationsOf(lines[at]!, 1, seed + n);
    yield `${lines.with(at, damaged).join('\n')}\n`;
  }
}

export interface Damaged {
  readonly read: number;
  readonly refused: number;
}

export function readAll(texts: Iterable<string>, use: (text: string) => void): Damaged {
  let [read, refused] = [0, 0];
  for (const text of texts) {
    try {
      use(text);
      read++;
    } catch (error) {
      // Whoever fails here sees the text and where it went wrong.
      if (!(error instanceof UserError) || error.message.trim() === '')
        throw new Error(`${text}\n${(error as Error).stack}`);
      refused++;
    }
  }
  return { read, refused };
}

/** `root`: the folder of the repository. `scratch`: a folder for files that are read from the disk. */
export const formatsIn = (root: string, scratch: string): readonly Format[] => [
  har(root),
  recordings(),
  lockfiles(),
  ...recordsIn(scratch),
];

function har(root: string): Format {
  const whole = JSON.parse(readFileSync(join(root, 'examples/traffic/session.har'), 'utf8'));
  whole.log.entries = whole.log.entries.slice(0, 3);
  const use = (text: string) => {
    const har = readHar(text, 'x.har');
    for (const each of [exchangesOf(har), fieldsOf(har, 'request'), fieldsOf(har, 'response')]) {
      each.build(all(each.count));
      each.build([]);
      for (let delta = 0; delta < each.count; delta++) each.describe?.(delta);
    }
    maskedHar(har);
    secretsOf(har);
    har.log.entries.map(shownExchange);
  };
  return { name: 'HAR', whole: JSON.stringify(whole), use };
}

function recordings(): Format {
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
  const use = (text: string) => {
    const recording = readRecording(text, 'x.json');
    const actions = actionsOf(recording);
    for (let delta = 0; delta < actions.count; delta++) actions.describe!(delta);
    const reduced = actions.build([])!;
    for (const each of [recording, reduced, joinPresses(splitClicks(recording))]) playwrightScript(each);
  };
  return { name: 'recording', whole: JSON.stringify(whole), use };
}

function lockfiles(): Format {
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
  const use = (text: string) => {
    const [from, to] = [parseLockfile(text), parseLockfile(now)];
    for (const [a, b] of [
      [from, to],
      [to, from],
    ] as const) {
      const upgrades = upgradesOf({ lockfile: a, files }, { lockfile: b, files });
      upgrades.build(all(upgrades.count));
    }
  };
  return { name: 'lockfile', whole: old, use };
}
