import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../src/oracle/http/listening.js';
import type { Exchange, Har } from '../../src/sources/har/har.js';
import { culprit, folderWith, leftBehindBy, lines, processesWith, start, until } from './culprit.js';

const example = fileURLToPath(new URL('../../examples/traffic/', import.meta.url));
const session = JSON.parse(readFileSync(join(example, 'session.har'), 'utf8')) as Har;
const node = process.execPath;

/** The shop of the example with a part of its afternoon; of the headers only the cookies, and of those two. */
function shopWith(entries: readonly Exchange[]): string {
  const cwd = folderWith();
  for (const name of ['server.js', 'prices.js', 'package.json']) copyFileSync(join(example, name), join(cwd, name));
  const plain = entries.map(entry => ({
    ...entry,
    request: {
      ...entry.request,
      headers: entry.request.headers
        .filter(({ name }) => /^cookie$/i.test(name))
        .map(pair => ({
          ...pair,
          value: pair.value.replace(/(consent|_visitor|lang)=[^;]*; ?/g, '').replace(/; lang=\w+$/, ''),
        })),
    },
  }));
  writeFileSync(join(cwd, 'part.har'), JSON.stringify({ ...session, log: { ...session.log, entries: plain } }));
  return cwd;
}
const at = (...places: readonly number[]) => places.map(place => session.log.entries.at(place)!);
const login = session.log.entries.findIndex(({ request }) => request.url.endsWith('/login'));
const reduced = (cwd: string, name = 'part.reduced.har') => JSON.parse(readFileSync(join(cwd, name), 'utf8')) as Har;

/**
 * Keeps its state in its folder, as servers do; crashes at /b?x=1 when /a was there before, and prints a secret. In Perl,
 * which starts ten times as fast as Node.
 */
const server = `#!/usr/bin/perl
use Socket;
socket(S, PF_INET, SOCK_STREAM, 6);
setsockopt(S, SOL_SOCKET, SO_REUSEADDR, 1);
bind(S, sockaddr_in($ENV{PORT}, INADDR_LOOPBACK)) && listen(S, 16) or exit 9;
while (accept(C, S)) {
  my $head = '';
  while (defined(my $line = <C>)) { last if $line =~ /^\\s*$/; $head .= $line; }
  my ($path) = $head =~ /^GET (\\S+)/ or next;
  open(F, '+>>', 'state.txt'); print F "$path "; seek(F, 0, 0); my $state = <F>; close F;
  if ($path eq '/b?x=1' && $state =~ m{^/a }) { my ($who) = $head =~ /authorization: (.*?)\\r/i; print STDERR "Error: no more $who\\n"; exit 3; }
  print C "HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nConnection: close\\r\\n\\r\\nok"; close C;
}
`;
const noPerl = !existsSync('/usr/bin/perl') && !process.env.CI;
const perlTest = test.skipIf(noPerl);
const get = (path: string) => ({
  startedDateTime: '2026-05-04T13:00:00Z',
  request: {
    method: 'GET',
    url: `https://shop.example${path}`,
    headers: [
      { name: 'Authorization', value: 'Bearer top-secret-token' },
      { name: 'Accept', value: '*/*' },
    ],
  },
});
const har = JSON.stringify({
  log: { version: '1.2', entries: ['/a', '/c', '/d', '/b?x=1&y=2', '/b?x=1', '/e'].map(get) },
});
const small = { 'server.pl': server, 's.har': har };
const sends = ['--send', '--', './server.pl'];
const transcript = (run: string) =>
  lines(join(run, 'journal.jsonl'))
    .filter(line => line.includes('"type":"answered"'))
    .map(line => JSON.parse(line).event);

test('what a browser records besides HTTP is left out, and that is said', async () => {
  const { log } = JSON.parse(har);
  const entries = [...log.entries, get('/x'), get('/y')].map((entry, i) => {
    const scheme = ['data:text/plain,', 'wss://'][i - log.entries.length];
    const url = scheme === undefined ? entry.request.url : entry.request.url.replace('https://', scheme);
    return { request: { ...entry.request, url } };
  });
  const cwd = folderWith({ ...small, 'more.har': JSON.stringify({ log: { ...log, entries } }) });
  const { code, stdout, stderr } = await culprit(['traffic', 'more.har', '--max-tests', '1', '--json', ...sends], {
    cwd,
  });
  expect([code, stderr]).toEqual([3, expect.stringContaining('left out 2 requests not over HTTP (data: wss:)')]);
  expect(JSON.parse(stdout).before.deltas).toBe(6);
});

