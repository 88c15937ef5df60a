import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Artifact } from '../../src/core/artifact.js';
import { closeArchives, openArchives } from '../../src/sources/archives/index.js';

const artifactOf = (bytes: Uint8Array): Artifact => ({ files: new Map([['a.pdf', { kind: 'file', bytes }]]) });
const openedTexts = (bytes: Uint8Array) => {
  const opened = openArchives(artifactOf(bytes));
  return (
    opened &&
    Object.fromEntries(
      [...opened.files].map(([path, entry]) => [
        path.slice('a.pdf/'.length),
        entry.kind === 'file' ? Buffer.from(entry.bytes).toString('latin1') : '',
      ]),
    )
  );
};
const closed = (artifact: Artifact): Buffer => {
  const entry = closeArchives(artifact).files.get('a.pdf');
  return Buffer.from(entry?.kind === 'file' ? entry.bytes : []);
};

const content = 'BT (endobj \\) in a string) Tj ET % endobj';
const packed = deflateSync(content);
const stream = (head: string, data: Uint8Array) =>
  Buffer.concat([Buffer.from(`${head}\nstream\r\n`), data, Buffer.from('\nendstream\nendobj\n')]);
const simple = Buffer.concat([
  Buffer.from('%PDF-1.4\n%\xe2\xe3\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n', 'latin1'),
  Buffer.from('2 0 obj <</Kids[]/Note(endobj \\) here)/Count 0>> endobj\n'),
  Buffer.from('3 0 obj\n'),
  stream(`<</Length 4 0 R/Filter/FlateDecode>>`, packed),
  Buffer.from(`4 0 obj ${packed.length} endobj\n5 0 obj\n`),
  stream('<</Length 5/Filter/DCTDecode>>', Buffer.from('\x00\xffend', 'latin1')),
  Buffer.from(
    '2 0 obj <</Kids[]/Count 1>> endobj\nxref\n0 1\ntrailer <</Size 6/Root 1 0 R/ID[<00><00>]>>\nstartxref\n0\n%%EOF',
  ),
]);

describe('a PDF file', () => {
  test('opens as its objects: compressed streams are plain, lengths are gone, the last version of an object counts', () => {
    expect(openedTexts(simple)).toEqual({
      '1 0 obj': '<</Type/Catalog/Pages 2 0 R>>',
      '2 0 obj': '<</Kids[]/Count 1>>',
      '3 0 obj': `<<>>\nstream\n${content}\nendstream`,
      '4 0 obj': `${packed.length}`,
      '5 0 obj': '<</Filter/DCTDecode>>\nstream\n\x00\xffend\nendstream',
      trailer: '<</Root 1 0 R>>',
    });
  });

  test('closes with the right offsets and lengths, also if most objects are gone', () => {
    const opened = openArchives(artifactOf(simple))!;
    const files = new Map([...opened.files].filter(([path]) => !/[245] 0 obj/.test(path)));
    const text = closed({ ...opened, files }).toString('latin1');
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)![1]);
    expect(text.slice(start).startsWith('xref\n')).toBe(true);
    const entries = [...text.slice(start).matchAll(/^(\d+) 1\n(\d{10}) 00000 n $/gm)];
    expect(entries.map(([, number]) => number)).toEqual(['1', '3']);
    for (const [, number, offset] of entries)
      expect(text.slice(Number(offset))).toMatch(new RegExp(`^${number} 0 obj\n`));
    expect(text).toContain(`/Length ${content.length}>>\nstream\n${content}\nendstream`);
    expect(text).toContain('trailer\n<</Root 1 0 R/Size 4>>');
  });

  test('objects in object streams, and a trailer in a cross-reference stream, are read', () => {
    const inner = '1 0 2 31 <</Type/Catalog/Pages 2 0 R >> <</Kids[]/Count 0>>';
    const first = inner.indexOf('<<');
    const file = Buffer.concat([
      Buffer.from('%PDF-1.5\n7 0 obj\n'),
      stream(`<</Type/ObjStm/N 2/First ${first}/Filter[/FlateDecode]/Length 1>>`, deflateSync(inner)),
      Buffer.from('8 0 obj\n'),
      stream('<</Type /XRef/Root 1 0 R/W[1 2 1]/Length 0>>', Buffer.from('')),
      Buffer.from('startxref\n0\n%%EOF\n'),
    ]);
    expect(openedTexts(file)).toEqual({
      '1 0 obj': '<</Type/Catalog/Pages 2 0 R >>',
      '2 0 obj': '<</Kids[]/Count 0>>',
      trailer: '<</Root 1 0 R>>',
    });
  });

  test('stays a file if it is encrypted, or has no root', () => {
    const text = simple.toString('latin1');
    for (const [part, other] of [
      ['/ID[', '/Encrypt 9 0 R/ID['],
      ['/Root', '/Toor'],
    ] as const)
      expect(openedTexts(Buffer.from(text.replace(part, other), 'latin1'))).toBeUndefined();
  });

  test('a text that only looks like one is read in time in proportion to it', () => {
    for (const part of ['< ', '(', '[ ', '1 0 obj ', 'trailer ', 'stream\n', '/Length 1 0 R ', '1 '])
      openedTexts(Buffer.from(`%PDF-1.4\n1 0 obj\n${part.repeat(300_000)}`));
  }, 60_000);

  test('damage never throws, and what still opens closes to what opens as the same', () => {
    const at = fc.nat(simple.length - 1);
    fc.assert(
      fc.property(fc.array(fc.tuple(at, fc.nat(255)), { maxLength: 4 }), fc.option(at), (changes, cut) => {
        const damaged = Buffer.from(simple);
        for (const [i, byte] of changes) damaged[i] = byte;
        const bytes = damaged.subarray(0, cut ?? simple.length);
        const opened = openArchives(artifactOf(bytes));
        if (opened) expect(closed(opened).length).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });
});
