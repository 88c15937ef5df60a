import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { UserError } from '../../../src/core/index.js';
import { serveRecording } from '../../../src/oracle/http/serve.js';
import { openTraffic, type Traffic, type TrafficSettings } from '../../../src/oracle/http/traffic.js';
import { type Har, readHar } from '../../../src/sources/har/har.js';

const cwd = fileURLToPath(new URL('../../../examples/traffic/', import.meta.url));
const session = readHar(readFileSync(`${cwd}session.har`, 'utf8'), 'session.har');
const node = process.execPath;
const signal = new AbortController().signal;
const short = (har: Har, ...keep: readonly number[]): Har => ({
  ...har,
  log: { ...har.log, entries: keep.map(i => har.log.entries.at(i)!) },
});

async function opened<T>(settings: Partial<TrafficSettings>, use: (traffic: Traffic) => Promise<T>): Promise<T> {
  const enter = async () => ({ cwd, env: {}, leave() {} });
  const traffic = openTraffic({
    mode: 'send',
    command: [node, 'server.js', '{port}'],
    enter,
    limits: { settle: 50 },
    ...settings,
  });
  try {
    return await use(traffic);
  } finally {
    await traffic.close();
  }
}

test('the whole session fails as it did when it was recorded, and is recognised by its crash', () =>
  opened({}, async traffic => {
    const { verdict, limits } = await traffic.firstRun(session);
    expect(verdict.signature).toMatch(/^exit 1 \| TypeError: Reduce of empty array/);
    expect(limits.listen).toBeGreaterThanOrEqual(10_000);
    expect((await traffic.test(session, signal)).outcome).toBe('fail');
    expect((await traffic.test(short(session, -1), signal)).outcome).toBe('pass');
  }));

test('a status, a body and stderr can be the failure too', async () => {
  const har = short(session, 0, 11);
  expect(har.log.entries[1]!.response!.status).toBe(401);
  const verdict = (failure: TrafficSettings['failure']) =>
    opened({ failure }, async traffic => (await traffic.test(har, signal)).outcome);
  expect(await verdict({ kind: 'status', status: 401 })).toBe('fail');
  expect(await verdict({ kind: 'status', status: 418 })).toBe('pass');
  expect(await verdict({ kind: 'body', pattern: /log in first/ })).toBe('fail');
  expect(await verdict({ kind: 'stderr', pattern: /TypeError/ })).toBe('pass');
  const crash = await opened({ failure: { kind: 'stderr', pattern: /TypeError: Reduce/ } }, traffic =>
    traffic.test(session, signal),
  );
  expect(crash.outcome).toBe('fail');
});

test('another crash than the one that is chased is unresolved', () =>
  opened({ failure: { kind: 'as first', signature: 'exit 1 | RangeError: another' } }, async traffic => {
    expect(await traffic.test(session, signal)).toMatchObject({
      outcome: 'unresolved',
      reason: expect.stringMatching(/^another failure: exit 1 \| TypeError/),
    });
  }));

test.each([
  ['a server that never listens', [node, '-e', 'setInterval(() => {}, 1000)'], /did not listen on 127\.0\.0\.1:\d+\./],
  [
    'a server that listens elsewhere',
    [node, '-e', 'require("net").createServer().listen(0, "127.0.0.1")'],
    /did not listen on .*; it listens on port \d+/,
  ],
  [
    'a server that ends first',
    [node, '-e', 'console.error("no database"); process.exit(4)'],
    /ended before it listened \(exit 4\)(.|\n)*no database/,
  ],
  ['a server that is not there', ['no-such-server-program', '{port}'], /ended before it listened \(.*ENOENT/],
])('%s is explained in one sentence, and nothing is left running', async (_, command, message) => {
  await opened({ command, limits: { listen: 1_500 } }, async traffic => {
    const refused = await traffic.firstRun(short(session, 0)).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UserError);
    expect((refused as UserError).message).toMatch(message);
  });
});

