import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { culprit, folderWith, lines, start, until } from './culprit.js';
import { stableWithout } from './stable.js';

/** Fails when a price is negative and the currency is not the old one. */
const tool = `
const order = JSON.parse(require('fs').readFileSync(process.argv[2], 'utf8'));
const wrong = order.items.find(item => item.price < 0);
if (wrong && order.currency !== 'EUR') throw new RangeError('a negative price in ' + order.currency);
`;
const order = (prices: readonly number[], currency: string, note: string) =>
  `${JSON.stringify({ note, currency, items: prices.map((price, i) => ({ name: `item ${i}`, price })) }, null, 1)}\n`;
const prices = Array.from({ length: 40 }, (_, i) => i + 1);
const files = {
  'tool.js': tool,
  'works.json': order(prices, 'USD', 'from Monday'),
  'crashes.json': order(
    prices.map((price, i) => (i === 23 ? -price : price * 2)),
    'USD',
    'from Tuesday',
  ),
};
const command = ['--', 'node', 'tool.js', '{}'];
const stable = stableWithout('run', 'output', 'passing', 'failing');
const ends = (cwd: string, path: string) => spawnSync('node', ['tool.js', path], { cwd, stdio: 'ignore' }).status;

test('of two orders the one sign that makes the difference is left, and both sides are there to try', async () => {
  const cwd = folderWith(files);
  const args = (name: string, jobs: string) => [
    'isolate',
    'works.json',
    'crashes.json',
    '--json',
    '--run',
    name,
    '-o',
    `${name}.out`,
    '-j',
    jobs,
    ...command,
  ];
  const { code, stdout, stderr } = await culprit(args('one', '1'), { cwd });
  expect(stderr).toContain('-24');
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found.minimal).toEqual(['member', 'statement', 'token']);
  expect(found.before.deltas).toBeGreaterThan(70);
  const [passing, failing] = [readFileSync(found.passing, 'utf8'), readFileSync(found.failing, 'utf8')];
  expect(Math.abs(passing.length - failing.length)).toBe(1);
  expect(failing).toContain('-24');
  expect(ends(cwd, found.passing)).toBe(0);
  expect(ends(cwd, found.failing)).toBe(1);
  expect(readFileSync(join(cwd, 'one.out/difference.txt'), 'utf8')).toBe(found.difference.join(''));
  const four = await culprit(args('four', '4'), { cwd });
  expect(stable(four.stdout)).toEqual(stable(stdout));
});

test('with --smallest what both have in common goes as well', async () => {
  const few = { 'works.json': order([1, 2], 'USD', 'a'), 'crashes.json': order([1, -4], 'USD', 'a') };
  const cwd = folderWith({ ...files, ...few });
  const run = await culprit(['isolate', 'works.json', 'crashes.json', '--smallest', '--json', ...command], { cwd });
  expect(run.code).toBe(0);
  const found = JSON.parse(run.stdout);
  expect(readFileSync(found.failing, 'utf8').length).toBeLessThan(45);
  expect(ends(cwd, found.passing)).toBe(0);
  expect(ends(cwd, found.failing)).toBe(1);
});

test('of two folders the file that matters is found first, then what matters in it', async () => {
  const folder = (name: string, shout: boolean) =>
    Object.fromEntries([
      ...Array.from({ length: 12 }, (_, i) => [`${name}/part${i}.txt`, `${name} ${i}\n`]),
      [`${name}/flags.txt`, `quiet\n${shout ? 'loud\n' : 'soft\n'}calm\n`],
    ]);
  const cwd = folderWith({
    ...folder('good', false),
    ...folder('bad', true),
    't.sh': '#!/bin/sh\n! grep -q loud "$1/flags.txt"\n',
  });
  const run = await culprit(['isolate', 'good', 'bad', '--json', '--', './t.sh', '{}'], { cwd });
  expect(run.code).toBe(0);
  const found = JSON.parse(run.stdout);
  expect(found.minimal).toContain('file');
  const [passing, failing] = ['passing', 'failing'].map(side => join(cwd, 'bad.isolated', side, 'bad'));
  const differing = readdirSync(failing!).filter(
    name => readFileSync(join(failing!, name), 'utf8') !== readFileSync(join(passing!, name), 'utf8'),
  );
  expect(differing).toEqual(['flags.txt']);
});

