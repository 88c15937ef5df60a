import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decode, isBinary, withText } from '../../src/core/decode.js';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

test.each([
  ['ASCII', Buffer.from('int x;\n'), false],
  ['UTF-8', Buffer.from('/* Grüße, 漢字 */ int x;\n'), false],
  ['Latin-1', latin1('/* Gr\xfc\xdfe */ int x;\n'), false],
  ['Shift JIS', Buffer.from([0x2f, 0x2f, 0x93, 0xfa, 0x96, 0x7b, 0x0a]), false],
  ['Latin-1 with tabs, page breaks and the end of a DOS file', latin1('\t/* \xe9 */\r\n\f\x1a'), false],
  ['UTF-16', Buffer.from('int x;', 'utf16le'), true],
  ['the head of a PNG file', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2]), true],
  ['UTF-8 with a terminal colour', Buffer.from('\x1b[31mé'), false],
  ['nothing', Buffer.from(''), false],
])('%s: binary or not', (_, bytes, expected) => {
  expect(isBinary(bytes)).toBe(expected);
});

test('a file that gets its own text back is the same, byte for byte, in any encoding', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), bytes => {
      const file = { kind: 'file', bytes, executable: true } as const;
      const again = withText(file, decode(bytes).text);
      expect(new Uint8Array(again.bytes)).toEqual(bytes);
      expect(again.executable).toBe(true);
    }),
  );
});

test('another text is written in the encoding of the file', () => {
  expect(withText({ bytes: latin1('\xe9a') }, 'é').bytes).toEqual(latin1('\xe9'));
  expect(withText({ bytes: Buffer.from('éa') }, 'é').bytes).toEqual(Buffer.from('é'));
});

test('data with a zero in it is read byte by byte, also if it is UTF-8', () => {
  expect(decode(Buffer.from('é\0')).text).toBe('\xc3\xa9\0');
  expect(withText({ bytes: Buffer.from('é\0') }, '\xc3\0').bytes).toEqual(Buffer.from([0xc3, 0]));
});
