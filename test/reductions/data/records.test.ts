import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { all, type Circumstance, minus, of } from '../../../src/core/index.js';
import { textOf } from '../../../src/core/trace.js';
import { dataReductions } from '../../../src/reductions/data/index.js';

const latin1 = (data: Uint8Array) => Buffer.from(data).toString('latin1');
const big = (value: number, width: number) =>
  String.fromCharCode(...Array.from({ length: width }, (_, i) => Math.floor(value / 256 ** (width - 1 - i)) % 256));
const little = (value: number, width: number) => [...big(value, width)].reverse().join('');
const sevenBits = (value: number): string =>
  value < 128 ? String.fromCharCode(value) : String.fromCharCode((value % 128) + 128) + sevenBits(value >> 7);
const counted = (value: number) =>
  value < 128 ? String.fromCharCode(value) : value < 256 ? `\x81${String.fromCharCode(value)}` : `\x82${big(value, 2)}`;
const checksum = (text: string) => big(crc32(Buffer.from(text, 'latin1')), 4);

/** A kind of file: what is around its records, and how each of them is written. */
interface Kind {
  /** What follows the records, if they do not reach the end. */
  readonly tail?: string;
  readonly file: (records: readonly string[]) => string;
  readonly record: (name: string, data: string) => string;
}
const plain = (records: readonly string[]) => records.join('');

const image = latin1(Uint8Array.from({ length: 700 }, (_, i) => (i * i * 7 + i * 31) % 251));

const kinds: Readonly<Record<string, Kind>> = {
  'PNG, with checksums': {
    file: records => `\x89PNG\r\n\x1a\n${records.join('')}`,
    record: (name, data) => big(data.length, 4) + name + data + checksum(name + data),
  },
  'RIFF, filled up to even sizes': {
    file: records => `RIFF${little(4 + records.join('').length, 4)}WAVE${records.join('')}`,
    record: (name, data) => name + little(data.length, 4) + data + '\0'.repeat(data.length % 2),
  },
  'MP4, with its own length counted': { file: plain, record: (name, data) => big(data.length + 8, 4) + name + data },
  'a capture, with the length twice': {
    file: records => `\xd4\xc3\xb2\xa1\x02\0\x04\0${'\0'.repeat(8)}\xff\xff\0\0\x01\0\0\0${records.join('')}`,
    record: (name, data) => name + big(data.length, 4) + little(data.length, 4).repeat(2) + data,
  },
  'TLS, with lengths of two bytes': { file: plain, record: (_, data) => `\x17\x03\x03${big(data.length, 2)}${data}` },
  'sections of WebAssembly': {
    file: records => `\0asm\x01\0\0\0${records.join('')}`,
    record: (name, data) => String.fromCharCode(name.charCodeAt(3) % 12) + sevenBits(data.length) + data,
  },
  'a certificate': {
    file: records => `0${counted(records.join('').length)}${records.join('')}`,
    record: (name, data) => String.fromCharCode(48 + (name.charCodeAt(3) % 2)) + counted(data.length) + data,
  },
  'JPEG, with an image after its segments': {
    tail: image,
    file: records => `\xff\xd8${records.join('')}${image}`,
    record: (name, data) =>
      `\xff${String.fromCharCode(0xc0 + (name.charCodeAt(3) % 16))}${big(data.length + 2, 2)}${data}`,
  },
  'a number of entries in front': {
    file: records => `${big(records.length, 2)}${records.join('')}`,
    record: (_, data) => big(data.length, 4) + data,
  },
};

const names = ['IHDR', 'fmtA', 'LIST', 'data', 'moov', 'trak', 'iTXt'];
const files = fc.array(
  fc.tuple(fc.constantFrom(...names), fc.uint8Array({ minLength: 150, maxLength: 600, size: 'max' }), fc.boolean()),
  { minLength: 4, maxLength: 8 },
);

/** Whether records are there or not is a guess, which needs enough data: always the same files, of some size. */
const settings = { numRuns: 5, seed: 1, endOnFailure: true };

const startsOf = (circumstance: Circumstance<string>) =>
  Array.from({ length: circumstance.count }, (_, delta) => Number(/\d+$/.exec(circumstance.describe!(delta))![0]));

test.each(Object.entries(kinds))('without some records, it is a file of the other ones: %s', async (_, kind) => {
  await fc.assert(
    fc.asyncProperty(files, async entries => {
      const records = entries.map(([name, data]) => kind.record(name, latin1(data)));
      const text = kind.file(records);
      const found = (await dataReductions(Buffer.from(text, 'latin1')).records(text))!;
      expect(found).toBeDefined();
      const starts = startsOf(found);
      const gone: number[] = [];
      let at = text.length - records.join('').length - (kind.tail ?? '').length;
      for (const [i, [, , isGone]] of entries.entries()) {
        const delta = starts.indexOf(at);
        expect(delta).toBeGreaterThanOrEqual(0);
        if (isGone && i > 0) gone.push(delta);
        at += records[i]!.length;
      }
      const left = records.filter((_, i) => i === 0 || !entries[i]![2]);
      const without = minus(all(found.count), of(gone));
      expect(found.build(without)).toBe(kind.file(left));
      expect(textOf(found.trace!(without), text)).toBe(kind.file(left));
    }),
    settings,
  );
});

test.each(Object.entries(kinds))('a byte goes with one from each length that counts it: %s', async (_, kind) => {
  await fc.assert(
    fc.asyncProperty(files, fc.nat(), async (entries, which) => {
      // One of an odd size, which shows that records are filled up.
      const data = entries.map(([, bytes], i) => latin1(i === 0 ? bytes.slice(1 - (bytes.length % 2)) : bytes));
      const record = (texts: readonly string[]) => texts.map((each, i) => kind.record(entries[i]![0], each));
      const text = kind.file(record(data));
      const reductions = dataReductions(Buffer.from(text, 'latin1'));
      const found = (await reductions.bytes(text))!;
      const chosen = which % data.length;
      const at = text.length - record(data).slice(chosen).join('').length - (kind.tail ?? '').length;
      const ending = /[\s\S]{4}$/.exec(data[chosen]!)![0];
      // The last byte of its data, wherever that is.
      const last = text.indexOf(ending, at) + 3;
      const delta = startsOf(found).indexOf(last);
      if (delta < 0) return;
      const shorter = data.map((each, i) => (i === chosen ? each.slice(0, -1) : each));
      expect(found.build(minus(all(found.count), of([delta])))).toBe(kind.file(record(shorter)));
    }),
    settings,
  );
});

test('what becomes zero has another checksum', async () => {
  const { file, record } = kinds['PNG, with checksums']!;
  const text = file([record('IHDR', 'some header'), record('data', 'x'.repeat(50)), record('IEND', '')]);
  const zeros = (await dataReductions(Buffer.from(text, 'latin1')).zeros(text))!;
  const at = startsOf(zeros).indexOf(text.indexOf('header'));
  expect(zeros.build(minus(all(zeros.count), of([at])))).toBe(
    file([record('IHDR', 'some \0eader'), record('data', 'x'.repeat(50)), record('IEND', '')]),
  );
});

test('zeros are no records', async () => {
  expect(await dataReductions(Buffer.alloc(5000)).records('\0'.repeat(5000))).toBeUndefined();
});

test('records in records in records overflow no stack', async () => {
  let text = '\x17\x02ab';
  for (let depth = 0; depth < 20_000; depth++) text = `0\x83${big(text.length, 3)}${text}`;
  const found = (await dataReductions(Buffer.from(text, 'latin1')).records(text))!;
  expect(found.build(of([]))!.length).toBeLessThan(text.length);
});
