/** Sources older than UTF-8 are reduced like others: their structure is in ASCII. */
import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { empty } from '../../../src/core/configuration.js';
import { decode } from '../../../src/core/decode.js';
import { levelOfReplacements, textOf } from '../../../src/plans/changes/rewritten/old-functions.js';
import { textPasses } from '../../../src/plans/reduce/text-passes.js';
import { dropImportsOf } from '../../../src/reductions/text/imports.js';

const source = '/* Gr\xfc\xdfe */\nint f(int a) {\n  return a + 1;\n}\n';
const inLatin1 = Buffer.from(source, 'latin1');

const passesOf = async (bytes: Uint8Array): Promise<readonly string[]> =>
  (await textPasses('a.c', bytes, {})).map(({ name, proves }) => `${name} ${proves ?? ''}`);

test('a source in Latin-1 has the passes of the same source in UTF-8', async () => {
  expect(decode(inLatin1).encoding).toBe('latin1');
  expect(await passesOf(inLatin1)).toEqual(await passesOf(Buffer.from(source)));
});

test('a source with control characters outside UTF-8 is reduced by its bytes', async () => {
  expect(await passesOf(Buffer.concat([inLatin1, Buffer.from([1, 0xff])]))).toContain('bytes byte');
});

test('a removed import leaves the other letters of a Latin-1 file as they are', () => {
  const files = new Map([
    ['a.c', { kind: 'file', bytes: Buffer.from(`#include "b.h"\n${source}`, 'latin1') }],
  ] as const);
  const changed = new Map<string, { readonly kind: 'file'; readonly bytes: Uint8Array }>(files);
  dropImportsOf(changed, 'b.h');
  expect(Buffer.from(changed.get('a.c')!.bytes)).toEqual(inLatin1);
});

test('code of old is put into a Latin-1 file in Latin-1', () => {
  const now: Artifact = { files: new Map([['a.c', { kind: 'file', bytes: inLatin1 }]]) };
  const start = source.indexOf('1');
  const { circumstance } = levelOfReplacements(now, 'value', [
    { path: 'a.c', start, end: start + 1, text: '2', likely: 1 },
  ]);
  const entry = circumstance.build(empty)!.files.get('a.c')!;
  expect(entry.kind === 'file' && Buffer.from(entry.bytes)).toEqual(Buffer.from(source.replace('1', '2'), 'latin1'));
  expect(textOf(entry)).toBe(source.replace('1', '2'));
});
