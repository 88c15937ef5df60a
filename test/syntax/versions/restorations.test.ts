import fc from 'fast-check';
import { expect, test } from 'vitest';
import { languageNamed } from '../../../src/syntax/languages/index.js';
import { hostTree, syntaxOf } from '../../../src/syntax/syntax.js';
import { apply } from '../../../src/syntax/text-cut.js';
import { type Restoration, restorationsIn } from '../../../src/syntax/versions/restorations.js';

async function restorations(old: string, now: string, language = 'javascript'): Promise<readonly Restoration[]> {
  const syntax = await syntaxOf(languageNamed(language)!);
  return restorationsIn(hostTree(old, syntax)!, hostTree(now, syntax)!);
}

/** The new text with each part that it lost. */
const restored = async (old: string, now: string, language?: string): Promise<readonly string[]> =>
  (await restorations(old, now, language)).map(span => apply(now, { spans: [span] }));

test('a lost statement goes between the neighbours that both have, at their column', async () => {
  const old =
    'var api = {\n    f: function (a) {\n        first(a);\n        check(a, 3);\n        last(a);\n    }\n};\n';
  const now = 'api.f = a => {\n  first(a);\n  last(a);\n};\n';
  expect(await restored(old, now)).toContain('api.f = a => {\n  first(a);\n  check(a, 3);\n  last(a);\n};\n');
});

test('without neighbours, it goes to the same block', async () => {
  const old = 'function f(a) {\n  if (a.ok) {\n    check(a, 3);\n  }\n}\n';
  const now = 'function f(a) {\n  if (a.ok) {\n    other();\n  }\n}\n';
  const texts = await restored(old, now);
  expect(texts).toContain('function f(a) {\n  if (a.ok) {\n    check(a, 3);\n    other();\n  }\n}\n');
  // In the place of what new has there, too.
  expect(texts).toContain(old);
});

test('a lost item goes behind the item before it, with one comma', async () => {
  const old = "RULES = {'root': [\n        (r'a', One),\n        (r'b', Two),\n        (r'c', Three),\n    ]}\n";
  const now = "RULES = [\n    (r'a', One),\n    (r'c', Three)\n]\n";
  expect(await restored(old, now, 'python')).toContain(
    "RULES = [\n    (r'a', One),\n    (r'b', Two),\n    (r'c', Three)\n]\n",
  );
});

test('a lost guard goes around what it guarded', async () => {
  const old = 'function f(a) {\n  if (a.length > 2) {\n    write(a);\n  }\n  return a;\n}\n';
  expect(await restored(old, 'function f(a) {\n  write(a);\n  return a;\n}\n')).toContain(
    'function f(a) {\n  if (a.length > 2) {\n  write(a);\n  }\n  return a;\n}\n',
  );
  const python = 'def f(a):\n    if len(a) > 2:\n        write(a)\n    return a\n';
  expect(await restored(python, 'def f(a):\n    write(a)\n    return a\n', 'python')).toContain(python);
});

test('a lost branch goes behind the branch before it', async () => {
  const now = 'int f(int a) {\n  if (a > 1) {\n    return 2;\n  }\n  return 0;\n}\n';
  const old =
    'int f(int a) {\n  if (a > 1) {\n    return 2;\n  } else if (a < -1) {\n    return 3;\n  }\n  return 0;\n}\n';
  expect(await restored(old, now, 'c')).toContain(old);
});

test('a lost side of a condition goes beside what the condition has become', async () => {
  const old =
    "function f(text, isText) {\n  if (isText && /^[a-z]+$/.test(text) && typeof read(text) !== 'string') return quote(text);\n}\n";
  const now = (condition: string) =>
    `function f(text, isText) {\n  const found = resolve(text, tags);\n  if (${condition}) return quote(text);\n}\n`;
  expect(await restored(old, now("typeof found !== 'string'"))).toContain(
    now("typeof found !== 'string' && /^[a-z]+$/.test(text)"),
  );
  // With brackets, if the other side would be torn apart.
  expect(await restored(old, now("isText || typeof found !== 'string'"))).toContain(
    now("(isText || typeof found !== 'string') && /^[a-z]+$/.test(text)"),
  );
  const python = (condition: string) => `def f(a):\n    if ${condition}:\n        return g(a)\n`;
  expect(await restored(python('len(a) > 2 or a[0] or old(a)'), python('len(a) > 2 or is_new(a)'), 'python')).toContain(
    python('len(a) > 2 or is_new(a) or old(a)'),
  );
});

