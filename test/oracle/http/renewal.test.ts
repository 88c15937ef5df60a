import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Renewal } from '../../../src/oracle/http/renewal.js';
import { openTraffic } from '../../../src/oracle/http/traffic.js';
import type { Exchange, Har } from '../../../src/sources/har/har.js';

interface Recorded {
  readonly sends?: Readonly<Record<string, string>>;
  readonly posts?: string;
  readonly answers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status?: number;
}

const pairs = (headers: Readonly<Record<string, string>> = {}) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const exchange = (method: string, path: string, { sends, posts, answers, body, status = 200 }: Recorded): Exchange => ({
  request: {
    method,
    url: `http://shop.example${path}`,
    headers: pairs(sends),
    ...(posts === undefined ? {} : { postData: { mimeType: 'application/x-www-form-urlencoded', text: posts } }),
  },
  response: { status, headers: pairs(answers), content: { text: body ?? '' } },
});

/** Everything that it hands out is new in every run, and it wants all of it back. */
const shop = `
  const { randomBytes, randomUUID } = require('node:crypto');
  const issued = {
    sid: randomUUID(),
    csrf: randomBytes(12).toString('hex'),
    xsrf: randomBytes(12).toString('base64') + '=',
    token: randomBytes(18).toString('base64url') + '1',
    order: randomUUID(),
  };
  const page = value => '<form><input name="csrf" value="' + value + '"><input name="q"></form>';
  require('node:http').createServer((request, response) => {
    let body = '';
    request.on('data', chunk => (body += chunk)).on('end', () => {
      const { url, method, headers } = request;
      const answer = (status, text, more) => response.writeHead(status, more).end(text);
      const isLoggedIn = headers.cookie?.includes(issued.sid);
      if (url === '/login' && method === 'GET')
        return answer(200, page(issued.csrf), { 'Set-Cookie': ['sid=' + issued.sid, 'XSRF-TOKEN=' + encodeURIComponent(issued.xsrf)] });
      if (!isLoggedIn) return answer(401, 'log in first');
      if (url === '/login')
        return new URLSearchParams(body).get('csrf') === issued.csrf
          ? answer(200, JSON.stringify({ user: 'ann', session: { token: issued.token } }))
          : answer(403, 'wrong form');
      if (headers.authorization !== 'Bearer ' + issued.token) return answer(401, 'no token');
      if (url === '/orders')
        return headers['x-xsrf-token'] === issued.xsrf ? answer(201, '', { Location: '/orders/' + issued.order }) : answer(403, 'forged');
      if (url !== '/orders/' + issued.order + '/pay?of=' + issued.order) return answer(404, 'no such order');
      console.error('Error: order ' + issued.order + ' of ' + issued.token + ' has no lines');
      answer(500, 'oops');
    });
  }).listen(process.env.PORT, '127.0.0.1');
`;

const cookie = 'sid=0b54ab41-5e69-4c4b-b5ab-13f6a6d2a000; theme=dark';
const authorization = 'Bearer Zk2vQ0pWc3dTq8hLmN4rXy7u1';
const order = '7d1f0c1e-90b7-4f7e-8f64-aa0e6b8b1111';
const session: Har = {
  log: {
    entries: [
      exchange('GET', '/login', {
        answers: { 'Set-Cookie': 'sid=0b54ab41-5e69-4c4b-b5ab-13f6a6d2a000\nXSRF-TOKEN=pa%2BWk9%2Fq3d%3D%3D' },
        body: '<form><input name="csrf" value="c0ffee11c0ffee22c0ffee33"><input name="q"></form>',
      }),
      exchange('POST', '/login', {
        sends: { cookie },
        posts: 'user=ann&csrf=c0ffee11c0ffee22c0ffee33',
        body: '{"user":"ann","session":{"token":"Zk2vQ0pWc3dTq8hLmN4rXy7u1"}}',
      }),
      exchange('POST', '/orders', {
        sends: { cookie, authorization, 'X-XSRF-TOKEN': 'pa+Wk9/q3d==' },
        status: 201,
        answers: { location: `/orders/${order}` },
      }),
      exchange('POST', `/orders/${order}/pay?of=${order}`, { sends: { cookie, authorization }, status: 500 }),
    ],
  },
};

