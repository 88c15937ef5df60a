import { expect, test } from 'vitest';
import { secretsIn } from '../../../src/oracle/coverage/values/secrets.js';

const token = 'ghp_abcdefgh12345678';
const tells = secretsIn(["const greeting = 'good morning';"], [token, 'good morning', 'short']);

test.each([
  ['itself', `it is ${token}.`],
  ['a part of it', '"cdefgh1234"'],
  ['in capitals', token.toUpperCase()],
  ['letter by letter', [...token].map(letter => `"${letter}"`).join()],
  ['line by line', [...token].join('\n')],
  ['character codes', `[${[...Buffer.from(token)].join(', ')}]`],
  ['base64', Buffer.from(token).toString('base64').slice(2)],
  ['hexadecimal', Buffer.from(token).toString('hex')],
])('a variable is recognised: %s', (_, text) => {
  expect(tells(text)).toBe(true);
});

test.each([
  ['what the input has', '"good morning"'],
  ['a short part', 'ghp abcd'],
  ['other numbers', '[1, 2, 3, 104, 105, 106]'],
  ['a short variable', 'short'],
  ['nothing', ''],
])('no variable: %s', (_, text) => {
  expect(tells(text)).toBe(false);
});
