import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exchangesOf } from '../../../src/circumstances/traffic/exchanges.js';
import { fieldsOf } from '../../../src/circumstances/traffic/fields.js';
import { all, type Circumstance, minus, of, UserError } from '../../../src/core/index.js';
import { structureOf } from '../../../src/sources/har/body.js';
import { type Har, readHar } from '../../../src/sources/har/har.js';
import { maskedHar, maskedHeader, maskedUrl, secretsOf } from '../../../src/sources/har/show.js';

const session = readHar(
  readFileSync(new URL('../../../examples/traffic/session.har', import.meta.url), 'utf8'),
  'session.har',
);

test.each([
  ['{"log": {', /not JSON/],
  ['[]', /no list of entries/],
  ['{"log": {"entries": {}}}', /no list of entries/],
  ['{"log": {"entries": []}}', /contains no exchange/],
  ['{"log": {"entries": [{}]}}', /entries\[0\]\.request is missing, expected an object/],
  [
    '{"log": {"entries": [{"request": {"method": "GET", "url": "/x", "headers": []}}]}}',
    /request\.url is "\/x", expected an absolute URL/,
  ],
  [
    '{"log": {"entries": [{"request": {"method": "GET", "url": "http://a/", "headers": [{"name": 1}]}}]}}',
    /headers\[0\]\.name is 1, expected a text/,
  ],
])('%s is refused with what is wrong', (text, message) => {
  expect(() => readHar(text, 'x.har')).toThrow(UserError);
  expect(() => readHar(text, 'x.har')).toThrow(message);
});

test('all exchanges, and all fields of both sides, are the recording itself', () => {
  for (const each of [exchangesOf(session), fieldsOf(session, 'request'), fieldsOf(session, 'response')])
    expect(each.build(all(each.count))).toEqual(session);
});

test('a JSON body of any shape comes back as it was, and without any part it is still JSON', () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 4 }),
      fc.constantFrom(undefined, 2),
      fc.func(fc.boolean()),
      (compact, indent, kept) => {
        const text = JSON.stringify(JSON.parse(compact), undefined, indent);
        const structure = structureOf(text, 'application/json');
        expect(structure.render(() => true)).toBe(text);
        expect(() => JSON.parse(structure.render(part => kept(part)))).not.toThrow();
        const bare = JSON.parse(structure.render(() => false)) as unknown;
        if (typeof bare === 'object' && bare !== null) expect(Object.keys(bare)).toEqual([]);
        structure.parts.forEach(({ parent }, part) => {
          expect(parent).toBeLessThan(part);
        });
      },
    ),
  );
});

test('leaving a member out takes just this member, and numbers stay as they were written', () => {
  const text = '{"id": 12345678901234567890, "list": [1.50, {"a": 1, "b": [true]}], "x": "{,}"}';
  const structure = structureOf(text, 'application/json');
  const without = (label: string) => structure.render(part => structure.parts[part]!.label !== label);
  expect(without('list[1].a')).toBe('{"id": 12345678901234567890,"list": [1.50,{"b": [true]}],"x": "{,}"}');
  expect(without('list')).toBe('{"id": 12345678901234567890,"x": "{,}"}');
  expect(without('x')).toBe('{"id": 12345678901234567890,"list": [1.50, {"a": 1, "b": [true]}]}');
});

test('any text comes back as it was, as form, multipart or plain', () => {
  const type = fc.constantFrom(
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data; boundary=xYz',
    'application/json',
  );
  fc.assert(
    fc.property(fc.string(), type, (text, mimeType) => {
      expect(structureOf(text, mimeType).render(() => true)).toBe(text);
    }),
  );
  const multipart = ['a', 'b']
    .map(name => `--xYz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${name}1\r\n`)
    .join('');
  const structure = structureOf(`${multipart}--xYz--\r\n`, 'multipart/form-data; boundary=xYz');
  expect(structure.parts.map(({ label }) => label)).toEqual(['field a', 'field b']);
  expect(structure.render(part => part === 1)).toBe(
    '--xYz\r\nContent-Disposition: form-data; name="b"\r\n\r\nb1\r\n--xYz--\r\n',
  );
});

