/** The files that a failure names, alone and with what they import. */
import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { empty, of } from '../../../src/core/index.js';
import { namedFiles } from '../../../src/reductions/text/named-files.js';

const folder: Artifact = {
  files: new Map(
    Object.entries({
      'app/a.js': "import './b.js';\n",
      'app/b.js': "import './lib/c.js';\n",
      'app/d.js': "import './a.js';\n",
      'app/lib/c.js': 'export const c = 1;\n',
      'app/settings.json': '{}\n',
    }).map(([path, text]) => [path, { kind: 'file', bytes: Buffer.from(text) }]),
  ),
};
const left = (named: readonly string[], kept = empty) => [...namedFiles(folder, named)!.build(kept)!.files.keys()];

test.each([
  ['from where the tool started', 'a.js'],
  ['with ./', './a.js'],
  ['as it was given', 'app/a.js'],
  ['in full', '/tmp/run/w/app/a.js'],
])('a path %s', (_, name) => {
  expect(left([name])).toEqual(['app/a.js', 'app/settings.json']);
});

test('with what they import, directly or not; what imports them goes', () => {
  expect(left(['a.js'], of([0]))).toEqual(['app/a.js', 'app/b.js', 'app/lib/c.js', 'app/settings.json']);
  expect(left(['a.js'], of([1]))).toEqual([...folder.files.keys()]);
});

test('nothing is offered for files of somebody else', () => {
  expect(namedFiles(folder, ['/usr/lib/tool/x.js', 'xa.js'])).toBeUndefined();
});
