// Makes session.har: plays an afternoon in the shop against server.js, with the headers that a browser sends.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';

const port = 41900;
const origin = 'https://shop.example';
const server = spawn(process.execPath, ['server.js', String(port)], { stdio: ['ignore', 'inherit', 'ignore'] });
await new Promise(resolve => setTimeout(resolve, 500));

const jar = new Map([['theme', 'dark'], ['consent', 'v2.all'], ['_visitor', '8c1f0a52'], ['lang', 'en']]);
const entries = [];
let clock = Date.parse('2026-05-04T13:00:00Z');

async function visit(method, path, body, type) {
  clock += 1700;
  const headers = [
    ['Host', 'shop.example'],
    ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'],
    ['Accept', path.startsWith('/api') ? 'application/json' : '*/*'],
    ['Accept-Language', 'en-GB,en;q=0.9'],
    ['Referer', `${origin}/`],
    ['Sec-Fetch-Dest', 'empty'],
    ['Sec-Fetch-Mode', 'cors'],
    ['Sec-Fetch-Site', 'same-origin'],
    ...(method === 'GET' ? [] : [['Origin', origin]]),
    ...(type ? [['Content-Type', type]] : []),
    ['Cookie', [...jar].map(pair => pair.join('=')).join('; ')],
  ];
  const response = await new Promise(resolve => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers: Object.fromEntries(headers), agent: false }, incoming => {
      let text = '';
      incoming.setEncoding('utf8').on('data', chunk => (text += chunk)).on('end', () => resolve({ status: incoming.statusCode, headers: incoming.headers, text }));
    });
    outgoing.on('error', () => resolve({ status: 0, headers: {}, text: '' }));
    outgoing.end(body);
  });
  for (const line of response.headers['set-cookie'] ?? []) jar.set(...line.split(';')[0].split('='));
  const list = object => Object.entries(object).flatMap(([name, value]) => [value].flat().map(each => ({ name, value: String(each) })));
  entries.push({
    startedDateTime: new Date(clock).toISOString(),
    time: 12,
    request: {
      method,
      url: origin + path,
      httpVersion: 'HTTP/1.1',
      headers: headers.map(([name, value]) => ({ name, value })),
      queryString: [...new URL(origin + path).searchParams].map(([name, value]) => ({ name, value })),
      cookies: [...jar].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: body?.length ?? 0,
      ...(body && { postData: { mimeType: type, text: body } }),
    },
    response: {
      status: response.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      headers: list(response.headers).filter(({ name }) => name !== 'date'),
      cookies: [],
      content: { size: response.text.length, mimeType: response.headers['content-type'] ?? 'x-unknown', text: response.text },
      redirectURL: '',
      headersSize: -1,
      bodySize: response.text.length,
    },
    cache: {},
    timings: { send: 1, wait: 10, receive: 1 },
  });
}

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const event = name => visit('POST', '/api/events', JSON.stringify({ event: name, at: clock, screen: { width: 1440, height: 900 } }), json);
const add = (sku, quantity) =>
  visit('POST', '/api/cart', JSON.stringify({ sku, quantity, source: { page: 'search', position: 3 }, options: ['gift', 'note'], note: 'for Ada' }), json);
const remove = sku => visit('DELETE', `/api/cart?sku=${sku}&reason=changed-my-mind&source=cart`);

for (const path of ['/', '/app.css', '/app.js']) await visit('GET', path);
for (let page = 1; page <= 4; page++) {
  await visit('GET', `/api/products?page=${page}&size=10`);
  await event(`page-${page}`);
}
await visit('GET', '/api/cart');
await visit('POST', '/login', 'user=ada&password=correct-horse&remember=on', form);
for (let round = 0; round < 11; round++) {
  for (const word of ['lamp', 'rug', 'clock']) await visit('GET', `/api/search?q=${word}&sort=price&round=${round}`);
  await add(`P-${101 + round}`, 1);
  await visit('GET', '/api/cart');
  await event('cart');
  if (round % 3 === 2) await visit('POST', '/api/checkout', JSON.stringify({ shipping: { method: 'express' }, address: { city: 'London', street: 'Dorset Street 1' } }), json);
  await remove(`P-${101 + round}`);
  await visit('GET', `/api/products?page=${1 + (round % 4)}&size=10`);
  await event('browse');
}
await visit('POST', '/api/coupon', 'code=CHEAPEST-FREE&source=mail', form);
await add('P-120', 2);
await event('coupon');
await remove('P-120');
await visit('GET', '/api/cart');
await visit('POST', '/api/checkout', JSON.stringify({ shipping: { method: 'standard' }, address: { city: 'London', street: 'Dorset Street 1' }, terms: true }), json);

server.kill();
const lines = entries.map(entry => JSON.stringify(entry)).join(',\n');
writeFileSync('session.har', `{"log":{"version":"1.2","creator":{"name":"record.js","version":"1"},"entries":[\n${lines}\n]}}\n`);
console.log(`${entries.length} exchanges; the last one: ${entries.at(-1).response.status}`);
