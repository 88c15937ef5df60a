import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Artifact, Entry } from '../../src/core/artifact.js';
import { closeArchives, openArchives } from '../../src/sources/archives/index.js';

const folder = mkdtempSync(join(tmpdir(), 'culprit-archives-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (content: string | Uint8Array): Entry => ({ kind: 'file', bytes: Buffer.from(content) });
const artifactOf = (name: string, bytes: Uint8Array): Artifact => ({ files: new Map([[name, file(bytes)]]) });
const textsIn = ({ files }: Artifact) =>
  [...files].map(([path, entry]) => [
    path,
    entry.kind === 'file' ? Buffer.from(entry.bytes).toString() : entry.kind === 'link' ? entry.target : '/',
  ]);
const bytesOf = (artifact: Artifact, name: string): Uint8Array => {
  const entry = closeArchives(artifact).files.get(name);
  if (entry?.kind !== 'file') throw new Error(`${name} is no file`);
  return entry.bytes;
};
const python = (script: string, ...args: readonly string[]): string =>
  execFileSync('python3', ['-c', script, ...args], { cwd: folder, encoding: 'utf8' });

/** As other tools write them: compressed, with times, comments, data descriptors and folders. */
const madeByPython = `
import sys, zipfile
with zipfile.ZipFile('made.zip', 'w', zipfile.ZIP_DEFLATED) as made:
  made.comment = b'a comment'
  made.writestr('z/last first.txt', 'one\\n' * 900)
  made.mkdir('empty') if hasattr(made, 'mkdir') else made.writestr('empty/', '')
  with made.open('streamed.txt', 'w') as part: part.write(b'two')
  made.writestr('\\u00fc.xml', '<a/>')
`;
const zipByPython = (): Buffer => {
  python(madeByPython);
  return readFileSync(join(folder, 'made.zip'));
};
const readByPython = `
import sys, zipfile
made = zipfile.ZipFile(sys.argv[1])
assert made.testzip() is None
print([(each.filename, made.read(each).decode()) for each in made.infolist()])
`;

function tarOf(name: string, entries: Readonly<Record<string, string>>, options: readonly string[] = []): Uint8Array {
  const from = mkdtempSync(join(folder, 'tar-'));
  for (const [path, content] of Object.entries(entries)) {
    mkdirSync(join(from, dirname(path)), { recursive: true });
    writeFileSync(join(from, path), content);
  }
  execFileSync('tar', ['-C', from, ...options, '-cf', join(folder, name), ...Object.keys(entries)]);
  return readFileSync(join(folder, name));
}

describe('zip', () => {
  test('what another program wrote opens as a folder, and it can read what is written', () => {
    const opened = openArchives(artifactOf('made.zip', zipByPython()))!;
    expect(textsIn(opened)).toEqual([
      ['made.zip/empty', '/'],
      ['made.zip/streamed.txt', 'two'],
      ['made.zip/z/last first.txt', 'one\n'.repeat(900)],
      ['made.zip/ü.xml', '<a/>'],
    ]);
    const files = new Map(opened.files).set('made.zip/streamed.txt', file('2'));
    files.delete('made.zip/empty');
    files.delete('made.zip/z/last first.txt');
    writeFileSync(join(folder, 'less.zip'), bytesOf({ ...opened, files }, 'made.zip'));
    expect(python(readByPython, 'less.zip').trim()).toBe("[('streamed.txt', '2'), ('ü.xml', '<a/>')]");
  });

  test('the order of the members stays: readers want some of them first', () => {
    const opened = openArchives(artifactOf('made.zip', zipByPython()))!;
    writeFileSync(join(folder, 'same.zip'), bytesOf(opened, 'made.zip'));
    expect(python(readByPython, 'same.zip')).toBe(python(readByPython, 'made.zip'));
  });

  test.each([
    ['with an encrypted member', (header: Buffer) => header.writeUInt8(header[8]! | 1, 8)],
    ['with a method that nobody knows', (header: Buffer) => header.writeUInt8(99, 10)],
    ['with a size that is not its own', (header: Buffer) => header.writeUInt8(header[24]! ^ 1, 24)],
    ['with a name that leaves the folder', (header: Buffer) => header.write('../', 46)],
  ])('one %s stays a file', (_, damage) => {
    const bytes = zipByPython();
    expect(openArchives(artifactOf('a', bytes))).toBeDefined();
    damage(bytes.subarray(bytes.indexOf('PK\x01\x02')));
    expect(openArchives(artifactOf('a', bytes))).toBeUndefined();
  });
});

describe('tar', () => {
  const long = `${'long/'.repeat(30)}name.ini`;
  test.each([['gnu'], ['pax'], ['ustar']])('in the format %s, files change and keep their names', format => {
    const name = format === 'ustar' ? 'short.ini' : long;
    const bytes = tarOf('made.tar', { [name]: 'a = 1\n', 'b.ini': 'b = 2\n' }, [`--format=${format}`]);
    const opened = openArchives(artifactOf('made.tar', bytes))!;
    expect(textsIn(opened)).toEqual(
      [
        [`made.tar/${name}`, 'a = 1\n'],
        ['made.tar/b.ini', 'b = 2\n'],
      ].sort(),
    );
    const files = new Map(opened.files).set(`made.tar/${name}`, file('x'.repeat(1000)));
    files.delete('made.tar/b.ini');
    const less = join(folder, 'less.tar');
    writeFileSync(less, bytesOf({ ...opened, files }, 'made.tar'));
    expect(execFileSync('tar', ['-tf', less], { encoding: 'utf8' })).toBe(`${name}\n`);
    expect(execFileSync('tar', ['-xOf', less], { encoding: 'utf8' })).toBe('x'.repeat(1000));
  });
});

describe('gzip', () => {
  test('a compressed tar opens to the files in it, and closes to what gzip and tar read', () => {
    const packed = gzipSync(tarOf('made.tar', { 'a.txt': 'one', 'b.txt': 'two' }));
    const opened = openArchives(artifactOf('made.tgz', packed))!;
    expect(textsIn(opened)).toEqual([
      ['made.tgz/made.tar/a.txt', 'one'],
      ['made.tgz/made.tar/b.txt', 'two'],
    ]);
    writeFileSync(join(folder, 'again.tgz'), bytesOf(opened, 'made.tgz'));
    expect(execFileSync('tar', ['-xzOf', join(folder, 'again.tgz')], { encoding: 'utf8' })).toBe('onetwo');
  });

  test('the name inside tells the language', () => {
    const nameIn = (name: string) => [...openArchives(artifactOf(name, gzipSync('x')))!.files.keys()];
    expect(['rows.json.gz', 'a.svgz', 'b.TGZ', 'noname'].flatMap(nameIn)).toEqual([
      'rows.json.gz/rows.json',
      'a.svgz/a.svg',
      'b.TGZ/b.tar',
      'noname/noname',
    ]);
  });

  test('texts of any length come out again', () => {
    for (const length of [0, 1, 0xffff, 0x10000, 0x1ffff, 200_000]) {
      const text = Buffer.alloc(length, 'abc');
      const opened = openArchives(artifactOf('a.gz', gzipSync(text)))!;
      expect(gunzipSync(bytesOf(opened, 'a.gz')).equals(text)).toBe(true);
    }
  });
});

describe('all of them', () => {
  const made: readonly (readonly [string, () => Uint8Array])[] = [
    ['made.zip', zipByPython],
    ['made.tar', () => tarOf('made.tar', { 'a.txt': 'one', 'b/c.txt': 'two' })],
    ['made.tgz', () => gzipSync(tarOf('made.tar', { 'a.txt': 'one' }))],
  ];

  test.each(made)(
    'whatever is left of %s, closing and opening it gives the same folder and the same bytes',
    (name, make) => {
      const opened = openArchives(artifactOf(name, make()))!;
      const paths = [...opened.files.keys()];
      fc.assert(
        fc.property(
          fc.subarray(paths, { minLength: 1 }),
          fc.array(fc.tuple(fc.nat(paths.length - 1), fc.uint8Array({ maxLength: 700 }))),
          (kept, changed) => {
            const files = new Map([...opened.files].filter(([path]) => kept.includes(path)));
            for (const [i, bytes] of changed)
              if (files.get(paths[i]!)?.kind === 'file') files.set(paths[i]!, { kind: 'file', bytes });
            const bytes = bytesOf({ ...opened, files }, name);
            const again = openArchives(artifactOf(name, bytes))!;
            expect(textsIn(again)).toEqual(textsIn({ files }));
            expect(Buffer.compare(bytesOf(again, name), bytes)).toBe(0);
          },
        ),
      );
    },
  );

  test.each(made)('damage to %s never throws, and what still opens closes', (name, make) => {
    const bytes = make();
    const at = fc.nat(bytes.length - 1);
    fc.assert(
      fc.property(fc.array(fc.tuple(at, fc.nat(255)), { maxLength: 4 }), fc.option(at), (changes, cut) => {
        const damaged = Buffer.from(bytes);
        for (const [i, byte] of changes) damaged[i] = byte;
        const opened = openArchives(artifactOf(name, damaged.subarray(0, cut ?? bytes.length)));
        if (opened) expect(bytesOf(opened, name).length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  test('an archive in a folder stays a file: most folders hold some that do not matter', () => {
    expect(openArchives(artifactOf('folder/a.gz', gzipSync('x')))).toBeUndefined();
  });

  test('an archive in an archive is gone with its last member, and the outer one stays', () => {
    const outer = openArchives(artifactOf('a.gz', gzipSync(tarOf('made.tar', { 'a.txt': 'one' }))))!;
    expect([...outer.archives!.keys()]).toEqual(['a.gz', 'a.gz/a']);
    expect(gunzipSync(bytesOf({ ...outer, files: new Map() }, 'a.gz')).length).toBe(0);
  });

  test('compressed zeros that would fill the memory stay compressed', () => {
    let bytes: Uint8Array = gzipSync(new Uint8Array(20_000_000));
    for (let i = 0; i < 3; i++) bytes = gzipSync(bytes);
    const opened = openArchives(artifactOf('a.gz', bytes))!;
    expect(opened.archives!.size).toBeLessThanOrEqual(4);
    const large = gzipSync(new Uint8Array(257 * 1024 ** 2), { level: 1 });
    expect(openArchives(artifactOf('a.gz', large))).toBeUndefined();
  });
});
