import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { all, empty, minus, of } from '../../../src/core/index.js';
import { joinedSlices } from '../../../src/reductions/cross-file/joined-slices.js';
import { inOrder } from '../../../src/sources/versions/snapshot.js';

const folder = (files: Readonly<Record<string, string>>): Artifact => ({
  files: inOrder(Object.entries(files).map(([path, text]) => [path, { kind: 'file', bytes: Buffer.from(text) }])),
});
const textsOf = ({ files }: Artifact): Record<string, string> =>
  Object.fromEntries(
    [...files].map(([path, entry]) => [path, entry.kind === 'file' ? Buffer.from(entry.bytes).toString() : '']),
  );

const sass = {
  '_colours.scss': '$red-1: #f00 !default;\n$blue-1: #00f !default;\n',
  '_mixins.scss': '@mixin box-a($w) {\n  width: $w;\n}\n@mixin box-b {\n  color: $blue-1;\n}\n',
  'parts/_card.scss': '.card {\n  @include box-a(1px);\n}\n',
  'parts/_menu.scss': '.menu {\n  @include box-b;\n}\n',
  'main.scss': '@import "colours";\n@import "mixins";\n@import "parts/card";\n@import "parts/menu";\n',
};

/** Every configuration that keeps one delta. */
async function single(artifact: Artifact) {
  const slices = (await joinedSlices(artifact, {}))!;
  return Array.from({ length: slices.count }, (_, delta) => textsOf(slices.build(of([delta]))!));
}

test('in Sass, what is kept stays with the variables and mixins that it uses, and with the imports of their files', async () => {
  const found = (await single(folder(sass))).find(
    texts => texts['parts/_menu.scss'] !== '' && texts['parts/_card.scss'] === '',
  );
  expect(found).toEqual({
    '_colours.scss': '$blue-1: #00f !default;\n',
    '_mixins.scss': '@mixin box-b {\n  color: $blue-1;\n}\n',
    'parts/_card.scss': '',
    'parts/_menu.scss': sass['parts/_menu.scss'],
    'main.scss': '@import "colours";\n@import "mixins";\n@import "parts/menu";\n',
  });
});

test('no candidate uses a name without its declaration, or is in a file that nothing imports any more', async () => {
  for (const texts of await single(folder(sass))) {
    const everything = Object.values(texts).join('\n');
    for (const [, name] of everything.matchAll(/(?:@include |: )(\$?[a-z]+-\w+)/g))
      expect(everything).toMatch(new RegExp(`(?:@mixin ${name}\\b|\\${name}:)`));
    for (const [path, text] of Object.entries(texts))
      if (text !== '' && path !== 'main.scss')
        expect(texts['main.scss']).toContain(path.replace('_', '').replace('.scss', ''));
  }
});

test('everything kept is the folder as it was, and nothing kept leaves empty files', async () => {
  const slices = (await joinedSlices(folder(sass), {}))!;
  expect(textsOf(slices.build(all(slices.count))!)).toEqual(sass);
  expect(Object.values(textsOf(slices.build(empty)!)).join('')).toBe('');
});

test('a trace says what is left of each file', async () => {
  const slices = (await joinedSlices(folder(sass), {}))!;
  for (let delta = 0; delta < slices.count; delta++) {
    const kept = minus(all(slices.count), of([delta]));
    const built = textsOf(slices.build(kept)!);
    for (const [path, trace] of slices.trace!(kept)) {
      if (trace === 'unknown') throw new Error('it is known');
      const text = trace.map(part =>
        'text' in part ? part.text : sass[path as keyof typeof sass].slice(part.start, part.end),
      );
      expect(text.join('')).toBe(built[path]);
    }
  }
});

test('in C, a function stays with the header that declares what it calls', async () => {
  const c = {
    'a.h': 'int one(int x);\nint two(int x);\n',
    'a.c': '#include "a.h"\nint one(int x) { return x; }\nint two(int x) { return 2 * x; }\n',
    'main.c': '#include "a.h"\nint used(void) { return one(1); }\nint other(void) { return 3; }\n',
  };
  const found = (await single(folder(c))).find(
    texts => texts['main.c']!.includes('used') && !texts['main.c']!.includes('other'),
  );
  expect(found!['main.c']).toBe('#include "a.h"\nint used(void) { return one(1); }\n');
  expect(found!['a.h']).toBe('int one(int x);\n');
  expect(found!['a.c']).toContain('return x');
  expect(found!['a.c']).not.toContain('two');
});

test('files of a language with modules are not one text: their names are their own', async () => {
  expect(
    await joinedSlices(folder({ 'a.js': 'export const a = 1;\n', 'b.js': 'const a = 2;\nf(a);\n' }), {}),
  ).toBeUndefined();
});