test('tokens and ids that the server makes up are sent back as it made them up in this run', async () => {
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  const enter = async () => ({ cwd, env: {}, leave() {} });
  const traffic = openTraffic({ mode: 'send', command: [process.execPath, '-e', shop], enter, limits: { settle: 50 } });
  try {
    const { verdict, seen } = await traffic.firstRun(session);
    expect(seen.answers.map(({ status }) => status)).toEqual([200, 200, 201, 500]);
    // The failure has the name that it had when it was recorded, so it is the same in every run.
    expect(verdict.signature).toContain(`answers 500 to POST /orders/${order}/pay`);
    expect(seen.stderr).toContain(`order ${order} of Zk2vQ0pWc3dTq8hLmN4rXy7u1 has no lines`);
    const withoutOrder = { log: { entries: session.log.entries.filter((_, i) => i !== 2) } };
    expect((await traffic.test(withoutOrder, new AbortController().signal)).outcome).toBe('pass');
    await expect(traffic.firstRun(withoutOrder)).rejects.toThrow(
      `The first response unlike the recorded one: POST /orders/${order}/pay?of=${order} → 404, recorded 500.`,
    );
  } finally {
    await traffic.close();
  }
});

const asked = (text: string) => exchange('POST', '/next', { posts: text });

/** What is sent after one response, recorded and live. */
function renewed(text: string, recorded: string, live: string, status = 200): string {
  const renewal = new Renewal([asked(text)]);
  renewal.learn(exchange('GET', '/', { body: recorded }), { status, headers: [], body: live });
  return renewal.renewed(text);
}

test('only values that look made up are renewed, and only as whole words', () => {
  expect(renewed('name=notebook', '{"name":"notebook"}', '{"name":"pencil"}')).toBe('name=notebook');
  expect(renewed('n=12', '{"n":12}', '{"n":13}')).toBe('n=12');
  expect(renewed('id=abc12345', '{"id":"abc12345"}', '{"id":"xyz98765"}')).toBe('id=xyz98765');
  expect(renewed('id=abc123456', '{"id":"abc12345"}', '{"id":"xyz98765"}')).toBe('id=abc123456');
  expect(renewed('to=%2Fp%2Fabc12345', '{"id":"abc12345"}', '{"id":"xyz98765"}')).toBe('to=%2Fp%2Fxyz98765');
  expect(renewed('t=a1%2Bb2%2Fc3%3D', '{"t":"a1+b2/c3="}', '{"t":"d4+e5/f6="}')).toBe('t=d4%2Be5%2Ff6%3D');
});

test('nothing is learnt from a response with another status, or with words that have no counterpart', () => {
  expect(renewed('id=abc12345', '{"id":"abc12345"}', '{"id":"xyz98765"}', 404)).toBe('id=abc12345');
  expect(renewed('id=abc12345', 'id abc12345 is new', 'id is xyz98765 and qrs45678 is new')).toBe('id=abc12345');
});

test('what a response created keeps its id if a list shows it at another place', () => {
  const renewal = new Renewal([asked('a=aaaa1111'), asked('b=bbbb2222')]);
  renewal.learn(exchange('POST', '/', { body: '{"id":"bbbb2222"}' }), {
    status: 200,
    headers: [],
    body: '{"id":"yyyy9999"}',
  });
  renewal.learn(exchange('GET', '/', { body: '["aaaa1111","bbbb2222"]' }), {
    status: 200,
    headers: [],
    body: '["yyyy9999"]',
  });
  expect(renewal.renewed('a=aaaa1111&b=bbbb2222')).toBe('a=aaaa1111&b=yyyy9999');
  expect(renewal.asRecorded('no such item: yyyy9999')).toBe('no such item: bbbb2222');
});

test('a body that is nested thousands of times is compared, too', () => {
  const nested = (token: string) => `${'['.repeat(50_000)}"${token}"${']'.repeat(50_000)}`;
  const asked = exchange('GET', '/', { body: nested('aB3dE5fG7h') });
  const renewal = new Renewal([asked, exchange('GET', '/next?token=aB3dE5fG7h', {})]);
  renewal.learn(asked, { status: 200, headers: [], body: nested('xY9zW8vU7t') });
  expect(renewal.renewed('/next?token=aB3dE5fG7h')).toBe('/next?token=xY9zW8vU7t');
});