test('of a session in the shop, five exchanges crash the server, and of those only a few fields', async () => {
  const cwd = shopWith(at(3, login, -6, -5, -4, -3, -2, -1));
  const { code, stdout, stderr } = await culprit(
    [
      'traffic',
      'part.har',
      '--send',
      'http://127.0.0.1:{port}',
      '--json',
      '-j',
      '1',
      '--',
      node,
      'server.js',
      '{port}',
    ],
    { cwd },
  );
  expect(code).toBe(0);
  expect(stderr).toContain('TypeError: Reduce of empty array');
  expect(stderr).toContain('reproduced 2/2');
  const result = JSON.parse(stdout);
  expect(result).toMatchObject({
    job: 'traffic',
    ended: 'done',
    minimal: ['exchange', 'field'],
    before: { deltas: 8 },
    after: { deltas: 5 },
    output: join(cwd, 'part.reduced.har'),
    signature: expect.stringMatching(/^exit 1: TypeError: Reduce of empty array/),
  });
  console.info(
    `send: ${result.before.deltas} → ${result.after.deltas} exchanges, ${result.before.fields} → ${result.after.fields} fields, ${result.tests} tests, ${result.seconds} s`,
  );
  const requests = reduced(cwd).log.entries.map(({ request }) => request);
  expect(requests.map(({ method, url }) => `${method} ${url.slice('https://shop.example'.length)}`)).toEqual([
    'POST /login',
    'POST /api/coupon',
    'POST /api/cart',
    'DELETE /api/cart?sku=P-120',
    'POST /api/checkout',
  ]);
  expect(requests.map(({ postData }) => postData?.text)).toEqual([
    'user=ada',
    'code=CHEAPEST-FREE',
    '{"sku":"P-120","quantity":2}',
    undefined,
    undefined,
  ]);
  for (const { headers } of requests.slice(1))
    expect(headers.map(({ value }) => value)).toEqual([expect.stringMatching(/^sid=[0-9a-f-]+$/)]);

  // The values that matter are shown, and secrets are not.
  expect(stderr).toMatch(/POST shop\.example\/api\/cart.*\n.*\n *│ +sku: "P-120"\n *│ +quantity: 2\n/);
  expect(stderr).toContain('sid=••••••');
  expect(result.values[1]).toContain('code: "CHEAPEST-FREE"');

  // The curl commands do the same to a server that is started by hand.
  expect(result.curl).toBe(join(cwd, 'part.reduced.sh'));
  await expect(crashOf(cwd, result.curl)).resolves.toContain('TypeError: Reduce of empty array');
});

/** Starts the shop by hand, runs the script against it, and returns what the server says at its end. */
async function crashOf(cwd: string, script: string): Promise<string> {
  const port = await freePort();
  const server = spawn(node, ['server.js', String(port)], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void server.kill('SIGKILL'));
  let stderr = '';
  server.stderr.on('data', (data: Buffer) => (stderr += data));
  const ended = new Promise<string>(resolve => server.on('close', () => resolve(stderr)));
  await until(() => spawnSync('curl', ['-s', `http://127.0.0.1:${port}/`]).status === 0);
  spawnSync('sh', [script, `http://127.0.0.1:${port}`]);
  return ended;
}

/** The first items of a page, those in particular that have no price. */
function withFewItems(exchange: Exchange): Exchange {
  const { page, items } = JSON.parse(exchange.response!.content!.text!);
  const few = items.filter((item: { price: unknown }, i: number) => i < 2 || item.price === null);
  const content = { ...exchange.response!.content!, text: JSON.stringify({ page, items: few }) };
  return { ...exchange, response: { ...exchange.response!, content } };
}

test('errors that a server logs and goes on from are not what it dies of', async () => {
  const logging = `require('http').createServer((request, response) => {
    if (request.url === '/die') setImmediate(function dying() { throw new TypeError('dead, session' + process.pid); });
    else { console.error(new Error('no such page ' + request.url)); response.statusCode = 404; response.end(); }
  }).listen(process.env.PORT, '127.0.0.1');`;
  const entries = ['/lost', '/gone', '/die'].map(path => ({
    ...get(path),
    request: { ...get(path).request, headers: [] },
  }));
  const har = JSON.stringify({ log: { version: '1.2', creator: { name: 't', version: '1' }, entries } });
  const cwd = folderWith({ 'server.js': logging, 'part.har': har });
  const { stdout, stderr } = await culprit(['traffic', 'part.har', '--send', '--json', '--', node, 'server.js'], {
    cwd,
  });
  expect(stderr).toMatch(/^ {2}TypeError: dead, session\d+$/m);
  expect(JSON.parse(stdout)).toMatchObject({
    after: { deltas: 1 },
    signature: expect.stringMatching(/^exit 1: TypeError: dead, session0/),
    exchanges: [expect.stringContaining('/die')],
  });
});

test('a program that reads a recording fails because of one field of one answer', async () => {
  const pages = session.log.entries.filter(({ request }) => /products\?page=/.test(request.url)).slice(0, 4);
  const cwd = shopWith([...at(0, 1), ...pages.map(withFewItems)]);
  const { code, stdout } = await culprit(
    ['traffic', 'part.har', '--serve', '--json', '-j', '1', '--', node, 'prices.js', '{}'],
    {
      cwd,
    },
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ after: { deltas: 1 }, exchanges: [expect.stringContaining('page=3')] });
  const [left] = reduced(cwd).log.entries;
  expect(left!.response!.content!.text).toBe('{"items":[{"price":null}]}');
  expect(left!.response!.headers).toEqual([]);
});

