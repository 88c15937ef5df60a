import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOf, nameOf, onDisk } from '../../src/sources/file-names.js';

/** Bytes that often begin, continue or end a character of UTF-8, and others. */
const bytes = fc
  .array(fc.oneof(fc.constantFrom(0x61, 0x80, 0xbf, 0xc3, 0xa9, 0xe2, 0xed, 0xa0, 0xf0, 0x9f), fc.nat(255)))
  .map(list => Buffer.from(list));

test('a name of any bytes is read as text and written as the same bytes', () => {
  fc.assert(
    fc.property(bytes, name => {
      expect(bytesOf(nameOf(name))).toEqual(name);
      expect(Buffer.from(onDisk(nameOf(name)))).toEqual(name);
    }),
  );
});

test('text stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => {
      expect(nameOf(Buffer.from(text))).toBe(text);
      expect(onDisk(text)).toBe(text);
    }),
  );
  expect(nameOf(Buffer.from('\ufffd 😀'))).toBe('\ufffd 😀');
});

test('only the bytes that are not UTF-8 are escaped', () => {
  expect(nameOf(Buffer.from([0xc3, 0xa9, 0xe9, 0x2e, 0x63]))).toBe('é\udce9.c');
  expect(nameOf(Buffer.from([0xe2, 0x82]))).toBe('\udce2\udc82');
});