test('the first side of a condition goes before the others, because they may rely on it', async () => {
  const text = (value: string) => `function f(a) {\n  return ${value};\n}\n`;
  expect(await restored(text('a && a.list && check(a.list)'), text('a.list && inspect(a.list)'))).toContain(
    text('a && a.list && inspect(a.list)'),
  );
});

test('a lost case goes back into its switch', async () => {
  const cases = (...some: readonly number[]) =>
    `function f(a) {\n  switch (a) {\n${some.map(n => `    case ${n}:\n      return g${n}(a);\n`).join('')}  }\n}\n`;
  expect(await restored(cases(1, 2, 3), cases(1, 3))).toContain(cases(1, 2, 3));
});

test('the old form of a statement or a header takes the place of the new one', async () => {
  const old = 'function f(a) {\n  for (var i = 0; i < a.length; i++) {\n    push(a[i], true);\n  }\n}\n';
  const now = 'function f(a) {\n  for (var i = 1; i < a.length; i++) {\n    push(a[i]);\n  }\n}\n';
  const texts = await restored(old, now);
  expect(texts).toContain(now.replace('i = 1', 'i = 0'));
  expect(texts).toContain(now.replace('push(a[i])', 'push(a[i], true)'));
});

test('a variable has the name that its declaration has in new', async () => {
  const old = 'function f(a) {\n  var result = a.start || a.end;\n  return result;\n}\n';
  const now = 'function f(a) {\n  var found = a.start;\n  return found;\n}\n';
  expect(await restored(old, now)).toContain(now.replace('var found = a.start', 'var found = a.start || a.end'));
});

test('a declaration that new has lost comes back with what needs it', async () => {
  const old = 'function f(a) {\n  begin();\n  var limit = a.size * 2;\n  check(a, limit);\n  end();\n}\n';
  const now = 'function f(a) {\n  begin();\n  check(a, 7);\n  end();\n}\n';
  const [found] = (await restorations(old, now)).filter(({ kind }) => kind === 'changed');
  expect(apply(now, { spans: [found!] })).toBe(old);
  expect(found!.isForeign).toBe(false);
});

test('a part that uses what new has nowhere is foreign', async () => {
  const old = 'function f(a) {\n  begin();\n  gone(a);\n  end();\n}\n';
  const [found] = await restorations(old, 'function f(a) {\n  begin();\n  end();\n}\n');
  expect(found!.isForeign).toBe(true);
});

const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'];

test('what has changed on its way to a function that only new has can become as it was', async () => {
  const old = 'function list(a, done) {\n  const found = [];\n  visit(a, found);\n  done(found, a.size);\n}\n';
  const now =
    'function list(a, done) {\n  begin(a);\n  collect(a, done);\n}\nfunction collect(a, done) {\n  const found = [];\n  visit(a, found);\n  done(null, found, a.size);\n}\n';
  expect(await restored(old, now)).toContain(now.replace('done(null, ', 'done('));
});

test('what gives a variable its value is the same statement, whatever the value is', async () => {
  const old = 'function f(a) {\n  const most = limitOf(a.options);\n  return cut(a, most);\n}\n';
  const now = 'function f(a) {\n  const most = Number.MAX_VALUE;\n  return cut(a, most);\n}\n';
  const all = await restorations(old, now);
  expect(
    all.filter(({ kind }) => kind !== 'expression').map(each => [each.kind, apply(now, { spans: [each] })]),
  ).toEqual([['changed', old]]);
});

