import { dirname, join, normalize, relative } from 'node:path/posix';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Artifact } from '../../src/core/artifact.js';
import { all, minus, of } from '../../src/core/index.js';
import { crossFilePasses, folderGuard } from '../../src/reductions/cross-file/index.js';

type Files = Readonly<Record<string, string>>;

const artifactOf = (files: Files): Artifact => ({
  files: new Map(Object.entries(files).map(([path, text]) => [path, { kind: 'file', bytes: Buffer.from(text) }])),
});
const filesOf = ({ files }: Artifact): Files =>
  Object.fromEntries(
    [...files].map(([path, entry]) => [path, entry.kind === 'file' ? Buffer.from(entry.bytes).toString() : '']),
  );

/** What every single delta of a pass makes of a folder, by its label. */
async function reductions(pass: string, files: Files): Promise<Readonly<Record<string, Files>>> {
  const { files: whole, unused, coarse, names } = crossFilePasses({});
  const circumstance = await [...whole, unused, ...coarse, ...names]
    .find(({ name }) => name === pass)!
    .over(artifactOf(files));
  if (circumstance === undefined) return {};
  return Object.fromEntries(
    Array.from({ length: circumstance.count }, (_, delta) => [
      circumstance.describe!(delta),
      filesOf(circumstance.build(minus(all(circumstance.count), [delta, delta + 1]))!),
    ]),
  );
}

const python: Files = {
  'main.py': 'from tools import total\n\nprint(total(1, 2))\n',
  'tools.py': 'def total(first, second):\n    return first\n',
};

test('a parameter of Python goes with the arguments of the calls in another file', async () => {
  expect(await reductions('parameter across files', python)).toMatchObject({
    'delete parameter 2 of total in 2 files': {
      'main.py': 'from tools import total\n\nprint(total(1))\n',
      'tools.py': 'def total(first):\n    return first\n',
    },
  });
});

test('a name that is imported gets a short one in both files', async () => {
  expect(await reductions('short name across files', python)).toEqual({
    'total → a in 2 files': {
      'main.py': 'from tools import a\n\nprint(a(1, 2))\n',
      'tools.py': 'def a(first, second):\n    return first\n',
    },
  });
});

test('a declaration goes with its import and its uses', async () => {
  const found = await reductions('declaration across files', python);
  expect(found['default for total in 2 files']).toEqual({ 'main.py': '\nprint(0)\n', 'tools.py': '' });
});

test('a constant of another file becomes its value', async () => {
  const found = await reductions('declaration across files', {
    'a.js': "import { limit, other } from './b.js';\nrun(limit + other);\n",
    'b.js': 'export const limit = 10;\nexport const other = run();\n',
  });
  expect(found['inline limit in 2 files']).toEqual({
    'a.js': "import { other } from './b.js';\nrun(10 + other);\n",
    'b.js': 'export const other = run();\n',
  });
});

test('a module takes the place of the statement that imports it, and its own imports are named from there', async () => {
  const found = await reductions('file folded into its importer', {
    'lib/a.js': "import { b } from './b.js';\nexport function a() {\n  return b;\n}\n",
    'lib/b.js': 'export const b = 1, c = 2;\n',
    'main.js': "import { a } from './lib/a.js';\na();\n",
  });
  expect(found['fold lib/a.js into main.js']).toEqual({
    'lib/b.js': 'export const b = 1, c = 2;\n',
    'main.js': "import { b } from './lib/b.js';\nfunction a() {\n  return b;\n}\na();\n",
  });
});

type Folds = Readonly<Record<string, readonly [main: string, other: string, together: string]>>;

function testFolds(folds: Folds, title: (what: string) => string): void {
  for (const [what, [main, other, together]] of Object.entries(folds))
    test(title(what), async () => {
      const found = await reductions('file folded into its importer', { 'main.js': main, 'other.js': other });
      expect(found['fold other.js into main.js']).toEqual({ 'main.js': together });
    });
}

const taken: Folds = {
  'its default under another name': [
    "import make from './other.js';\nmake();\n",
    'export default function build() {}\nbuild();\n',
    'function build() {}\nconst make = build;\nbuild();\nmake();\n',
  ],
  'its nameless default': [
    "import make from './other.js';\nmake();\n",
    'export default function () {}\n',
    'const make = function () {}\nmake();\n',
  ],
  'all of it': [
    "import * as tools from './other.js';\ntools.a();\n",
    'export const a = () => b;\nexport const b = 1;\n',
    'const a = () => b;\nconst b = 1;\nconst tools = { a, b };\ntools.a();\n',
  ],
};
testFolds(taken, what => `a module is folded where ${what} is imported`);

