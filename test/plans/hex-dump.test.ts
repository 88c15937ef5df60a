import { expect, test } from 'vitest';
import { hexDump } from '../../src/plans/hex-dump.js';

test('rows of zeros are left out, and how many bytes count is said first', () => {
  const bytes = new Uint8Array(100);
  bytes.set([0x7f, 0x45], 0);
  bytes[70] = 0xff;
  expect(hexDump(bytes).split('\n')).toEqual([
    '3 of 100 bytes are not zero:',
    '00000000  7f 45 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |.E..............|',
    '*',
    '00000040  00 00 00 00 00 00 ff 00  00 00 00 00 00 00 00 00  |................|',
    '*',
  ]);
});

test('a short last row keeps its column of letters', () => {
  expect(hexDump(Uint8Array.of(0x41, 0x42))).toBe(`00000000  41 42${' '.repeat(44)} |AB|`);
});
