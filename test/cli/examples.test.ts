/** The examples run as their pages say, and what the pages show is what is printed today. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
// @ts-expect-error: scripts have no types.
import { make } from '../../scripts/samples/make.js';
// @ts-expect-error: scripts have no types.
import { commandsIn, samplesIn, stable } from '../../scripts/samples/read.js';
import { main } from './culprit.js';

interface Sample {
  readonly command: string;
  readonly folder?: string;
  readonly text: string;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = [
  ...readdirSync(join(root, 'docs')).map(name => `docs/${name}`),
  ...readdirSync(join(root, 'examples')).map(name => `examples/${name}/README.md`),
].filter(page => page.endsWith('.md'));
const textOf = (page: string) => readFileSync(join(root, page), 'utf8');
const samplesOf = (page: string): readonly Sample[] => samplesIn(textOf(page));
const isMissing = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0;

/** Not run here, because they take too long. `scripts/samples.js` writes all of them anew. */
const elsewhere: Readonly<Record<string, string>> = {
  'docs/causes.md': 'the same as in examples/causes/README.md',
  'docs/schedules.md': 'the same as in examples/schedules/README.md',
  'docs/triage.md': 'the same as in examples/triage/README.md',
  'examples/compiler-options/README.md': 'needs clang 16; see options.test.ts',
  'examples/mozilla/README.md': 'scripts/pictures.js runs it, and `npm start`',
  'examples/print-dialog/README.md': 'needs a browser; see oracle/browser/print-dialog.test.ts',
  'examples/traffic/README.md': 'starts a server 200 times; see traffic.test.ts',
  'examples/triage/README.md': 'see triage.test.ts',
};
/** Commands without a sample: what they need, or what they print, can't be shown. */
const withoutSample = /--workers|culprit worker|--replay /;

test.each(pages.filter(page => page.startsWith('examples/')))('%s shows what each of its commands prints', page => {
  const shown = samplesOf(page).map(({ command }) => command);
  const commands: readonly string[] = commandsIn(textOf(page));
  expect(commands.length).toBeGreaterThan(0);
  expect(commands.filter(command => !shown.includes(command) && !withoutSample.test(command))).toEqual([]);
});

const here = pages.filter(page => !(page in elsewhere) && samplesOf(page).length > 0);
const programs: Readonly<Record<string, string>> = { 'examples/fuzz/README.md': 'dasm' };

test.each(here)('what %s shows is what is printed', page => {
  const program = programs[page];
  if (program && process.env.CI === undefined && isMissing(program)) return;
  const samples = samplesOf(page);
  for (const command of new Set(samples.map(sample => sample.command))) {
    const shown = samples.filter(sample => sample.command === command);
    const folder = shown[0]!.folder ?? dirname(page);
    const made: readonly string[] = make(shown, { root, main, folder });
    expect(made.map(stable)).toEqual(shown.map(({ text }) => stable(text)));
  }
});
