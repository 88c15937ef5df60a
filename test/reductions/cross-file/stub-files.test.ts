import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { of } from '../../../src/core/index.js';
import { textOf } from '../../../src/core/trace.js';
import { sourcesReader } from '../../../src/reductions/cross-file/sources.js';
import { stubFiles } from '../../../src/reductions/cross-file/stub-files.js';

type Files = Readonly<Record<string, string>>;

const root = mkdtempSync(join(tmpdir(), 'stub-files-'));
afterAll(() => rmSync(root, { recursive: true }));

const artifactOf = (files: Files): Artifact => ({
  files: new Map(Object.entries(files).map(([path, text]) => [path, { kind: 'file', bytes: Buffer.from(text) }])),
});

async function stubs(files: Files) {
  const artifact = artifactOf(files);
  const circumstance = (await stubFiles(artifact, await sourcesReader({})(artifact), 0))!;
  const paths = Array.from({ length: circumstance.count }, (_, delta) => circumstance.describe!(delta));
  const kept = (keep: readonly string[]) => of(paths.flatMap((path, delta) => (keep.includes(path) ? [delta] : [])));
  return {
    paths,
    traces: (...keep: string[]) => circumstance.trace!(kept(keep)),
    /** The folder in which only these files, and those that nothing imports, are as they were. */
    keeping(...keep: string[]): Files {
      const { files: built } = circumstance.build(kept(keep))!;
      return Object.fromEntries(
        [...built].map(([path, entry]) => [path, entry.kind === 'file' ? Buffer.from(entry.bytes).toString() : '']),
      );
    },
  };
}

let count = 0;
function run(files: Files, command: string, ...args: string[]): string {
  const folder = join(root, `${++count}`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  return stdout + stderr;
}

/** Larger than a stub. */
const long = (start: string, text: string): string => `${text}\n${start} ${'x'.repeat(700)}\n`;

const required: Files = {
  'main.js': `const { Base, make, list } = require('./a');
class Own extends Base { name() { return 'own'; } }
const [first] = list;
console.log(new Own().name(), typeof make(1).more.still(), first, \`\${make()}\`);`,
  'a.js': long('//', `const b = require('./b'); module.exports = { Base: class {}, make: b.make, list: [1] };`),
  'b.js': long('//', `console.log('b is loaded'); exports.make = () => {};`),
};

test('code that is executed at load time works with stubs of what it requires', async () => {
  const { keeping } = await stubs(required);
  const alone = keeping();
  expect(Object.keys(alone)).toEqual(['main.js', 'a.js']);
  expect(run(alone, 'node', 'main.js')).toBe('own function undefined \n');
});

test('a stub loads the files behind it', async () => {
  const { keeping } = await stubs(required);
  expect(run(keeping('b.js'), 'node', 'main.js')).toMatch(/^b is loaded\nown /);
});

test('a stub of a module exports the names that are imported from it, and no others', async () => {
  const { keeping } = await stubs({
    'main.mjs': `import one, { two } from './a.mjs'; import * as all from './b.mjs'; console.log(typeof one, typeof two, typeof all.three());`,
    'a.mjs': long('//', `export default 1; export const two = 2; export const unused = 3;`),
    'b.mjs': long('//', `export const three = () => 3;`),
  });
  const alone = keeping();
  expect(alone['a.mjs']).toMatch(/export\{s as default,s as two\};$/);
  expect(run(alone, 'node', 'main.mjs')).toBe('function function function\n');
});

const imported: Files = {
  'main.py': `from pack import one
from pack.base import Base, mark
import pack.names as names

class Own(Base):
    @mark("a")
    def name(self) -> Base[int]: ...

class Other(Base):
    def name(self): return "other"

print(Other(1).name(), [x for x in names.all_names], one.deep.value)
`,
  'pack/__init__.py': long('#', 'version = 1'),
  'pack/abc.py': long('#', 'print("abc is loaded")'),
  'pack/base.py': long(
    '#',
    `from abc import ABC
from . import late
def mark(text): return lambda f: f
class Base(ABC): pass
def use():
    from . import never`,
  ),
  'pack/late.py': long('#', 'print("late is loaded")'),
  'pack/names.py': long('#', 'all_names = [1]'),
  'pack/never.py': long('#', 'print("never is loaded")'),
  'pack/one.py': long('#', 'class deep: value = 1'),
};

test('code of Python that is executed at load time works with stubs of what it imports', async () => {
  const { keeping, paths } = await stubs(imported);
  // `from abc import ABC` in a package is not the file beside it: that one is imported by nothing.
  expect(paths).not.toContain('pack/abc.py');
  const alone = keeping();
  expect(alone['pack/late.py']).toBe(undefined);
  expect(run(alone, 'python3', '-B', 'main.py')).toMatch(/^other \[\] <class 'pack\.one\.S'>\n$/);
});

test('a stub of Python loads the files behind it that are loaded before a function is called', async () => {
  const { keeping } = await stubs(imported);
  expect(run(keeping('pack/late.py', 'pack/never.py'), 'python3', '-B', 'main.py')).toMatch(/^late is loaded\nother /);
});

test('the traces of stubs say what was built', async () => {
  const { keeping, traces } = await stubs(imported);
  const built = keeping('pack/late.py');
  for (const [path, trace] of traces('pack/late.py')) expect(textOf(trace as never, imported[path]!)).toBe(built[path]);
});