const one = (request: object, response?: object): Har => ({
  log: {
    entries: [{ request: { method: 'GET', url: 'http://a/', headers: [], ...request }, ...(response && { response }) }],
  } as never,
});
const withoutLabel = (circumstance: Circumstance<Har>, pattern: RegExp) => {
  const gone = Array.from({ length: circumstance.count }, (_, delta) => delta).filter(delta =>
    pattern.test(circumstance.describe!(delta)),
  );
  expect(gone).not.toEqual([]);
  return circumstance.build(minus(all(circumstance.count), of(gone)))!.log.entries[0]!;
};

test('parameters, cookies, headers and form fields go one by one', () => {
  const har = one({
    url: 'http://a/p?x=1&y=%20&z#h',
    queryString: [
      { name: 'x', value: '1' },
      { name: 'y', value: ' ' },
      { name: 'z', value: '' },
    ],
    headers: [
      { name: 'Cookie', value: 'a=1; b=2' },
      { name: 'Accept', value: '*/*' },
    ],
    cookies: [
      { name: 'a', value: '1' },
      { name: 'b', value: '2' },
    ],
    postData: {
      mimeType: 'application/x-www-form-urlencoded',
      text: 'u=1&v=2',
      params: [
        { name: 'u', value: '1' },
        { name: 'v', value: '2' },
      ],
    },
  });
  const fields = fieldsOf(har, 'request');
  expect(withoutLabel(fields, /parameter y/).request).toMatchObject({
    url: 'http://a/p?x=1&z#h',
    queryString: [
      { name: 'x', value: '1' },
      { name: 'z', value: '' },
    ],
  });
  expect(withoutLabel(fields, /parameter/).request.url).toBe('http://a/p#h');
  expect(withoutLabel(fields, /cookie a/).request).toMatchObject({
    headers: [{ name: 'Cookie', value: 'b=2' }, {}],
    cookies: [{ name: 'b' }],
  });
  expect(withoutLabel(fields, / cookie/).request.headers.map(({ name }) => name)).toEqual(['Accept']);
  expect(withoutLabel(fields, /Accept/).request.headers).toHaveLength(1);
  expect(withoutLabel(fields, /field u/).request.postData).toMatchObject({
    text: 'v=2',
    params: [{ name: 'v', value: '2' }],
  });
  expect(withoutLabel(fields, /body$/).request).not.toHaveProperty('postData');
});

test('a JSON answer in base64 is taken apart like any other', () => {
  const text = Buffer.from('{"a":1,"b":2}').toString('base64');
  const har = one(
    {},
    { status: 200, headers: [], content: { mimeType: 'application/json', text, encoding: 'base64' } },
  );
  expect(withoutLabel(fieldsOf(har, 'response'), /body a/).response!.content).toEqual({
    mimeType: 'application/json',
    text: '{"b":2}',
  });
});

test('credentials are not shown: headers, cookies, parameters and fields', () => {
  expect(maskedHeader('Authorization', 'Bearer abc.def')).toBe('Bearer ••••••');
  expect(maskedHeader('cookie', 'sid=abc; theme=dark')).toBe('sid=••••••; theme=••••••');
  expect(maskedHeader('Set-Cookie', 'sid=abc; Path=/; HttpOnly')).toBe('sid=••••••; Path=/; HttpOnly');
  expect(maskedHeader('X-Api-Key', 'k')).toBe('••••••');
  expect(maskedUrl('https://u:p@h/x?token=abc&page=2')).toBe('https://••••••@h/x?token=••••••&page=2');
  const shown = JSON.stringify(maskedHar(session));
  for (const secret of [/correct-horse/, /sid=[0-9a-f]{8}/]) {
    expect(JSON.stringify(session)).toMatch(secret);
    expect(shown).not.toMatch(secret);
    for (const side of ['request', 'response'] as const) {
      const fields = fieldsOf(session, side);
      for (let delta = 0; delta < fields.count; delta++) expect(fields.describe!(delta)).not.toMatch(secret);
    }
  }
});

test('what lets somebody in is known by its value, to be taken out of what a server prints', () => {
  const har = one({
    url: 'https://a/?api_key=key-in-url&page=2',
    headers: [
      { name: 'Authorization', value: 'Bearer abc.def' },
      { name: 'Cookie', value: 'sid=0123456789abcdef; theme=dark' },
    ],
    postData: { mimeType: 'application/json', text: '{"user":"ada","password":"pass-word"}' },
  });
  expect(Object.values(secretsOf(har)).sort()).toEqual(['0123456789abcdef', 'abc.def', 'key-in-url', 'pass-word']);
});