test('a name alone does not come back: a declaration without use, or an import', async () => {
  const old =
    "import { a } from './a.js';\nfunction f(b) {\n  let count = 0;\n  const size = b.size;\n  log(b);\n  return a(b);\n}\n";
  const now = 'function f(b) {\n  log(b);\n  return call(b);\n}\n';
  const texts = await restored(old, now);
  expect(texts).toContain(now.replace('call(b)', 'a(b)'));
  expect(texts.filter(text => /import|count|size/.test(text))).toEqual([]);
  // What it calls may do something.
  expect(await restored(old.replace('b.size', 'open(b)'), now)).toContain(
    now.replace('  log(b)', '  const size = open(b);\n  log(b)'),
  );
});

test('the variable for an object is `this` in a class', async () => {
  const old =
    'function make() {\n  const self = {};\n  self.a = function (x) {\n    self.open(x);\n    self.read(x);\n    self.check(x, 3);\n    return self.close(x);\n  };\n  return self;\n}\n';
  const now = 'class Made {\n  a(x) {\n    this.open(x);\n    this.read(x);\n    return this.close(x);\n  }\n}\n';
  expect(await restored(old, now)).toContain(now.replace('    return', '    this.check(x, 3);\n    return'));
});

test('what is lost in a function that lost much says how much that is', async () => {
  const statements = (...some: readonly number[]) =>
    `function f(a) {\n${some.map(n => `  call${n}(a, ${n});\n`).join('')}}\n`;
  const [one] = await restorations(statements(1, 2, 3), statements(1, 3));
  const [many] = await restorations(statements(1, 2, 4, 5, 6, 3), statements(1, 3));
  expect([one?.lostWithIt, many?.lostWithIt]).toEqual([1, 4]);
});

test('any statement of any function that new has lost can be put back', async () => {
  const gen = fc.record({ order: fc.shuffledSubarray(names, { minLength: 3 }), lost: fc.nat(), indent: fc.nat(6) });
  await fc.assert(
    fc.asyncProperty(gen, async ({ order, lost, indent }) => {
      const at = lost % order.length;
      const f = (some: readonly string[], space: string) =>
        `function f(input) {\n${some.map((name, i) => `${space}${name}(input, ${i === 0 ? 0 : name.length});`).join('\n')}\n}\n`;
      const now = f(order, '  ').replace(new RegExp(`  ${order[at]}\\(.*\\n`), '');
      const old = f(order, ' '.repeat(indent));
      expect(await restored(old, now)).toContain(f(order, '  '));
    }),
  );
});

test('the same text has lost nothing, however it is formatted', async () => {
  const text = 'function f(a) {\n  if (a) {\n    g(a);\n  }\n  return [1, 2];\n}\n';
  expect(await restorations(text, text)).toEqual([]);
  expect(await restorations(text, text.replace(/^ +/gm, '\t'))).toEqual([]);
});

test('a part that differs only in a comment has not changed', async () => {
  const text = (comment: string) => `def f(a):\n    if a:\n        ${comment}g(a)\n    return a\n`;
  expect(await restorations(text('# of old\n        '), text(''), 'python')).toEqual([]);
});

test('a lost statement of the file says less than one of a function', async () => {
  const old = 'first();\nregister(1, two);\nfunction f(a) {\n  first(a);\n  check(a, three);\n}\n';
  const found = await restorations(old, 'first();\nfunction f(a) {\n  first(a);\n}\n');
  expect(found.map(({ isLoaded, text }) => [isLoaded, text.trim()])).toEqual([
    [true, 'register(1, two);'],
    [false, 'check(a, three);'],
  ]);
});

test('a lost call goes around what it was about, although the rest of its statement is another one', async () => {
  const old = 'function f(node) {\n  out("<" + node.name.toLowerCase() + encode(node.text), first);\n}\n';
  const now = 'function f(node) {\n  out(`<`, node.name, node.text, second());\n}\n';
  const calls = (await restorations(old, now))
    .filter(({ kind }) => kind === 'call')
    .map(span => apply(now, { spans: [span] }));
  expect(calls).toEqual([
    now.replace('node.name', 'node.name.toLowerCase()'),
    now.replace('node.text', 'encode(node.text)'),
  ]);
});

