import { expect, test } from 'vitest';
import type { Artifact, Entry } from '../../../src/core/artifact.js';
import { dropImportsOf, importOrder } from '../../../src/reductions/text/imports.js';

const artifactOf = (files: Readonly<Record<string, string>>): Artifact => ({
  files: new Map(Object.entries(files).map(([path, text]) => [path, { kind: 'file', bytes: Buffer.from(text) }])),
});
const textIn = (files: ReadonlyMap<string, Entry>, path: string): string => {
  const entry = files.get(path);
  return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString() : '';
};
const mentions: Readonly<Record<string, readonly [string, string, string]>> = {
  'a JavaScript import': ['app/a.js', 'app/b.js', "import { b } from './b.js';\n"],
  'a TypeScript import that says .js': ['app/a.ts', 'app/lib/b.ts', "import type { B } from './lib/b.js';\n"],
  'a require without an extension': ['a.cjs', 'b.cjs', "const b = require('./b');\n"],
  'a folder with an index': ['a.js', 'lib/index.js', "import './lib';\n"],
  'an include': ['src/a.c', 'src/b.h', '#include "b.h"\n'],
  'a Python module': ['pkg/a.py', 'pkg/b.py', 'from pkg.b import x\n'],
  'a Rust module': ['src/a.rs', 'src/b.rs', 'mod b;\n'],
  'a partial of Sass': ['main.scss', 'parts/_card.scss', '@import "parts/card";\n'],
  'a module of Sass': ['main.scss', '_mixins.scss', '@use "mixins" as m;\n'],
  'a file of PHP': ['index.php', 'lib/b.php', "require_once __DIR__ . '/lib/b.php';\n"],
  'a file of Ruby': ['lib/a.rb', 'lib/a/b.rb', "require_relative 'a/b'\n"],
  'a module of Perl': ['a.pl', 'lib/Foo/Bar.pm', 'use Foo::Bar;\n'],
  'a file of a shell': ['a.sh', 'lib/b.sh', '. lib/b.sh\n'],
  'a script of a page': ['a.html', 'b.js', '<script src="b.js"></script>\n'],
};

for (const [what, [from, to, line]] of Object.entries(mentions))
  test(`${what} is followed: what is imported stands first, and the line goes with it`, () => {
    const { files } = artifactOf({ [from]: `first\n${line}last\n`, [to]: 'x\n' });
    expect(importOrder({ files })).toEqual([to, from]);
    const left = new Map(files);
    left.delete(to);
    dropImportsOf(left, to);
    expect(textIn(left, from)).toBe('first\nlast\n');
  });

test('files that import each other have an order, and each of them once', () => {
  const artifact = artifactOf({ 'a.js': "import './b.js'", 'b.js': "import './c.js'", 'c.js': "import './a.js'" });
  expect([...importOrder(artifact)].sort()).toEqual(['a.js', 'b.js', 'c.js']);
});

test('an import of a package of the same name as no file is left alone', () => {
  const { files } = artifactOf({ 'a.js': "import fs from 'node:fs';\nimport './b.js';\n", 'b.js': '' });
  const left = new Map(files);
  dropImportsOf(left, 'b.js');
  expect(textIn(left, 'a.js')).toBe("import fs from 'node:fs';\n");
});

test('an import after many blank lines is followed', () => {
  const artifact = artifactOf({ 'a.py': `${'\n'.repeat(900_000)}from b import x\n`, 'b.py': 'x = 1\n' });
  expect(importOrder(artifact)).toEqual(['b.py', 'a.py']);
});