test('a module is not folded where a name would then mean two things', async () => {
  const files = {
    'a.js': 'export const a = 1;\nconst b = 2;\n',
    'main.js': "import { a } from './a.js';\nlet b = a;\n",
  };
  expect(await reductions('file folded into its importer', files)).toEqual({});
});

test('files that only re-export are removed, one by one', async () => {
  const found = await reductions('re-exporting file', {
    'index.ts': "export { a as first } from './lib/a';\nexport * from './lib/b';\n",
    'lib/a.ts': 'export const a = 1;\n',
    'lib/b.ts': 'export const b = 1;\n',
    'main.ts': "import { first, b } from './index';\nuse(first, b);\n",
  });
  expect(found['import past index.ts']).toEqual({
    'lib/a.ts': 'export const a = 1;\n',
    'lib/b.ts': 'export const b = 1;\n',
    'main.ts': "import { a as first } from './lib/a';\nimport { b } from './lib/b';\nuse(first, b);\n",
  });
});

const folded: Folds = {
  'one value, under the same name': [
    "const Cart = require('./other');\nnew Cart();\n",
    'class Cart {}\nmodule.exports = Cart;\n',
    'class Cart {}\nnew Cart();\n',
  ],
  'one value, under another name': [
    "const make = require('./other');\nmake();\n",
    'const deep = 1;\nmodule.exports = function () {\n  return deep;\n};\n',
    'const deep = 1;\nconst make = function () {\n  return deep;\n};\nmake();\n',
  ],
  'an object of what it declares': [
    "const { a } = require('./other.js');\na();\n",
    'function a() {}\nfunction b() {}\nmodule.exports = { a, b };\n',
    'function a() {}\nfunction b() {}\na();\n',
  ],
  'names one by one': [
    "const { a } = require('./other');\na();\n",
    'exports.a = () => 1;\n',
    'const a = () => 1;\na();\n',
  ],
  'names one by one, for an importer that takes all': [
    "const tools = require('./other');\ntools.a();\n",
    'exports.a = () => exports.b;\nexports.b = 1;\n',
    'const tools = {};\ntools.a = () => tools.b;\ntools.b = 1;\ntools.a();\n',
  ],
  'a value that is called at once': [
    "run(require('./other')(1));\n",
    'const one = 1;\nmodule.exports = n => n + one;\n',
    'const one = 1;\nrun((n => n + one)(1));\n',
  ],
  'nothing, for its effects': ["require('./other');\nrun();\n", 'start();\n', 'start();\nrun();\n'],
};
testFolds(folded, what => `a file that exports ${what}, gives way where it is required once`);

test('a file that only requires another one is removed', async () => {
  const found = await reductions('re-exporting file', {
    'a.js': "const x = require('./index');\n",
    'b.js': "const { y } = require('.');\n",
    'index.js': "module.exports = require('./lib/x');\n",
    'lib/x.js': 'exports.y = 1;\n',
  });
  expect(found['import past index.js']).toEqual({
    'a.js': "const x = require('./lib/x');\n",
    'b.js': "const { y } = require('./lib/x');\n",
    'lib/x.js': 'exports.y = 1;\n',
  });
});

test('a file stays where it is required twice, or by a file that it requires', async () => {
  const other = 'module.exports = 1;\n';
  for (const files of [
    { 'a.js': "const x = require('./other');\nconst y = require('./other');\n", 'other.js': other },
    { 'a.js': "const x = require('./other');\n", 'other.js': "module.exports = require('./a');\n" },
  ])
    expect(await reductions('file folded into its importer', files)).toEqual({});
});

test('a module takes the place of a file that imports it, and is found there by itself and others', async () => {
  const found = await reductions('file in place of its importer', {
    'index.js': "import { shape } from './lib/shape.js';\nexport default shape;\n",
    'lib/shape.js': "import * as own from './shape.js';\nimport '../side.js';\nexport { own as shape };\n",
    'side.js': "import './lib/shape.js';\n",
  });
  expect(found['lib/shape.js in place of index.js']).toEqual({
    'index.js': "import * as own from './index.js';\nimport './side.js';\nexport { own as shape };\n",
    'side.js': "import './index.js';\n",
  });
});

