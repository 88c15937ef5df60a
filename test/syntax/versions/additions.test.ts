import fc from 'fast-check';
import { expect, test } from 'vitest';
import { languageNamed } from '../../../src/syntax/languages/index.js';
import { hostTree, syntaxOf } from '../../../src/syntax/syntax.js';
import { apply } from '../../../src/syntax/text-cut.js';
import { type Addition, additionsIn } from '../../../src/syntax/versions/additions.js';

async function additions(old: string | undefined, now: string, language = 'javascript'): Promise<readonly Addition[]> {
  const syntax = await syntaxOf(languageNamed(language)!);
  return additionsIn(old === undefined ? undefined : hostTree(old, syntax), hostTree(now, syntax)!);
}

/** The new text without each of its additions. */
const without = async (old: string | undefined, now: string, language?: string): Promise<readonly string[]> =>
  (await additions(old, now, language)).map(span => apply(now, { spans: [span] }));

test('an added condition becomes one of its sides, and the lines of that side stay as they are', async () => {
  const old = 'function f(a) {\n  out(a);\n  return a;\n}\n';
  const now = 'function f(a) {\n  if (a > 1) {\n    out(a);\n  } else {\n    log(a);\n  }\n  return a;\n}\n';
  const texts = await without(old, now);
  expect(texts).toContain('function f(a) {\n    out(a);\n  return a;\n}\n');
  expect(texts).toContain('function f(a) {\n    log(a);\n  return a;\n}\n');
});

test('a condition without another side goes with what it guards, or what it guards stays', async () => {
  const now = 'function f(a) {\n  if (!a) {\n    return 0;\n  }\n  return a;\n}\n';
  const texts = await without('function f(a) {\n  return a;\n}\n', now);
  expect(texts).toContain('function f(a) {\n  return a;\n}\n');
  expect(texts).toContain('function f(a) {\n    return 0;\n  return a;\n}\n');
});

test('one side of `&&` is taken out if it is new', async () => {
  const now = 'if (a && b.length > 3) f();';
  expect(await without('if (a) f();', now)).toContain('if (a) f();');
  expect(await without('if (b.length > 3) f();', now)).toContain('if (b.length > 3) f();');
});

test('in Python, what stays moves to the column of the condition', async () => {
  const now = 'def f(a):\n    if a > 1:\n        g(a)\n        h(a)\n    return a\n';
  const texts = await without('def f(a):\n    return a\n', now, 'python');
  expect(texts).toContain('def f(a):\n    g(a)\n    h(a)\n    return a\n');
  expect(texts).toContain('def f(a):\n    return a\n');
});

test('in C, a branch without braces is replaced as it is', async () => {
  const now = 'int f(int a) {\n  if (a > 1) return 2; else return 3;\n}\n';
  const texts = await without('int f(int a) {\n  return 3;\n}\n', now, 'c');
  expect(texts).toContain('int f(int a) {\n  return 3;\n}\n');
});

test('what the old text has too, wherever it is, is no addition', async () => {
  const old = 'function g(b) {\n    if (b.ok) {\n      h();\n    }\n}\n';
  expect(await without(old, 'function f() {\n  if (b.ok) {\n    h();\n  }\n}\n')).toEqual([]);
});

test('declarations and imports are not taken out: nothing works without them', async () => {
  const now = "import a from 'a';\nvar b = 1;\nfunction c() {}\nexport { c };\n";
  expect(await without('', now)).toEqual([]);
});

test('under other names everywhere, what is really new comes first', async () => {
  const lines = (it: string) =>
    ['a', 'b', 'c'].map(name => `  if (${it}.length > 1024) {\n    ${name}(${it});\n  }\n`).join('');
  const old = `function f(result) {\n${lines('result')}}\n`;
  const now = `function f(state) {\n${lines('state.dump')}  if (state.dump.charCodeAt(0) === FEED) {\n    out(':');\n  }\n}\n`;
  const found = (await additions(old, now)).filter(({ kind }) => kind === 'condition');
  const [first] = found.toSorted((a, b) => b.newness - a.newness);
  expect(now.slice(first!.start, first!.end)).toContain('FEED');
});