test('a run that is interrupted continues to the same result', async () => {
  const negative = 'if grep -q \'"price": -\' "$1"; then echo "RangeError: a negative price" >&2; exit 1; fi\n';
  const cwd = folderWith({ ...files, 'slow.sh': `#!/bin/sh\nsleep 0.1\n${negative}` });
  const slow = ['--', './slow.sh', '{}'];
  const args = (name: string) => [
    'isolate',
    'works.json',
    'crashes.json',
    '--json',
    '--run',
    name,
    '-o',
    `${name}.out`,
    ...slow,
  ];
  const whole = await culprit(args('whole'), { cwd });
  const run = start(args('cut'), { cwd });
  const journal = join(cwd, 'cut/journal.jsonl');
  expect(await until(() => existsSync(journal) && lines(journal).some(line => line.includes('"step":5,')))).toBe(true);
  // The narrowest pair so far is on disk while the run is still searching.
  expect(await until(() => existsSync(join(cwd, 'cut/best')))).toBe(true);
  run.kill('SIGINT');
  expect((await run.ended).code).toBe(3);
  const resumed = await culprit(['resume', 'cut'], { cwd });
  expect(resumed.code).toBe(0);
  expect(stable(resumed.stdout)).toEqual(stable(whole.stdout));
});

test.each([
  ['the same input twice', ['crashes.json', 'crashes.json'], 'the two inputs are the same'],
  ['two that pass', ['works.json', 'also.json'], 'the command succeeds'],
  ['two that fail', ['crashes.json', 'other.json'], 'both inputs fail in the same way'],
  ['a file and a folder', ['works.json', 'folder'], 'cannot be compared'],
  ['one that is not there', ['works.json', 'gone.json'], 'There is no file or folder gone.json'],
  ['one input only', ['works.json'], 'isolate'],
])('%s: a sentence, no stack, and nothing left behind', async (_, inputs, said) => {
  const also = order([1, 2], 'EUR', 'fine');
  const other = order([-1, 2], 'USD', 'not fine');
  const cwd = folderWith({ ...files, 'also.json': also, 'other.json': other, 'folder/works.json': also });
  const before = readdirSync(cwd);
  const { code, stderr } = await culprit(['isolate', ...inputs, ...command], { cwd });
  expect([1, 2]).toContain(code);
  expect(stderr).toContain(said);
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect(readdirSync(cwd)).toEqual(before);
});

test('of two settings files for a tolerant reader, what is left still parses', async () => {
  const settings = (more: object) => `${JSON.stringify({ compilerOptions: { strict: true, ...more } }, null, 2)}\n`;
  const cwd = folderWith({
    'tool.sh': `#!/bin/sh
if tr '\\n' ' ' < "$1" | grep -q 'exactOptionalPropertyTypes[^A-Za-z0-9_]*true'; then echo 'Error: wrong' >&2; exit 1; fi
`,
    'good.json': settings({ esModuleInterop: true, target: 'es2020', lib: ['es2020', 'dom'] }),
    'bad.json': settings({ exactOptionalPropertyTypes: true, target: 'es2022', module: 'node16', lib: ['es2022'] }),
  });
  const { code, stdout } = await culprit(['isolate', 'good.json', 'bad.json', '--json', '--', './tool.sh', '{}'], {
    cwd,
  });
  expect(code).toBe(0);
  const { passing, failing } = JSON.parse(stdout);
  for (const path of [passing, failing]) expect(() => JSON.parse(readFileSync(path, 'utf8'))).not.toThrow();
  expect(readFileSync(failing, 'utf8')).toMatch(/exactOptionalPropertyTypes\W*true/);
});

