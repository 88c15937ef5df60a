import { expect, test } from 'vitest';
import { judge, type Seen, signatureOf } from '../../../src/oracle/http/judge.js';

const broken = { what: 'POST /order?id=7', status: 500, body: '' };
const fine = { what: 'GET /', status: 200, body: '' };
const error = 'TypeError: no price\n    at total (shop.js:3:1)\n    at order (shop.js:9:2)\n';
const seen = (stderr: string, answers: Seen['answers'] = [fine, broken]): Seen => ({ answers, stdout: '', stderr });

test('errors that a server logged and handled are no part of an answer of 500', () => {
  const expected = signatureOf(seen(`RangeError: page 12 is too far\n    at list (shop.js:1:1)\n${error}`))!;
  expect(expected).toContain('answers 500 to POST /order | TypeError: no price | at total');
  expect(judge(seen(error), { kind: 'as first' }, expected).outcome).toBe('fail');
  expect(judge(seen(`${error}RangeError: page 3 is too far\n`), { kind: 'as first' }, expected).outcome).toBe('fail');
});

test('an answer of 500 for another reason, or to another request, is another failure', () => {
  const expected = signatureOf(seen(error))!;
  expect(
    judge(seen('TypeError: no session\n    at login (shop.js:2:2)\n'), { kind: 'as first' }, expected).outcome,
  ).toBe('unresolved');
  const other = { ...broken, what: 'POST /login' };
  expect(judge(seen(error, [other]), { kind: 'as first' }, expected).outcome).toBe('unresolved');
  expect(judge(seen('', [fine]), { kind: 'as first' }, expected).outcome).toBe('pass');
});
