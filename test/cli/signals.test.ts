/** A signal ends every command with exit 3, at whatever moment it comes. */

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findBrowser } from '../../src/oracle/browser/browser-path.js';
import { culprit, folderWith, leftBehindBy, lines, start, until } from './culprit.js';

/** Counts its runs in $LOG, takes its time, and fails as long as its input holds the word. */
const script = `#!/bin/sh
echo run >> "$LOG"
sleep 0.05
if grep -q BOOM "$1" || [ "$BOOM" = yes ] || [ "$2" = --boom ]; then echo "Error: boom found" >&2; exit 3; fi
`;

const server = `
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
appendFileSync(process.env.LOG, 'run\\n');
createServer((request, response) => {
  if (request.url.includes('boom')) setTimeout(() => { throw new Error('boom found'); }, 50);
  else response.end('fine');
}).listen(Number(process.argv[2]), '127.0.0.1');
`;

const exchange = (path: string) => ({
  request: { method: 'GET', url: `http://127.0.0.1/${path}`, headers: [{ name: 'accept', value: '*/*' }] },
  response: { status: 200, headers: [] },
});

const text = (word: string) => Array.from({ length: 30 }, (_, i) => (i === 17 ? `${word}\n` : `line ${i}\n`)).join('');
const page = '<button id="a">a</button><button id="b" onclick="throw new Error(\'boom\')">b</button>';
const step = (selector: string) => ({ type: 'click', selectors: [selector] });

const files = {
  't.sh': script,
  'good.txt': text('fine'),
  'bad.txt': text('BOOM'),
  'old/in.txt': text('fine'),
  'new/in.txt': text('BOOM').replaceAll('line 2', 'row 2'),
  'server.mjs': server,
  'x.har': JSON.stringify({ log: { entries: ['a', 'b', 'boom', 'c', 'd'].map(exchange) } }),
  'page.html': page,
  'x.json': JSON.stringify({ steps: [{ type: 'navigate', url: 'page.html' }, ...['#a', '#a', '#b', '#a'].map(step)] }),
};

const commands: readonly (readonly [name: string, args: readonly string[]])[] = [
  ['reduce', ['bad.txt', '--', './t.sh', '{}']],
  ['isolate', ['good.txt', 'bad.txt', '--', './t.sh', '{}']],
  ['changes', ['old', 'new', '--', join('..', 't.sh'), 'in.txt']],
  ['options', ['--', './t.sh', 'good.txt', '--boom', '-a', '-b', '-c', '-d', '-e']],
  ['env', ['--', './t.sh', 'good.txt']],
  ['traffic', ['x.har', '--send', '--', process.execPath, 'server.mjs', '{port}']],
];

describe.each(commands)('%s', (name, args) => {
  test.each([
    [1, 'SIGINT'],
    [2, 'SIGTERM'],
    [4, 'SIGINT'],
    [8, 'SIGTERM'],
  ] as const)('ends when, after %i runs, it gets %s', async (runs, signal) => {
    const cwd = folderWith(files);
    const log = join(cwd, 'log');
    const own = args.map(word => (word === join('..', 't.sh') ? join(cwd, 't.sh') : word));
    const run = start([name, '--run', 'r', ...own], { cwd, env: { LOG: log, BOOM: name === 'env' ? 'yes' : '' } });
    let isOver = false;
    void run.ended.then(() => (isOver = true));
    await until(() => isOver || (existsSync(log) && lines(log).length >= runs), 60_000);
    run.kill(signal);
    const { code, stderr } = await run.ended;
    // A search that was over before the signal came has ended well.
    expect([0, 3], stderr).toContain(code);
    if (code === 3) expect(stderr).toMatch(/stopped|interrupted|resume/i);
    expect(stderr).not.toMatch(/^ {4}at |bug in culprit/m);
    expect(await until(() => leftBehindBy(run.pid!).length === 0)).toBe(true);
  });
});

test.skipIf(findBrowser() === undefined)('actions ends when it gets a signal (needs Chromium)', async () => {
  const cwd = folderWith(files);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const run = start(['actions', 'x.json', '--run', signal], { cwd });
    await until(() => existsSync(join(cwd, signal, 'original')), 60_000);
    run.kill(signal);
    const { code, stderr } = await run.ended;
    expect([0, 3], stderr).toContain(code);
    expect(stderr).not.toMatch(/^ {4}at |bug in culprit/m);
  }
});

test('a search whose answers are all known hears a signal, too', async () => {
  const cwd = folderWith({
    't.sh': script,
    'bad.txt': Array.from({ length: 400 }, (_, i) => `word ${i} BOOM\n`).join(''),
  });
  const env = { LOG: '/dev/null', BOOM: '' };
  const fast = script.replace('sleep 0.05\n', '');
  writeFileSync(join(cwd, 't.sh'), fast);
  const first = await culprit(['reduce', 'bad.txt', '--run', 'r', '--max-tests', '4', '--', './t.sh', '{}'], {
    cwd,
    env,
  });
  expect(first.code).toBe(3);
  const again = start(['resume', 'r'], { cwd, env });
  await until(() => readdirSync(join(cwd, 'r')).includes('lock'), 60_000);
  again.kill('SIGINT');
  const { code, stderr } = await again.ended;
  expect([0, 3], stderr).toContain(code);
});