test('each addition is inside the text, and all of a new file is new', async () => {
  const statement = fc.constantFrom('a();', 'if (b) { c(); } else { d(); }', 'e = f || g;', 'return h && i;');
  await fc.assert(
    fc.asyncProperty(fc.array(statement, { maxLength: 8 }), async statements => {
      const now = `function x() {\n${statements.map(each => `  ${each}\n`).join('')}}\n`;
      for (const { start, end, gone, newness } of await additions(undefined, now)) {
        expect(0 <= start && start < end && end <= now.length).toBe(true);
        expect(start <= gone[1] && gone[0] <= end).toBe(true);
        expect(newness).toBe(1);
      }
      expect(await additions(now, now)).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

test('an item of a sequence is taken out with its comma, also the last one', async () => {
  const texts = await without('a("X",1);\n', 'a("X",1),b("N","era"),c("Q","two");\n');
  expect(texts).toContain('a("X",1),c("Q","two");\n');
  expect(texts).toContain('a("X",1),b("N","era");\n');
});

test('a call that was put around something goes, and what it is about stays', async () => {
  const now = "function f(a) {\n  return out(code.replace(/x$/, ''), encode(a), JSON.stringify(a), b.trim());\n}\n";
  const old = 'function f(a) {\n  return out(code, a, a, b.trim());\n}\n';
  const calls = (await additions(old, now))
    .filter(({ kind }) => kind === 'call')
    .map(span => apply(now, { spans: [span] }));
  expect(calls).toEqual([
    now.replace(".replace(/x$/, '')", ''),
    now.replace('encode(a)', 'a'),
    now.replace('JSON.stringify(a)', 'a'),
  ]);
  const python = (call: string) => `def f(code):\n    code = code${call}\n    return code\n`;
  expect(await without(python(''), python('.strip()'), 'python')).toContain(python(''));
  // Two of them are one more than one.
  const twice = 'function f(a) {\n  out(b.trim(), c.trim());\n}\n';
  expect(await without('function f(a) {\n  out(b.trim(), c);\n}\n', twice)).toContain(twice.replace('c.trim()', 'c'));
});

test('a statement of the file says less than one of a function', async () => {
  const now = 'register(1, two);\nfunction f(a) {\n  check(a, three);\n}\n';
  const found = await additions('function f(a) {\n}\n', now);
  expect(found.filter(({ kind }) => kind === 'statement').map(({ isLoaded }) => isLoaded)).toEqual([true, false]);
});

test('a name that lost the sign for what is private is the same name', async () => {
  const text = (self: string) =>
    `function f(c) {\n  if (c === '>' || ${self}.special !== 1) {\n    ${self}.state = 1;\n  }\n}\n`;
  const conditions = (await additions(text('this').replaceAll('this.', 'this._'), text('this'))).filter(
    ({ kind }) => kind === 'condition' || kind === 'operand',
  );
  expect(conditions).toEqual([]);
});

test('a side of an added condition that old has in the same function is told from what was added', async () => {
  const old = 'function f(a) {\n  step(a, 1, 2);\n  return a;\n}\n';
  const now =
    'function f(a) {\n  if (a.many) {\n    others(a, 3, 4);\n  } else {\n    step(a, 1, 2);\n  }\n  return a;\n}\n';
  const left = async (isForced: boolean) =>
    (await additions(old, now))
      .filter(each => each.kind === 'condition' && each.isForced === isForced)
      .map(span => apply(now, { spans: [span] }).replace(/\s+/g, ' '));
  expect(await left(false)).toEqual(['function f(a) { step(a, 1, 2); return a; } ']);
  expect(await left(true)).toEqual(['function f(a) { others(a, 3, 4); return a; } ']);
});

test('a call in the place of another one is told from an added one', async () => {
  const text = (tag: string, value = 'value') =>
    `const ${tag} = {}.toString;\nfunction isArray(value) {\n  return ${tag}.call(${value}) === '[object Array]';\n}\n`;
  const calls = async (now: string) =>
    (await additions(text('tag'), now))
      .filter(({ kind }) => kind === 'call')
      .map(({ isForced, gone }) => [now.slice(...gone), isForced]);
  expect(await calls(text('tag$1'))).toEqual([['tag$1.call(value)', true]]);
  expect(await calls(text('tag', 'unwrap(value)'))).toContainEqual(['unwrap(value)', false]);
});

test('what only decides a condition, or leaves a function without its result, is told from what goes', async () => {
  const forced = async (old: string, now: string, language?: string) =>
    (await additions(old, now, language))
      .filter(({ isForced }) => isForced)
      .map(span => apply(now, { spans: [span] }).replace(/\s+/g, ' '));
  const old = 'function f(a) {\n  if (same(a)) {\n    return one(a);\n  }\n  return two(a);\n}\n';
  // Old has another condition there.
  const now = old.replace('same(a)', 'isSame(a, true)');
  expect(await forced(old, now)).toContain('function f(a) { return one(a); return two(a); } ');
  // Nothing behind it would run.
  const added = old.replace('  return two', '  if (other(a)) return three(a);\n  return two');
  expect(await forced(old, added)).toEqual([
    'function f(a) { if (same(a)) { return one(a); } return three(a); return two(a); } ',
  ]);
  const python = (lines: string) => `def f(a):\n${lines}    return two(a)\n`;
  expect(await forced(python(''), python('    if other(a):\n        raise three(a)\n'), 'python')).toHaveLength(1);
  const result = 'function f(a) {\n  return hidden(a, 5);\n}\n';
  expect(await forced('function f(a) {\n  return;\n}\n', result)).toContain('function f(a) { } ');
});

test('of a call of another file, what it is called with stays', async () => {
  const text = (argument: string) =>
    `const string = require('./string');\nfunction f(a) {\n  return out(${argument}, { value: a.trim() });\n}\n`;
  const calls = async (now: string) =>
    (await additions(text('a.name(1)'), now))
      .filter(({ kind }) => kind === 'call')
      .map(span => apply(now, { spans: [span] }));
  expect(await calls(text('string.decode(a.name(1))'))).toEqual([text('a.name(1)')]);
  expect(await calls(text('(0, string.decode)(a.name(1))'))).toEqual([text('a.name(1)')]);
});
