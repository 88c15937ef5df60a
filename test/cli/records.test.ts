import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.js';

/** Reads chunks as PNG has them. Everything that is not one is another failure than the one that is looked for. */
const reader = `const { crc32 } = require('node:zlib');
const bytes = require('node:fs').readFileSync(process.argv[2]);
const chunks = [];
for (let at = 4; at < bytes.length; at += chunks.at(-1).size + 12) {
  const size = bytes.readUInt32BE(at);
  const checked = bytes.subarray(at + 4, at + 8 + size);
  if (crc32(checked) !== bytes.readUInt32BE(at + 8 + size)) throw new RangeError('a checksum is wrong');
  chunks.push({ size, name: checked.toString('latin1', 0, 4) });
}
if (chunks[0].name !== 'HEAD' || chunks.at(-1).name !== 'LAST') throw new RangeError('it is incomplete');
if (chunks.some(({ name, size }) => name === 'GAMA' && size !== 4)) throw new TypeError('gamma has a wrong size');
`;

function chunk(name: string, data: Buffer): Buffer {
  const checked = Buffer.concat([Buffer.from(name), data]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(data.length, 0);
  numbers.writeUInt32BE(crc32(checked), 4);
  return Buffer.concat([numbers.subarray(0, 4), checked, numbers.subarray(4)]);
}
const data = (seed: number, length: number) =>
  Buffer.from(Array.from({ length }, (_, i) => (i * i * seed + 7 * i) & 255));

test('a file of chunks with lengths and checksums loses all chunks but those that matter, on any number of workers', async () => {
  const chunks = [chunk('HEAD', data(3, 13)), ...[200, 311, 97, 402].map(size => chunk('DATA', data(size, size)))];
  const file = [Buffer.from([0xf1, 0, 0xd, 0xa]), ...chunks, chunk('GAMA', data(5, 9)), chunk('LAST', data(1, 0))];
  const cwd = folderWith({ 'read.js': reader });
  writeFileSync(join(cwd, 'in.dat'), Buffer.concat(file));
  const results: string[] = [];
  for (const jobs of ['1', '3']) {
    const { code } = await culprit(
      ['reduce', 'in.dat', '-j', jobs, '-o', `out${jobs}`, '--', 'node', 'read.js', '{}'],
      { cwd },
    );
    expect(code).toBe(0);
    results.push(readFileSync(join(cwd, `out${jobs}`)).toString('hex'));
  }
  const none = Buffer.alloc(0);
  const zero = Buffer.alloc(4);
  const least = [zero, chunk('HEAD', none), chunk('GAMA', none), chunk('LAST', none)];
  expect(results).toEqual(Array(2).fill(Buffer.concat(least).toString('hex')));
}, 120_000);