test('a header takes the place of the only line that includes it', async () => {
  const found = await reductions('file folded into its importer', {
    'a.c': '#include "a.h"\nint b = A;\n',
    'a.h': '#define A 1\n',
  });
  expect(found).toEqual({ 'fold a.h into a.c': { 'a.c': '#define A 1\nint b = A;\n' } });
});

const guarded: Readonly<Record<string, readonly [before: Files, after: Files, isSound: boolean]>> = {
  'an import of what is no longer exported': [
    { 'a.js': "import { x } from './b.js';", 'b.js': 'export const x = 1;' },
    { 'a.js': "import { x } from './b.js';", 'b.js': 'const x = 1;' },
    false,
  ],
  'an import through a star': [
    { 'a.js': "import { x } from './i.js';", 'b.js': 'export const x = 1;', 'i.js': "export * from './b.js';" },
    { 'a.js': "import { x } from './i.js';", 'b.js': 'export let x;', 'i.js': "export * from './b.js';" },
    true,
  ],
  'an import from a file that is gone': [
    { 'a.js': "const b = require('./b');", 'b.js': 'exports.x = 1;' },
    { 'a.js': "const b = require('./b');" },
    false,
  ],
  'an import that never found anything': [
    { 'a.js': "import { x, y } from './b.js';", 'b.js': 'export const y = 1;' },
    { 'a.js': "import { x } from './b.js';", 'b.js': '' },
    true,
  ],
  'a member that is no longer exported': [
    { 'a.js': "const b = require('./b');\nb.x();", 'b.js': 'exports.x = 1;\nexports.y = 2;' },
    { 'a.js': "const b = require('./b');\nb.x();", 'b.js': 'exports.y = 2;' },
    false,
  ],
  'a Python name that is no longer bound': [
    { 'a.py': 'from b import x\n', 'b.py': 'x = 1\n' },
    { 'a.py': 'from b import x\n', 'b.py': 'y = 1\n' },
    false,
  ],
  'a function of C that no file declares any more': [
    { 'a.c': '#include "a.h"\nint a(void) { return b(); }', 'a.h': 'int b(void);' },
    { 'a.c': '#include "a.h"\nint a(void) { return b(); }', 'a.h': '' },
    false,
  ],
  'a function of C with another name in all files': [
    { 'a.c': '#include "a.h"\nint a(void) { return b(); }', 'a.h': 'int b(void);' },
    { 'a.c': '#include "a.h"\nint a(void) { return c(); }', 'a.h': 'int c(void);' },
    true,
  ],
};

for (const [what, [before, after, isSound]] of Object.entries(guarded))
  test(`at the semantic level ${what} is ${isSound ? 'taken' : 'refused'}`, async () => {
    const guard = await folderGuard(artifactOf(before), { level: 'semantic' });
    expect(guard!.isSound(artifactOf(before))).toBe(true);
    expect(guard!.isSound(artifactOf(after))).toBe(isSound);
  });

const contracting = 'files, imports past them';

test('whatever imports a file that is removed imports the files behind it instead', async () => {
  const found = await reductions(contracting, {
    'main.js': "import {\n  one,\n} from './lib/a.js';\nimport './lib/b.js';\none();\n",
    'lib/a.js': "export { one } from '../c.js';\nimport { two } from './b.js';\n",
    'lib/b.js': 'export const two = 2;\n',
    'c.js': 'export const one = 1;\n',
  });
  expect(found['lib/a.js']!['main.js']).toBe('export * from "./c.js";\nimport \'./lib/b.js\';\none();\n');
  expect(found['lib/b.js']!['main.js']).toBe("import {\n  one,\n} from './lib/a.js';\n\none();\n");
});

test('a file that is required gives way to those that it requires, and its value to an empty object', async () => {
  const found = await reductions(contracting, {
    'main.js': "const a = require('./a');\nrun(a, require('./b').x, import('./b'));\n",
    'a.js': "require('./c/d');\n",
    'b.js': "require('./c/d');\n",
    'c/d.js': 'run();\n',
  });
  expect(found['a.js']!['main.js']).toBe("require(\"./c/d\");\nrun(a, require('./b').x, import('./b'));\n");
  expect(found['b.js']!['main.js']).toBe(
    'const a = require(\'./a\');\nrun(a, (require("./c/d"), {}).x, Promise.resolve({}));\n',
  );
});

