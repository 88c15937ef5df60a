/** What the processes of a compiled program noted about their expressions. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { watchValues } from '../../../src/oracle/coverage/index.js';
import { folder, inScratch } from '../../circumstances/changes/folders.js';

const read = (lines: string, around: Readonly<Record<string, string>> = {}) =>
  inScratch(async root => {
    const tmp = join(root, 'tmp');
    mkdirSync(tmp);
    const look = watchValues(folder({ 'a.c': 'int a;' }), around);
    writeFileSync(look.built(root, tmp).CULPRIT_SEEN!, lines);
    return Object.fromEntries(look.ran(root, tmp));
  });

test('a literal has the type and the value of the expression', async () => {
  expect(await read('0i7\n1u7\n2l7\n3m7\n4x7\n5y7\n')).toEqual({
    0: '7',
    1: '7U',
    2: '7L',
    3: '7UL',
    4: '7LL',
    5: '7ULL',
  });
  expect(await read('0iffffffffffffffff\n1iffffffff80000000\n2l8000000000000000\n3mffffffffffffffff\n')).toEqual({
    0: '-1',
    1: '-2147483647-1',
    2: '-9223372036854775807L-1',
    3: '18446744073709551615UL',
  });
  expect(await read('0d3ff0000000000000\n1d3fb999999999999a\n2f3fb99999a0000000\n3d7ff0000000000000\n')).toEqual({
    0: '1.0',
    1: '0.1',
    2: '0.1f',
  });
});

test('a value that changes, or that two processes disagree about, is not known; a line without its end does not count', async () => {
  expect(await read('0i1\n0?2\n1i1\n1i2\n2i1\n2i1\n3i1\n3i')).toEqual({ 2: '1', 3: '1' });
});

test('a number that a variable of the environment has stays out, whatever its type', async () => {
  expect(await read('0i4d2\n1m4d2\n2i4d3\n', { PIN: '1234' })).toEqual({ 2: '1235' });
});
