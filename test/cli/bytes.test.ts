import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inFile } from '../../src/circumstances/files.js';
import { bytes, characters, lines, tokens } from '../../src/circumstances/text.js';
import type { Artifact } from '../../src/core/artifact.js';
import { decode } from '../../src/core/decode.js';
import { all, type Configuration, minus, of } from '../../src/core/index.js';
import { reducePasses } from '../../src/plans/reduce/passes.js';
import { textPasses } from '../../src/plans/reduce/text-passes.js';
import { culprit, folderWith } from './culprit.js';

/** What files are made of when nobody is careful: line ends of all kinds, a BOM, half characters, NUL, nothing. */
const piece = fc.constantFrom(
  ...['\n', '\r\n', '\r', '\n\n', ' ', '\t', '{', '}', '(', '"', "'", '/*', '//', '\\', 'word', 'x1', '\u2028', '\0'],
  ...['é', '漢', '😀', 'e\u0301', '\ufeff', '\u0085'],
);
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));
const anyBytes = fc.oneof(
  fc.array(piece, { maxLength: 40 }).map(pieces => bytesOf(pieces.join(''))),
  fc.array(piece, { maxLength: 40 }).map(pieces => bytesOf(`\ufeff${pieces.join('')}`)),
  fc.uint8Array({ maxLength: 60 }),
  fc
    .array(fc.oneof(piece.map(bytesOf), fc.uint8Array({ maxLength: 3 })), { maxLength: 20 })
    .map(parts => new Uint8Array(Buffer.concat(parts))),
);
const artifactOf = (bytes: Uint8Array, name: string): Artifact => ({
  files: new Map([[name, { kind: 'file', bytes }]]),
});
const contentOf = (artifact: Artifact | undefined, name: string): Uint8Array | undefined => {
  const entry = artifact?.files.get(name);
  return entry?.kind === 'file' ? new Uint8Array(entry.bytes) : undefined;
};

test.each([
  ['lines', lines],
  ['tokens', tokens],
  ['characters', characters],
  ['bytes', bytes],
])('all %s together are the file, byte for byte, and each of them is a part of it', (_, circumstance) => {
  fc.assert(
    fc.property(anyBytes, content => {
      const { text, encoding } = decode(content);
      const inner = inFile(artifactOf(content, 'f'), 'f', encoding, circumstance(text));
      const build = (configuration: Configuration) => contentOf(inner.build(configuration), 'f')!;
      expect(build(all(inner.count))).toEqual(content);
      const parts = Array.from({ length: inner.count }, (_, i) => build(of([i])));
      expect(new Uint8Array(Buffer.concat(parts))).toEqual(content);
      expect(parts.every(part => part.length > 0)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test.each(['in.txt', 'in.c', 'in.js', 'in.json', 'in.py'])(
  'every pass over %s, with all of its deltas applied, is the file byte for byte',
  async name => {
    await fc.assert(
      fc.asyncProperty(anyBytes, async bytes => {
        const artifact = artifactOf(bytes, name);
        for (const pass of await reducePasses(artifact, {})) {
          const circumstance = await pass.over(artifact);
          if (circumstance)
            expect(contentOf(circumstance.build(all(circumstance.count)), name), pass.name).toEqual(bytes);
        }
      }),
      { numRuns: 25 },
    );
  },
);

/** What is left by lines when only the lines with an x are needed. */
async function leftOf(content: Uint8Array, by: string, needed: string): Promise<Buffer> {
  const cwd = folderWith({ 'in.dat': content });
  const tool = `const bytes = require('fs').readFileSync(process.argv[1]); process.exit(bytes.includes(Buffer.from(process.argv[2], 'hex')) ? 0 : 1)`;
  const args = [
    'reduce',
    'in.dat',
    '--by',
    by,
    '--interesting',
    '--',
    process.execPath,
    '-e',
    tool,
    '{}',
    Buffer.from(needed, 'latin1').toString('hex'),
  ];
  const { code, stderr } = await culprit(args, { cwd });
  expect(code, stderr).toBe(0);
  expect(readFileSync(join(cwd, 'in.dat'))).toEqual(Buffer.from(content));
  return readFileSync(join(cwd, 'in.reduced.dat'));
}

test.each([
  ['CRLF', 'a\r\nx\r\nb\r\n', 'x', 'x\r\n'],
  ['a lone CR', 'a\rx\rb\r', 'x', 'x\r'],
  ['a BOM', '\xef\xbb\xbfx\na\n', '\xef\xbb\xbfx', '\xef\xbb\xbfx\n'],
  ['invalid UTF-8', 'a\n\xff\xfex\n\xc3(\n', 'x', '\xff\xfex\n'],
  ['NUL bytes', 'a\0b\n\0x\0\n\0', '\0x', '\0x\0\n'],
  ['a missing last newline', 'a\nb\nx', 'x', 'x'],
  ['empty lines', '\n\n\nx\n\n\n', 'x', 'x\n'],
])('%s is kept as it is', async (_, content, needed, left) => {
  expect((await leftOf(Buffer.from(content, 'latin1'), 'line', needed)).toString('latin1')).toBe(left);
});

test('a binary file is reduced byte by byte', async () => {
  const content = Uint8Array.from({ length: 64 }, (_, i) => (i * 37) % 256);
  expect([...(await leftOf(content, 'byte', String.fromCharCode(content[20]!, content[21]!)))]).toEqual([
    content[20],
    content[21],
  ]);
});

test('data whose parts are found by their position keeps its size, and what does not matter becomes zero', async () => {
  const content = Buffer.from(Uint8Array.from({ length: 4_096 }, (_, i) => 1 + ((i * 37) % 255)));
  content.writeUInt16LE(3_000, 8);
  content[3_000] = 0x77;
  const cwd = folderWith({ 'in.dat': content });
  const tool = `const bytes = require('fs').readFileSync(process.argv[1]);
    if (bytes.length === 4096 && bytes[bytes.readUInt16LE(8)] === 0x77) throw new Error('a bad record');`;
  const { code, stderr } = await culprit(['reduce', 'in.dat', '--', process.execPath, '-e', tool, '{}'], { cwd });
  expect(code, stderr).toBe(0);
  expect(readFileSync(join(cwd, 'in.dat'))).toEqual(content);
  const left = readFileSync(join(cwd, 'in.reduced.dat'));
  expect(left.length).toBe(4_096);
  // The record may be anywhere, also where its address is.
  expect(left.filter(byte => byte !== 0).length).toBeLessThanOrEqual(3);
  expect(left[left.readUInt16LE(8)]).toBe(0x77);
  expect(stderr).toContain('of 4,096 bytes are not zero:');
  // Also what became zero last is in the result of which no byte can be removed.
  const verified = await culprit(['verify', 'in.reduced.dat'], { cwd });
  expect(verified.code, verified.stdout).toBe(0);
});

test('a pass whose search counts for its result as it is sees the rest of its deltas there', async () => {
  const text = `ab\n${'\0'.repeat(20)}cd\n`;
  for (const { name, stable, over } of await textPasses('in.dat', Buffer.from(text), {})) {
    const circumstance = stable ? await over(text) : undefined;
    if (!circumstance) continue;
    for (let delta = 0; delta < circumstance.count; delta++) {
      const left = circumstance.build(minus(all(circumstance.count), of([delta])))!;
      expect((await over(left))!.count, `${name} without ${delta}`).toBe(circumstance.count - 1);
    }
  }
});
