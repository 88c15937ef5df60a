/** Programs whose expressions report their values: they do the same, and what they report is right. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { watchValues } from '../../../src/oracle/coverage/index.js';
import { readValues } from '../../../src/oracle/coverage/values/index.js';
import { structureOf } from '../../../src/reductions/tree/index.js';
import { observable, reporting } from '../../../src/syntax/observed.js';
import { folder, inScratch } from '../../circumstances/changes/folders.js';

/** Runs a program as it is and with expressions that report: both outputs, and the values by the text of their expression. */
const observed = (name: string, text: string, program: string, env: Readonly<Record<string, string>> = {}) =>
  inScratch(async root => {
    const [tree, tmp] = [join(root, 'tree'), join(root, 'tmp')];
    mkdirSync(tree);
    mkdirSync(tmp);
    const { syntax } = await structureOf(name);
    const parsed = await syntax.tree(text);
    const nodes = observable(parsed);
    const around = { ...process.env, ...env };
    const look = watchValues(folder({ [name]: text }), around);
    const run = (code: string, more: Readonly<Record<string, string>>) => {
      writeFileSync(join(tree, name), code);
      const { stdout, stderr } = spawnSync(program, [name], {
        cwd: tree,
        env: { ...around, ...more },
        encoding: 'utf8',
      });
      return stdout + stderr;
    };
    const plain = run(text, {});
    const watched = run(reporting(parsed, nodes, 0), look.built(tree, tmp));
    const values = [...look.ran(tree, tmp)].map(([id, literal]) => {
      const node = nodes[id]!;
      return [text.slice(parsed.start[node], parsed.end[node]), literal] as const;
    });
    return { plain, watched, values: Object.fromEntries(values) };
  });

const javascript = `
const o = { name: 'o', get() { return this.name; }, n: { Made: class { constructor(x) { this.x = x; } } } };
function twice(number = o.name.length + 1) { return 2 * number; }
const tag = (strings, value) => strings.raw.join('|') + value;
let count = 0;
for (let i = 0; i < 3; i++) count += i;
console.log((o.get)(), o?.name?.length, missing(), typeof undeclared, typeof undeclared.x === 1 ? 1 : 2);
console.log(new o.n.Made(twice()).x, tag\`a\${twice(3)}b\`, [...'ab'].map(letter => letter + count), delete o.gone);
function missing() { try { return o.missing.name; } catch (error) { return error.constructor.name; } }
function* numbers() { const got = yield twice(1); console.log(got + 1); }
const it = numbers(); it.next(); it.next(4);
class Child extends o.n.Made { field = count; constructor() { super(twice(7)); } get both() { return super.constructor.name + this.field; } }
console.log(new Child().both, new Child().x, (() => count === 3)(), \`\${count}\${-count}\`, void 0 ?? null);
if ((count)) switch (count) { case 3: console.log(count ** 2, !count, ~count); }
label: for (const key in o) { if (key === 'get') continue label; console.log(key); }
(async () => { console.log(await Promise.resolve(count), eval('count + 1')); })();
`.replace('typeof undeclared.x === 1 ? 1 : 2', 'o.name.at(-1)');

test('a Node program whose expressions report does the same', async () => {
  const { plain, watched, values } = await observed('a.js', javascript, process.execPath);
  expect(plain).toContain('Made3 14 true 3-3 null');
  expect(watched).toBe(plain);
  expect(values).toMatchObject({ 'twice(7)': '14', 'count === 3': 'true', '-count': '-3', 'o.missing': '0[0]' });
  // It varies.
  expect(values).not.toHaveProperty('letter + count');
  expect(values).not.toHaveProperty('2 * number');
});

const python = `
from __future__ import annotations
import sys
class A:
    kind: int = 1
    def __init__(self, size=len('abc')):
        super().__init__()
        self.size = size
    @property
    def double(self): return self.size * 2
def each(*args, key=None, **more):
    for arg in args:
        yield arg if arg else key
a, b = 1, A()
[c, d], e = [3, 4], 5
table = {'x': b.size, 'y': [n + 1 for n in range(3)], **{'z': sys.maxsize > 0}}
table['x'] += c
del a, table['y']
print(f"{b.double!r:>4} {table['x']}", list(each(0, 1, key=b.size)), not table, (lambda m: m + 1)(b.size))
if (walrus := b.double) > 5 and 1 < c < 9: print(walrus, -c, b.double if c else d)
assert b.size, 'none'
try:
    raise ValueError(b.size)
except ValueError as error:
    print(error.args[0], b.missing if hasattr(b, 'missing') else None)
with open(__file__) as file: print(len(file.name) > 0)
`;

test('a Python program whose expressions report does the same', async () => {
  const { plain, watched, values } = await observed('a.py', python, 'python3');
  expect(plain).toContain('6 6 [3, 1]');
  expect(watched).toBe(plain);
  expect(values).toMatchObject({ "len('abc')": '3', 'b.double': '6', 'sys.maxsize > 0': 'True', 'not table': 'False' });
  expect(values).not.toHaveProperty('n + 1');
});

test('what comes from the environment never gets into the result', async () => {
  const text =
    "const { TOKEN } = process.env;\nconsole.log(TOKEN, TOKEN.slice(2), __filename.length, 'a'.repeat(5), 'b'.repeat(30));\n";
  const { values } = await observed('a.js', text, process.execPath, { TOKEN: 'ghp_1234567890' });
  expect(values).toMatchObject({ "'a'.repeat(5)": '"aaaaa"' });
  expect(JSON.stringify(values)).not.toMatch(/123456|bbbb/);
});

test('a number, or a text with signs that a literal escapes, does not get out of the environment either', async () => {
  const text = 'const { PIN, WORD } = process.env;\nconsole.log(Number(PIN), WORD.slice(0), 6 * 7000);\n';
  const { values } = await observed('a.js', text, process.execPath, { PIN: '481516', WORD: 'a"b\\\\cd' });
  expect(values).toMatchObject({ '6 * 7000': '42000' });
  expect(values).not.toHaveProperty(['Number(PIN)']);
  expect(values).not.toHaveProperty(['WORD.slice(0)']);
});

test('two processes that disagree show nothing, and half a report is none', async () => {
  await inScratch(async root => {
    writeFileSync(join(root, 'values-1-0.json'), '[[0,"1"],[1,"2"],[2,null]]');
    writeFileSync(join(root, 'values-2-0.json'), '[[0,"1"],[1,"3"],[2,"4"],[3,"5"]]');
    writeFileSync(join(root, 'values-3-0.json'), '[[0,"9"');
    expect([...readValues(root)]).toEqual([
      [0, '1'],
      [3, '5'],
    ]);
    expect([...readValues(join(root, 'none'))]).toEqual([]);
  });
});
