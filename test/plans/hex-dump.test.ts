import { expect, test } from 'vitest';
import { countDiffering, hexDifference, hexDump } from '../../src/plans/hex-dump.js';

test('rows of zeros are left out, and how many bytes count is said first', () => {
  const bytes = new Uint8Array(100);
  bytes.set([0x7f, 0x45], 0);
  bytes[70] = 0xff;
  expect(hexDump(bytes)?.split('\n')).toEqual([
    '3 of 100 bytes are not zero:',
    '00000000  7f 45 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |.E..............|',
    '*',
    '00000040  00 00 00 00 00 00 ff 00  00 00 00 00 00 00 00 00  |................|',
    '*',
  ]);
});

test('too many rows are nothing to read', () => {
  expect(hexDump(new Uint8Array(32).fill(1), 1)).toBeDefined();
  expect(hexDump(new Uint8Array(64).fill(1), 1)).toBeUndefined();
  expect(hexDump(new Uint8Array(1_000_000), 1)).toBeDefined();
});

test('a short last row keeps its column of letters', () => {
  expect(hexDump(Uint8Array.of(0x41, 0x42))).toBe(`00000000  41 42${' '.repeat(44)} |AB|`);
});

test('of two versions of the same size, the rows that differ; of others, what is between their common ends', () => {
  const old = new Uint8Array(40);
  const now = Uint8Array.from(old);
  now[20] = 7;
  expect(hexDifference(old, now).map(row => row.slice(0, 9))).toEqual(['-00000010', '+00000010']);
  expect(countDiffering(old, now)).toBe(1);
  const [short, long] = ['abcd', 'abxycd'].map(text => Buffer.from(text));
  expect(hexDifference(short!, long!).map(row => row.slice(0, 15))).toEqual(['+00000002  78 7']);
  expect(hexDifference(long!, short!).map(row => row.slice(0, 15))).toEqual(['-00000002  78 7']);
  expect(countDiffering(short!, long!)).toBeUndefined();
});