test('a module of Python gives way to those that it imports, as the importer names them', async () => {
  const files = {
    'app/main.py': 'from .tools import total\nfrom app.names import name\n',
    'app/tools.py': 'from .deep.sums import total\n',
    'app/names.py': 'from .deep.sums import total\nname = 1\n',
    'app/deep/sums.py': 'total = 1\n',
  };
  const found = await reductions(contracting, files);
  expect(found['app/tools.py']!['app/main.py']).toBe('from .deep.sums import *\nfrom app.names import name\n');
  expect(found['app/names.py']!['app/main.py']).toBe('from .tools import total\nfrom app.deep.sums import *\n');
});

test('a file that a failure names is imported by the file that nothing imports, with and without what it needs', async () => {
  const files = {
    'main.js': "import './a.js';\nimport './other.js';\n",
    'a.js': "import './lib/named.js';\n",
    'lib/named.js': "import { x } from '../x.js';\nx(;\n",
    'x.js': 'export const x = 1;\n',
    'other.js': 'run();\n',
  };
  const { named } = crossFilePasses({});
  const found = (await named(artifactOf(files), path => path === 'lib/named.js'))!;
  expect(filesOf(found.build(of([]))!)).toEqual({
    'main.js': 'export * from "./lib/named.js";\n\n',
    'lib/named.js': '\nx(;\n',
  });
  expect(filesOf(found.build(of([0]))!)).toEqual({
    'main.js': 'export * from "./lib/named.js";\n\n',
    'lib/named.js': files['lib/named.js'],
    'x.js': files['x.js'],
  });
  expect(await named(artifactOf(files), path => path === 'main.js')).toBeUndefined();
});

/** The files that a file can reach by the paths in its quotes; `undefined` if one of them is missing. */
function reached(files: Files, from: string): ReadonlySet<string> | undefined {
  const met = new Set([from]);
  for (const path of met)
    for (const [, name] of files[path]!.matchAll(/["'](\.[^"']*)["']/g)) {
      const target = normalize(join(dirname(path), name!));
      if (files[target] === undefined) return undefined;
      met.add(target);
    }
  return met;
}

test('whatever files are removed, the others can be reached as before, and no import leads nowhere', async () => {
  const folders = ['', 'a/', 'a/b/', 'c/'];
  const edges = fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.boolean()), { minLength: 4, maxLength: 24 });
  await fc.assert(
    fc.asyncProperty(edges, fc.array(fc.nat(9)), async (list, wanted) => {
      const nameOf = (i: number): string => (i === 0 ? 'main.js' : `${folders[i % 4]}f${i}.js`);
      const files = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [nameOf(i), `run(${i});\n`]));
      for (const [from, to, isImport] of list) {
        const path = `./${relative(dirname(nameOf(from)), nameOf(to))}`;
        files[nameOf(from)] += isImport ? `import x${to} from '${path}';\n` : `const y${to} = require('${path}');\n`;
      }
      const pass = crossFilePasses({}).files.find(({ name }) => name === contracting)!;
      const circumstance = await pass.over(artifactOf(files));
      if (circumstance === undefined) return;
      const paths = Array.from({ length: circumstance.count }, (_, delta) => circumstance.describe!(delta));
      const kept = paths.flatMap((path, delta) =>
        path === 'main.js' || wanted.some(i => nameOf(i) === path) ? [delta] : [],
      );
      const left = filesOf(circumstance.build(of(kept))!);
      const before = [...reached(files, 'main.js')!].filter(path => left[path] !== undefined);
      expect(new Set(reached(left, 'main.js'))).toEqual(new Set(before));
    }),
    { numRuns: 40 },
  );
});

/** What is left of a folder without everything that nothing needs. */
async function needed(files: Files): Promise<Files> {
  const circumstance = await crossFilePasses({}).unused.over(artifactOf(files));
  const left = circumstance === undefined ? files : filesOf(circumstance.build([])!);
  return Object.fromEntries(Object.entries(left).map(([path, text]) => [path, text.replace(/(\w)\}/g, '$1 }')]));
}