test('a lost statement brings the variable that is declared around its function', async () => {
  const old = 'const gap = / +/g;\nfunction f(a) {\n  first(a);\n  a = a.replace(gap, "");\n  last(a);\n}\n';
  const now = 'function f(a) {\n  first(a);\n  last(a);\n}\n';
  expect(await restored(old, now)).toContain(
    'function f(a) {\n  first(a);\n  const gap = / +/g;\n  a = a.replace(gap, "");\n  last(a);\n}\n',
  );
});

test('a member is the same one by its name, whatever its value is', async () => {
  const old = 'function f(a) {\n  return send({\n    record: a,\n    info: this.state.known,\n  });\n}\n';
  const now = old.replace('this.state.known', 'describe(a.lines(), other(2))');
  const all = await restorations(old, now);
  expect(all.filter(({ kind }) => kind === 'changed').map(span => apply(now, { spans: [span] }))).toContain(old);
});

test('a condition of thousands of sides does not overflow the stack', async () => {
  const sides = Array.from({ length: 6_000 }, (_, i) => `a${i}`);
  const [old, now] = [sides, sides.filter((_, i) => i !== 3)].map(
    list => `function f() {\n  return ${list.join(' && ')};\n}\n`,
  );
  expect((await restorations(old!, now!)).some(({ kind }) => kind === 'operand')).toBe(true);
}, 120_000);

test('if two statements became one, it may also have the form of the other one', async () => {
  const old =
    'def f(self, text):\n    if self.breaks:\n        text = re.sub(r" *\\n", "<br%s" % self.end, text)\n    else:\n        text = re.sub(r" {2,}\\n", " <br%s" % self.end, text)\n    return text\n';
  const now = 'def f(self, text):\n    text = re.sub(r" *\\n(?!x)", "<br%s" % self.end, text)\n    return text\n';
  const texts = await restored(old, now, 'python');
  const as = (pattern: string, by: string) =>
    `def f(self, text):\n    text = re.sub(r"${pattern}", "${by}" % self.end, text)\n    return text\n`;
  expect(texts).toContain(as(' *\\n', '<br%s'));
  expect(texts).toContain(as(' {2,}\\n', ' <br%s'));
});

test('a part of a statement comes back by itself if its other parts have changed, too', async () => {
  const old =
    'function table(data, config) {\n  var rows = cast(data);\n  rows = cut(data, config);\n  return rows;\n}\n';
  const now =
    'function table(data, config) {\n  let rows = cast(data);\n  rows = cut(rows, limitsOf(config));\n  return rows;\n}\n';
  expect(await restored(old, now)).toContain(now.replace('cut(rows', 'cut(data'));
});

test('what comes back has the names that are closest to its place, if a compiler numbered them', async () => {
  const old =
    'function f(s) {\n  var name;\n  if (s.a) {\n    name = read(s);\n    push({ type: 1, name: name });\n  } else {\n    name = next(s, 1);\n    name = name.trim();\n    push({ type: 2, name: name });\n  }\n}\n';
  const now = (trim: string) =>
    `function f(s) {\n  switch (s.a) {\n    case 1: {\n      var name_1 = read(s);\n      push({ type: 1, name: name_1 });\n      break;\n    }\n    default: {\n      var name_2 = next(s, 1);\n${trim}      push({ type: 2, name: name_2 });\n    }\n  }\n}\n`;
  expect(await restored(old, now(''))).toContain(now('      name_2 = name_2.trim();\n'));
});

test('without an option that is gone, what it guarded comes back by itself', async () => {
  const old =
    'function f(s, options) {\n  var name = read(s);\n  if (!options || options.lower) {\n    name = lower(name);\n  }\n  push(name);\n}\n';
  const now = (lower: string) =>
    `function f(s) {\n  var name = read(s);\n${lower}  push(name);\n}\nfunction lower(s) { return s; }\n`;
  expect(await restored(`${old}function lower(s) { return s; }\n`, now(''))).toContain(now('  name = lower(name);\n'));
});

test('what a linter adds or leaves out is no change', async () => {
  const old = "function f(a) {\n  var b = g(a)\n  return h('x', b)\n}\n";
  const now = 'function f(a) {\n  const b = g(a);\n  return h("x", b);\n}\n';
  expect((await restorations(old, now)).filter(({ kind }) => kind === 'changed')).toEqual([]);
});