test('a recording that does not fail is refused with what was answered', () =>
  opened({}, async traffic => {
    await expect(traffic.firstRun(short(session, 0, 11))).rejects.toThrow(
      /does not fail .*kept running and responded 1 × 200, 1 × 401/,
    );
  }));

test('what the server started ends with it', () =>
  opened({ command: [`sleep 4242 & exec ${node} server.js {port}`] }, async traffic => {
    expect((await traffic.test(short(session, 0), signal)).outcome).toBe('pass');
    const processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(processes).not.toMatch(/^sleep 4242$/m);
  }));

test('a test that nobody waits for any more ends its server', () =>
  opened(
    { command: [node, '-e', `require('http').createServer(() => {}).listen(process.env.PORT, '127.0.0.1')`] },
    async traffic => {
      const stop = new AbortController();
      const running = traffic.test(short(session, 0), stop.signal);
      setTimeout(() => stop.abort(), 300);
      expect((await running).outcome).toBe('unresolved');
    },
  ));

test('nothing but loopback is contacted unless it is named', () => {
  const settings = { mode: 'send', command: ['x'], base: 'http://shop.example:{port}' } as const;
  expect(() => openTraffic(settings)).toThrow(/shop\.example, which is not this machine/);
  expect(() => openTraffic({ ...settings, allowHosts: ['shop.example'] })).not.toThrow();
  for (const base of ['http://127.0.0.1:{port}', 'http://localhost:80', 'http://[::1]:{port}/api'])
    expect(() => openTraffic({ ...settings, base })).not.toThrow();
  expect(() => openTraffic({ ...settings, base: 'shop' })).toThrow(/expects a URL/);
  expect(() => openTraffic({ mode: 'send', command: [] })).toThrow(/No command to run/);
});

test('headers and bodies arrive as they were recorded, duplicates included', async () => {
  const echo = `require('http').createServer((request, response) => {
    let body = '';
    request.on('data', chunk => (body += chunk)).on('end', () => response.end(JSON.stringify([request.url, request.rawHeaders, body])));
  }).listen(process.env.PORT, '127.0.0.1')`;
  const headers = [
    { name: ':method', value: 'POST' },
    { name: 'host', value: 'shop.example' },
    { name: 'X-Two', value: '1' },
    { name: 'X-Two', value: '2' },
    { name: 'content-length', value: '99' },
  ];
  const postData = { mimeType: 'text/plain', text: 'héllo' };
  const request = { method: 'POST', url: 'http://shop.example/a%20b?x=1&x=2', headers, postData };
  const expected = [
    '/under/a%20b?x=1&x=2',
    ['host', 'shop.example', 'X-Two', '1', 'X-Two', '2', 'Content-Length', '6', 'Connection', 'close'],
    'héllo',
  ];
  const pattern = { test: (body: string) => body === JSON.stringify(expected) } as RegExp;
  const settings = {
    command: [node, '-e', echo],
    base: 'http://127.0.0.1:{port}/under',
    failure: { kind: 'body', pattern },
  } as const;
  const verdict = await opened(settings, traffic => traffic.test({ log: { entries: [{ request }] } }, signal));
  expect(verdict.outcome).toBe('fail');
});

test('a port where something else listens already is not taken for the server under test', async () => {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await opened({ base: `http://127.0.0.1:${port}` }, async traffic => {
    await expect(traffic.firstRun(short(session, 0))).rejects.toThrow(
      /something else listens on 127\.0\.0\.1:\d+ already/,
    );
  });
  server.close();
});