test('what no file needs is removed together: names that are only handed on, what only they use, and files', async () => {
  const files = {
    'main.js': "import { used } from './index.js';\nused();\n",
    'index.js': "export { used, unused } from './lib.js';\nexport * from './other.js';\n",
    'lib.js': [
      "import { help } from './help.js';",
      "import { twice } from './twice.js';",
      'function used() { return twice(2); }',
      'function unused() { return help(unused); }',
      'export { used, unused };\n',
    ].join('\n'),
    'help.js': 'export function help(f) { return f; }\n',
    'other.js': 'export const other = 1;\n',
    'twice.js': "import './lib.js';\nexport const twice = n => n + n, thrice = 3;\n",
  };
  expect(await needed(files)).toEqual({
    'main.js': files['main.js'],
    'index.js': "export { used } from './lib.js';\n",
    'lib.js': "import { twice } from './twice.js';\nfunction used() { return twice(2); }\nexport { used };\n",
    'twice.js': "import './lib.js';\nexport const twice = n => n + n;\n",
  });
  // A part of it leaves every import its export.
  const parts = Object.entries(await reductions('what no file needs', files));
  expect(parts.map(([label]) => label)).toContain('unused unused');
  for (const [label, left] of parts)
    if (label === 'unused unused') {
      expect(left['index.js']).toMatch(/^export \{ used ?\} from/);
      expect(left['lib.js']).not.toContain('unused');
    }
});

test('a name is needed under the name that it is exported as, as a default, or as a member of its file', async () => {
  const files = {
    'main.js': "import one, { b as two } from './a.js';\nimport * as all from './c.js';\none(two, all.three);\n",
    'a.js': 'export default class Own {}\nconst a = 1;\nexport { a as b };\n',
    'c.js': "import * as all from './d.js';\nexport const three = 3;\nexport { all as four };\n",
    'd.js': 'export const five = 5;\n',
  };
  expect(await needed(files)).toEqual({
    'main.js': files['main.js'],
    'a.js': files['a.js'],
    'c.js': 'export const three = 3;\nexport { };\n',
  });
  const named = { ...files, 'main.js': files['main.js'].replace('three', 'four.five') };
  expect(await needed(named)).toMatchObject({
    'c.js': files['c.js'].replace('export const three = 3;\n', ''),
    'd.js': files['d.js'],
  });
});

test('what starts a folder keeps its exports, and what a file is loaded for keeps the file', async () => {
  const files = {
    'main.js': "import './sets.js';\nexport function start() {}\nfunction own() {}\n",
    'sets.js': 'globalThis.a = 1;\n',
  };
  expect(await needed(files)).toEqual({ ...files, 'main.js': files['main.js'].replace('function own() {}\n', '') });
});

test('in Python, what only imports name goes from all files', async () => {
  const files = {
    'main.py': 'from tools import total\n\nprint(total(1, 2))\n',
    'tools.py':
      'from parts import add, sub\n\ndef total(a, b):\n    return add(a, b)\n\ndef other():\n    return sub(1)\n',
    'parts.py': 'def add(a, b):\n    return a\n\ndef sub(a):\n    return a\n',
  };
  const left = await needed(files);
  expect(Object.values(left).join('')).not.toMatch(/sub|other/);
  expect(left['tools.py']).toMatch(/^from parts import add\n\ndef total/);
});

test('with `require`, exports that nothing takes go with what only they need', async () => {
  const files = {
    'main.js': "const lib = require('./lib');\nconst { c } = require('./c');\nlib.a(c);\n",
    'lib.js': "const help = require('./help');\nfunction b() { return help; }\nexports.a = n => n;\nexports.b = b;\n",
    'help.js': 'module.exports = 1;\n',
    'c.js': 'const c = 1;\nconst d = 2;\nmodule.exports = { c, d };\n',
  };
  expect(await needed(files)).toEqual({
    'main.js': files['main.js'],
    'lib.js': 'exports.a = n => n;\n',
    'c.js': 'const c = 1;\nmodule.exports = { c };\n',
  });
  // What a file exports is something that it may use itself.
  const own = { ...files, 'lib.js': `${files['lib.js']}exports.a(exports.b);\n` };
  expect(await needed(own)).toMatchObject({ 'lib.js': own['lib.js'], 'help.js': files['help.js'] });
});

test('the parameter `this` of TypeScript is no name that another file could mention', async () => {
  const files = {
    'main.ts': "import { used } from './lib';\nused.call({}, 1);\n",
    'lib.ts': 'export function used(this: object, a: number) { return [this, a]; }\nexport function unused() {}\n',
  };
  expect((await needed(files))['lib.ts']).toBe('export function used(this: object, a: number) { return [this, a]; }\n');
});