test('members of JSON and cells of a table are narrowed as such, and a member that one side lacks stays whole', async () => {
  const cwd = folderWith({
    'settings.js': `
const { compilerOptions } = JSON.parse(require('fs').readFileSync(process.argv[2], 'utf8'));
if (compilerOptions.exactOptionalPropertyTypes) throw new Error('wrong');
`,
    'good.json': `{\n  "compilerOptions": {\n    "esModuleInterop": true,\n    "target": "es2020"\n  }\n}\n`,
    'bad.json': `{\n  "compilerOptions": {\n    "strict": true,\n    "target": "es2022",\n    "exactOptionalPropertyTypes": true\n  }\n}\n`,
    'sum.js': `
const rows = require('fs').readFileSync(process.argv[2], 'utf8').trim().split('\\n').map(row => row.split(','));
if (rows.some(row => row.length !== 3)) process.exit(9);
if (rows.some(([, , price]) => Number(price) < 0)) throw new RangeError('negative');
`,
    'good.csv': Array.from({ length: 12 }, (_, i) => `${i},name ${i},${i * 2}\n`).join(''),
    'bad.csv': Array.from({ length: 12 }, (_, i) => `${i},Name ${i},${i === 7 ? -14 : i * 3}\n`).join(''),
  });
  const json = await culprit(['isolate', 'good.json', 'bad.json', '--json', '--', 'node', 'settings.js', '{}'], {
    cwd,
  });
  const found = JSON.parse(json.stdout);
  expect(found.minimal).toEqual(['member']);
  expect(found.difference.join('')).toContain('+    "exactOptionalPropertyTypes": true');
  expect(readFileSync(found.failing, 'utf8').replace(/,\s*"exactOptionalPropertyTypes": true/, '')).toBe(
    readFileSync(found.passing, 'utf8'),
  );
  const table = await culprit(['isolate', 'good.csv', 'bad.csv', '--json', '--', 'node', 'sum.js', '{}'], { cwd });
  const { minimal, difference } = JSON.parse(table.stdout);
  expect(minimal).toEqual(['member', 'line', 'token']);
  expect(difference).toHaveLength(2);
  expect(difference[1]).toMatch(/^\+7,[nN]ame 7,-\d+/);
});

test('with --smallest both sides still parse', async () => {
  const text = (more: string) => `{\n  "a": [1, 2, 3],\n  "b": { "c": null,\n "d": ${more} },\n  "e": "text"\n}\n`;
  const cwd = folderWith({
    'tool.sh': `#!/bin/sh\nif grep -q '"d": *-' "$1"; then echo 'Error: wrong' >&2; exit 1; fi\n`,
    'good.json': text('4'),
    'bad.json': text('-4'),
  });
  const run = await culprit(['isolate', 'good.json', 'bad.json', '--smallest', '--json', '--', './tool.sh', '{}'], {
    cwd,
  });
  expect(run.code).toBe(0);
  const { passing, failing } = JSON.parse(run.stdout);
  expect(JSON.parse(readFileSync(passing, 'utf8'))).toEqual({ d: 4 });
  expect(JSON.parse(readFileSync(failing, 'utf8')).d).toBeLessThan(0);
});

test('--strategy chooses the algorithm, and one that can not isolate is refused in a sentence', async () => {
  const cwd = folderWith({
    'good.txt': 'a\nb\n',
    'bad.txt': 'a\nBOOM\nb\n',
    't.sh': '#!/bin/sh\n! grep -q BOOM "$1"\n',
  });
  const args = (strategy: string, ...more: readonly string[]) =>
    ['isolate', 'good.txt', 'bad.txt', '-o', `out-${strategy}`, '--json', '--strategy', strategy, ...more].concat(
      '--',
      'sh',
      't.sh',
      '{}',
    );
  const [dd, ddmin, all] = await Promise.all([
    culprit(args('dd'), { cwd }),
    culprit(args('ddmin'), { cwd }),
    culprit(args('ddlin', '--all'), { cwd }),
  ]);
  expect([dd.code, ddmin.code, all.code]).toEqual([0, 2, 0]);
  expect(ddmin.stderr).toMatch(/ddmin/);
  expect(ddmin.stderr).not.toMatch(/\n\s+at /);
});