test('a crash that comes some time after the last answer is waited for, as long as the first one took', async () => {
  const late = `require('http').createServer((request, response) => {
    response.end();
    if (request.url === '/late') setTimeout(() => { throw new Error('late'); }, 150);
  }).listen(process.env.PORT, '127.0.0.1')`;
  const har = (path: string): Har => ({
    log: { entries: [{ request: { method: 'GET', url: `http://a${path}`, headers: [] } }] },
  });
  await opened({ command: [node, '-e', late], limits: {} }, async traffic => {
    const { limits } = await traffic.firstRun(har('/late'));
    expect(limits.settle).toBeGreaterThanOrEqual(1000);
    expect((await traffic.test(har('/late'), signal)).outcome).toBe('fail');
    expect((await traffic.test(har('/other'), signal)).outcome).toBe('pass');
  });
});

test('what is asked for again gets the next recorded answer, and then 404 or nothing', async () => {
  const answer = (text: string) => ({
    request: { method: 'GET', url: 'https://a.example/x?q=1', headers: [] },
    response: {
      status: 200,
      headers: [
        { name: 'Content-Encoding', value: 'gzip' },
        { name: 'X-A', value: 'b' },
      ],
      content: { text },
    },
  });
  const har: Har = { log: { entries: [answer('one'), answer('two')] } };
  const recording = await serveRecording(har, '404');
  const ask = async (path: string) => {
    const response = await fetch(recording.url + path);
    return [response.status, response.headers.get('x-a'), await response.text()];
  };
  expect(await ask('/x?q=1')).toEqual([200, 'b', 'one']);
  expect((await ask('/x?q=2'))[0]).toBe(404);
  expect(await ask('/x?q=1')).toEqual([200, 'b', 'two']);
  expect((await ask('/x?q=1'))[0]).toBe(404);
  await recording.close();
  const refusing = await serveRecording(har, 'refuse');
  await expect(fetch(`${refusing.url}/other`)).rejects.toThrow();
  await refusing.close();
});

test('no request ends the server that answers from a recording, however odd or broken it is', async () => {
  const har: Har = {
    log: {
      entries: [
        {
          request: { method: 'GET', url: 'http://any//', headers: [] },
          response: { status: 200, headers: [], content: { text: 'two slashes' } },
        },
      ],
    },
  };
  const recording = await serveRecording(har, '404');
  const { port } = new URL(recording.url);
  const raw = (bytes: string): Promise<string> =>
    new Promise(resolve => {
      let answer = '';
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes, 'latin1'));
      socket.on('data', data => (answer += data.toString('latin1')));
      socket.on('error', () => {});
      socket.on('close', () => resolve(answer.split('\r\n')[0]!));
      setTimeout(() => socket.destroy(), 3_000).unref();
    });
  const end = 'Host: x\r\nConnection: close\r\n\r\n';
  expect(await raw(`GET // HTTP/1.1\r\n${end}`)).toBe('HTTP/1.1 200 OK');
  for (const target of [
    '//',
    '///',
    '//%',
    '/%',
    '/%zz',
    '//[',
    'http://',
    'http://[',
    '*',
    '/\\\\',
    '//:1@',
    '//a:b:c/',
  ])
    expect(await raw(`GET ${target} HTTP/1.1\r\n${end}`), target).toMatch(/^HTTP\/1\.1 40[04]/);
  expect(await raw(`CONNECT any:443 HTTP/1.1\r\n${end}`)).toBe('HTTP/1.1 404 Not Found');
  expect(await raw(`GET /a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)).toMatch(/404/);
  expect(await raw(`GET /a HTTP/1.1\r\nX: ${'x'.repeat(1_000_000)}\r\n${end}`)).toMatch(/^(HTTP\/1\.1 400|$)/);
  expect(await raw('\0\x01\x02 nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
  expect(await raw(`POST /a HTTP/1.1\r\nContent-Length: -5\r\n${end}`)).toMatch(/^HTTP\/1\.1 400/);
  expect(
    await raw(`POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\nHost: x\r\nConnection: close\r\n\r\nzz\r\n`),
  ).toMatch(/40[04]/);
  expect((await fetch(`${recording.url}/still-here`)).status).toBe(404);
  await recording.close();
});