perlTest(
  'each test has the folder to itself; the transcript is the same on 1 and 3 workers and after a stop (needs perl)',
  async () => {
    const cwd = folderWith(small);
    const run = (name: string, ...more: readonly string[]) =>
      culprit(['traffic', 's.har', '--json', '--run', name, ...more, ...sends], { cwd });
    const one = await run('one', '-j', '1');
    expect(one.code).toBe(0);
    expect(reduced(cwd, 's.reduced.har').log.entries.map(({ request }) => request.url.slice(20))).toEqual([
      '/a',
      '/b?x=1',
    ]);
    expect((await run('three', '-j', '3')).code).toBe(0);
    expect((await run('stopped', '--max-tests', '4')).code).toBe(3);
    expect((await culprit(['resume', 'stopped'], { cwd })).code).toBe(0);
    expect(transcript(join(cwd, 'three'))).toEqual(transcript(join(cwd, 'one')));
    expect(transcript(join(cwd, 'stopped'))).toEqual(transcript(join(cwd, 'one')));
    expect(existsSync(join(cwd, 'state.txt'))).toBe(false);
    // A credential that the server prints is neither shown nor journalled; recordings hold what is needed.
    expect(one.stderr + one.stdout).not.toContain('top-secret');
    expect(one.stderr).toContain('no more Bearer ••••••');
    for (const name of ['journal.jsonl', 'report.html', 'summary.json'])
      expect(readFileSync(join(cwd, 'one', name), 'utf8')).not.toContain('top-secret');
  },
);

test.skipIf(noPerl).each(['SIGINT', 'SIGKILL'] as const)(
  '%s leaves no server running and no folder behind (needs perl)',
  async signal => {
    const cwd = folderWith(small);
    const run = start(['traffic', 's.har', '--run', 'run', ...sends], { cwd });
    const journal = join(cwd, 'run/journal.jsonl');
    expect(await until(() => existsSync(journal) && readFileSync(journal, 'utf8').includes('"type":"pass"'))).toBe(
      true,
    );
    run.kill(signal);
    const { code } = await run.ended;
    if (signal === 'SIGINT') expect(code).toBe(3);
    expect(await until(() => processesWith(`culprit-${run.pid}-`).length === 0)).toBe(true);
    expect(await until(() => leftBehindBy(run.pid!).length === 0)).toBe(true);
    expect((await culprit(['resume', 'run'], { cwd })).code).toBe(0);
  },
);

test.each([
  [['none.har', ...sends], 2, "none.har can't be read"],
  [['empty.har', ...sends], 2, 'contains no exchange'],
  [['broken.har', ...sends], 2, 'is not JSON'],
  [['s.har', '--', './server.pl'], 2, '--send its requests to a server, or --serve'],
  [['s.har', '--serve', ...sends], 2, '--send and --serve cannot be combined'],
  [['s.har', '--serve', '--status', '500', '--', node, 'x'], 2, '--status and --serve cannot be combined'],
  [['s.har', '--crash', '--body', 'x', ...sends], 2, 'cannot be combined'],
  [['s.har', '--stderr', '(', ...sends], 2, '--stderr is not a regular expression'],
  [['s.har', '--send', 'http://shop.example', '--', './server.pl'], 2, '--allow-host shop.example'],
  [['s.har', '--send', '--', 'no-such-program'], 2, 'Check its name'],
  [['s.har', '--send', '--sandbox', '--', './server.pl'], 2, '--sandbox is not available for traffic'],
  [['s.har', '--send'], 2, 'No command to run'],
  [['s.har', '--send', '--', node, '-e', 'process.exit(4)'], 1, 'ended before it listened (exit 4)'],
  [
    ['s.har', '--send', '--timeout', '3', '--', node, '-e', 'require("net").createServer().listen(0)'],
    1,
    'it listens on port',
  ],
  [['s.har', '--serve', '--', node, '-e', '0'], 1, 'does not fail'],
  [['socket.har', ...sends], 2, 'contains no exchange over HTTP, only wss:.'],
  [['header.har', ...sends], 1, "a request can't be sent: GET shop.example/a: Invalid character in header content"],
  [['header.har', ...sends], 1, 'Correct or remove this entry of the recording.'],
] as const)('traffic %j is refused with exit %i: %s', async (args, code, words) => {
  const cwd = folderWith({
    ...small,
    'empty.har': '{"log":{"entries":[]}}',
    'broken.har': '{"log":',
    'socket.har': har.replaceAll('https:', 'wss:'),
    'header.har': har.replace('*/*', 'ż'),
  });
  const before = readdirSync(cwd);
  const run = start(['traffic', ...args], { cwd });
  const ended = await run.ended;
  expect(ended.stderr).toContain(words);
  expect(ended.stderr).not.toMatch(/^ {4}at /m);
  expect(ended.code).toBe(code);
  expect(readdirSync(cwd)).toEqual(before);
  expect(processesWith(`culprit-${run.pid}-`)).toEqual([]);
});
