/** Functions that report with what they are called, and programs that call them again. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { watchCalls } from '../../src/oracle/coverage/index.js';
import { structureOf } from '../../src/reductions/tree/index.js';
import { reportingCalls } from '../../src/syntax/calls.js';
import { folder, inScratch } from '../circumstances/changes/folders.js';

type Texts = Readonly<Record<string, string>>;

/** What a program of two files writes, as it is, with functions that report, and as calls of these functions. */
const called = (texts: Texts, [main, library]: readonly [string, string], program: string, env: Texts = {}) =>
  inScratch(async root => {
    const [tree, tmp] = [join(root, 'tree'), join(root, 'tmp')];
    mkdirSync(tree);
    mkdirSync(tmp);
    const { syntax } = await structureOf(library);
    const writing = syntax.language.calls!;
    const functions = writing.calledIn(await syntax.tree(texts[library]!));
    const around = { ...process.env, ...env };
    const look = watchCalls(folder(texts), around);
    const run = (some: Texts, more: Texts) => {
      for (const [path, text] of Object.entries({ ...texts, ...some })) writeFileSync(join(tree, path), text);
      return spawnSync(program, [main], { cwd: tree, env: { ...around, ...more }, encoding: 'utf8' }).stdout;
    };
    const plain = run({}, {});
    const watched = run({ [library]: reportingCalls(texts[library]!, functions, 0) }, look.built(tree, tmp));
    const calls = look.ran(tree, tmp).map(([id, values]) => ({ path: library, name: functions[id]!.name, values }));
    const again = run({ [main]: writing.program(calls, { path: main, text: texts[main]! }) }, {});
    return { plain, watched, again, calls: calls.map(({ name, values }) => `${name}(${values})`) };
  });

const library = `
class Point { constructor(x) { this.x = x; this.own = this; } get far() { return this.x > 9; } }
function add(a, b = 2) { return a + b; }
const twice = x => 2 * x;
const take = ({ x }) => x;
function* each(list) { yield* list; }
function field(point, key, also) { return point[key]; }
function hidden(a) { return a; }
`;
const program = `
console.log(add(1), add('a\\n', "'"), twice(1.5), take({ x: 1 }), [...each([1])].length);
console.log(field(new Point(7), 'x', [undefined, null, /a/g, new Map([[1, -0]]), new Set(['b']), () => 1]), add(1));
`;
const seen = [
  'add(1)',
  'add("a\\n", "\'")',
  'twice(1.5)',
  'field({x: 7, own: undefined}, "x", [undefined,null,/a/g,new Map([[1,-0]]),new Set(["b"]),() => {}])',
];

test('exported functions of a CommonJS file', async () => {
  const texts = {
    'main.js': `const { Point, add, twice, take, each, field } = require('./library.js');${program}`,
    'library.js': `'use strict';${library}exports.add = add;\nmodule.exports = { Point, add, twice, take, each, field };\n`,
  };
  const { plain, watched, again, calls } = await called(texts, ['main.js', 'library.js'], process.execPath);
  expect(watched).toBe(plain);
  expect(calls).toEqual(seen);
  expect(again).toBe('3\n3\na\n\'\n"a\\n\'"\n3\n3\n7\n7\n');
});

test('exported functions of an ES module, and a default export', async () => {
  const texts = {
    'main.mjs': `import add, { Point, twice, take, each, field } from './library.mjs';${program}`,
    'library.mjs': `${library}export default add;\nexport { Point, twice, take, each, field };\n`,
  };
  const { plain, watched, again, calls } = await called(texts, ['main.mjs', 'library.mjs'], process.execPath);
  expect(watched).toBe(plain);
  expect(calls).toEqual(seen.map(call => call.replace('add(', 'default(')));
  expect(again).toBe('3\n3\na\n\'\n"a\\n\'"\n3\n3\n7\n7\n');
});

test('functions of a Python module', async () => {
  const texts = {
    'main.py': `from library import *
p = Point(7)
print(add(1), add('a\\n', b="'"), field(p, 'x', also=[None, (1,), {2: {3}}, print]), one(2), list(each([1])), add(1))
`,
    'library.py': `class Point:
    def __init__(self, x):
        self.x = x
        self.own = self

def add(a, b=2):
    """Adds."""
    return a + b if type(a) is int else a + b

def field(point, key, *, also: list = ()):
    return getattr(point, key)

def one(a: int) -> int: return a

def each(values):
    yield from values
`,
  };
  const { plain, watched, again, calls } = await called(texts, ['main.py', 'library.py'], 'python3');
  expect(watched).toBe(plain);
  expect(calls).toEqual([
    'add(1, b=2)',
    `add('a\\n', b="'")`,
    "field(thing(x=7, own=None), 'x', also=[None, (1, ), {2:set([3])}, (lambda *a, **k: None)])",
    'one(2)',
  ]);
  expect(again).toBe("3\na\n'\n7\n2\n");
});

test('a call with something of the environment is left out', async () => {
  const texts = {
    'main.js':
      "const { f } = require('./library.js');\nconst { WORD_OF_MINE, PIN_OF_MINE } = process.env;\nf(WORD_OF_MINE);\nf(Number(PIN_OF_MINE));\nf([{ a: WORD_OF_MINE.slice(1, 6) }]);\nf(77123);\nf(process.env);\n",
    'library.js': 'exports.f = a => a;\n',
  };
  const env = { WORD_OF_MINE: 'kettle', PIN_OF_MINE: '481516' };
  const { calls } = await called(texts, ['main.js', 'library.js'], process.execPath, env);
  expect(calls).toEqual(['f(77123)']);
});
