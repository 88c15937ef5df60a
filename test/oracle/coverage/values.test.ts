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

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

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

test.each([
  ['vm.createContext(context); new vm.Script(code).runInContext(context);', 'as jsdom runs them'],
  ['vm.runInContext(code, vm.createContext(context));', 'in a context'],
  ['vm.runInNewContext(code, context);', 'in a new context'],
  ['new vm.Script(code).runInNewContext(context);', 'a script in a new context'],
])('the scripts of a page report what %s sees (%s)', async running => {
  const page = '<p id="a">1</p>\n<script>const price = 3 * 14; show(price + offset);</script>\n';
  await inScratch(async root => {
    const [tree, tmp] = [join(root, 'tree'), join(root, 'tmp')];
    mkdirSync(tree);
    mkdirSync(tmp);
    const { syntax } = await structureOf('a.html');
    const parsed = await syntax.tree(page);
    const nodes = observable(parsed);
    const look = watchValues(folder({ 'a.html': page }), process.env);
    const run = (code: string, more: Readonly<Record<string, string>>) => {
      writeFileSync(join(tree, 'a.html'), code);
      writeFileSync(
        join(tree, 'run.mjs'),
        `import vm from 'node:vm'; import { readFileSync } from 'node:fs';
        const [, code] = /<script>([^]*)<.script>/.exec(readFileSync('a.html', 'utf8'));
        const context = { offset: 2, show: console.log };\n${running}\nconsole.log(Object.keys(context));`,
      );
      return spawnSync(process.execPath, ['run.mjs'], { cwd: tree, env: { ...process.env, ...more }, encoding: 'utf8' })
        .stdout;
    };
    expect(run(page, {})).toBe("44\n[ 'offset', 'show' ]\n");
    expect(run(reporting(parsed, nodes, 0), look.built(tree, tmp))).toBe("44\n[ 'offset', 'show' ]\n");
    const values = [...look.ran(tree, tmp)].map(([id, literal]) => [
      page.slice(parsed.start[nodes[id]!], parsed.end[nodes[id]!]),
      literal,
    ]);
    expect(Object.fromEntries(values)).toMatchObject({ '3 * 14': '42', 'price + offset': '44' });
  });
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

const ruby = `
class A
  attr_reader :size
  def initialize(size = 'abc'.length, *rest, key: rest.size)
    @size = size; @key = key
  end
  def <=>(other) = size <=> other.size
  include Comparable
  def each; return to_enum(:each) unless block_given?; yield @size; yield(@key); end
  def method_missing(name, *args, &block) = args.empty? ? name : super
  def respond_to_missing?(*) = true
  private def hidden = @size
  public
  def shown; hidden + (self.size) * 2 end
end
a = A.new
b, *c = 1, 2, 3
table = { x: a.size, 'y' => [b, -b], **{ z: a > A.new(1) } }
table[:x] += c.size
count = 0
count += 1 while count < 3
puts "#{a.shown} #{table[:x]} #{a.any}", a.each.to_a.inspect, (b if defined?(nothing)).inspect
puts [1, 2].map(&:to_s).join(a.size.to_s), [3, 4].map { |n| n + count }.inspect, (a.size == 3 ? 'yes' : 'no')
x = if count == 3 then 'three' else 'other' end
puts x unless !x
case a.size when 3 then puts x.upcase end
begin; raise ArgumentError, "bad #{a.size}" if a.size; rescue => e; puts e.message; end
puts binding.local_variables.size, __method__.inspect
`;

test.skipIf(!has('ruby'))('a Ruby program whose expressions report does the same (needs ruby)', async () => {
  const { plain, watched, values } = await observed('a.rb', ruby, 'ruby');
  expect(plain).toContain('9 5 any\n[3, 0]\nnil');
  expect(watched).toBe(plain);
  expect(values).toMatchObject({ "'abc'.length": '3', 'a.shown': '9', 'a.size == 3': 'true', 'count == 3': 'true' });
  expect(values).not.toHaveProperty('n + count');
});

const lua = `
local A = {}
A.__index = A
function A.new(size) return setmetatable({ size = size or #'abc', list = {} }, A) end
function A:add(...) for _, v in ipairs({ ... }) do self.list[#self.list + 1] = v end return self, select('#', ...) end
local a, b = A.new(), 2
local function two() return 1, b end
local t = { two(), two(), n = a.size, [8] = -b, two() }
print(t[1], t[2], t[3], (two()), #t, t.n)
print(a:add(4, 5).list[2], select('#', two()), a.size == 3 and 'yes' or 'no', not b, 7 // b, 1 / b, b ^ 2)
for i = b, a.size do io.write(i, ' ') end
local count = 0
repeat local done = count >= 2; count = count + 1 until done
while count < 5 do count = count + 1 end
if count == 5 then print 'five' elseif b then print(b) end
print(pcall(error, 'bad ' .. a.size), type(print), tostring(nil), ("x"):rep(b), #{ ... })
goto over
print(count)
::over::
os.exit(0)
`;

test.skipIf(!has('lua5.4'))('a Lua program whose expressions report does the same (needs lua5.4)', async () => {
  const { plain, watched, values } = await observed('a.lua', lua, 'lua5.4', { LUA_INIT: 'extra = 1' });
  expect(plain).toContain('1\t1\t1\t1\t4\t3');
  expect(watched).toBe(plain);
  expect(values).toMatchObject({ "#'abc'": '3', '-b': '-2', '1 / b': '0.5', 'b ^ 2': '4.0', 'count == 5': 'true' });
  expect(values).not.toHaveProperty('count + 1');
  // Two values are no value.
  expect(values).not.toHaveProperty('two()');
});

const php = `<?php
namespace App;
const LIMIT = 2 + 1;
class A {
  const NAMES = ['a' . 'b', self::SIZE * 2];
  const SIZE = 1 + 2;
  public $list = [self::SIZE + 1];
  function __construct(public int $size = LIMIT * 1) { static $made = 1 + 1; $this->list[] = $made + $size; }
  function each() { foreach ($this->list as $key => $value) yield $key => $value; }
  static function make(...$args) { return new static(...$args); }
  function __get($name) { return $name . '!'; }
}
function change(array &$list, $with) { $list[] = $with; return count($list); }
$a = new A; $b = ['y' => 1, 'x' => $a->size];
[$c, $d] = [3, 4]; list('x' => $e) = $b; $f = &$b['y']; $f++;
sort($a->list); $n = change($b, $c + $d);
echo "T $n {$b['y']} {$a->size}", PHP_EOL, isset($b['z']) ? 1 : 2, empty($b['y']) ? 1 : 2, $a->any, PHP_EOL;
print(implode(',', $a->list) . A::make(5)->size . PHP_EOL);
foreach ($a->each() as $k => $v) echo $k + 1, '=', $v * 2, ' ';
$i = 0; while ($i < 3) { $i++; } do { $i -= 1; } while ($i > 1);
echo match (true) { $i === 1 => 'one', default => 'more' }, (fn($x) => $x + $i)(2), (string) $d, -$c, !$c, PHP_EOL;
switch ($c) { case LIMIT: echo 'limit'; break; default: echo 'none'; }
try { throw new \\Exception('bad ' . $c); } catch (\\Exception $error) { echo $error->getMessage(), $error->getLine(); }
unset($b['x']); echo count($b), $undefined ?? 'none', PHP_EOL;
`;

test.skipIf(!has('php'))('a PHP program whose expressions report does the same (needs php)', async () => {
  const { plain, watched, values } = await observed('a.php', php, 'php');
  expect(plain).toContain('T 3 2 3\n22any!\n4,55\n');
  expect(watched).toBe(plain);
  expect(values).toMatchObject({ '$c + $d': '7', '-$c': '-3', '$x + $i': '3', "'bad ' . $c": "'bad 3'" });
  expect(values).not.toHaveProperty('$v * 2');
});

test.each([
  [
    'a.php',
    'php',
    "<?php\n$a = [str_repeat('ab', 2)];\n$b = 'call' . 1;\n$o->{'m' . 2};\nposix_kill(posix_getpid(), 9);\n",
  ],
  ['a.lua', 'lua5.4', "local a = { ('ab'):rep(2) }\nlocal b = 'call' .. 1\nos.execute('kill -9 $PPID')\n"],
] as const)('what %s reported before it was killed is known (needs %s)', async (name, program, text) => {
  if (!has(program) && process.env.CI === undefined) return;
  const { values } = await observed(name, text, program);
  const literals = Object.values(values);
  expect(literals).toContain(name === 'a.php' ? "'abab'" : '"abab"');
  expect(literals).toContain(name === 'a.php' ? "'call1'" : '"call1"');
});

test('what comes from the environment never gets into the result', async () => {
  const text =
    "const { TOKEN } = process.env;\nconsole.log(TOKEN, TOKEN.slice(2), __filename.length, 'a'.repeat(5), 'b'.repeat(30));\n";
  const { values } = await observed(
    'a.js',
    `${text}const big = TOKEN.toUpperCase().slice(0, 12);\n`,
    process.execPath,
    {
      TOKEN: 'ghp_1234567890',
    },
  );
  expect(values).not.toHaveProperty(['TOKEN.toUpperCase().slice(0, 12)']);
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
