import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { languageNamed } from '../../../src/syntax/languages/index.js';
import { hostTree, syntaxOf } from '../../../src/syntax/syntax.js';
import { apply } from '../../../src/syntax/text-cut.js';
import { oldFunctions } from '../../../src/syntax/versions/old-functions.js';

async function between(old: string, now: string, language = 'javascript') {
  const syntax = await syntaxOf(languageNamed(language)!);
  const spans = await oldFunctions(hostTree(old, syntax)!, hostTree(now, syntax)!);
  return { spans, text: apply(now, { spans }) };
}

test('a function is found however it is wrapped: a member of an object, an assignment, a method', async () => {
  const old = 'var A = extend({ f: function(a) { return a + 1; }, g: function() { return 2; } });';
  const assigned = '_proto.f = function f(b) { return b; }; _proto.g = function g() { return 2; };';
  expect((await between(old, assigned)).text).toBe(assigned.replace('return b;', 'return b + 1;'));
  const method = 'class A { g() { return 2; } f(b) { return b; } }';
  expect((await between(old, method)).text).toBe(method.replace('return b;', 'return b + 1;'));
});

test('functions that differ only in comments and spaces are left as they are', async () => {
  const { spans } = await between('function f(a) { /* one */ return a; }', 'function f(a) {\n  return a; // two\n}');
  expect(spans).toEqual([]);
});

test('a wrapper around most of a file is not replaced, but what is in it is', async () => {
  const file = (f: string, g: string) =>
    `function factory() {\n  function f() { ${f} }\n  function g() { ${g} }\n  return f;\n}\n`;
  const { spans, text } = await between(file('return 1;', 'return 2;'), file('return 1;', 'return 3;'));
  expect(spans).toHaveLength(1);
  expect(text).toBe(file('return 1;', 'return 2;'));
});

test('functions of the same name are told apart by their order, or by their words if one of them is new', async () => {
  const old = 'a.init = function() { return one(); }; b.init = function() { return two(); };';
  const now = 'a.init = function() { return one(1); }; b.init = function() { return two(2); };';
  expect((await between(old, now)).text).toBe(old);
  const more = `c.init = function() { return three(3); }; ${now}`;
  expect((await between(old, more)).text).toBe(`c.init = function() { return three(3); }; ${old}`);
});

test('a variable that has another name in new is renamed, if no other variable has that name', async () => {
  const old = 'function f(b, k) { return _has(b, k) && o._has; } function g(x) { return _has(x) + 1; }';
  const now = 'function f(b, k) { return has(b, k) && o._has; } function g(x) { return has(x) + 2; }';
  expect((await between(old, now.replaceAll('o._has', 'o.has'))).text).toContain('return has(b, k) && o._has;');
  expect((await between(old, now.replaceAll('o._has', 'o.has'))).text).toContain('return has(x) + 1;');
});

test('an arrow becomes a function, unless it would mean another receiver', async () => {
  const now = 'const f = function (a) { return a; };';
  expect((await between('const f = a => a + 1;', now)).text).toBe('const f = function (a) { return a + 1; };');
  expect((await between('const f = a => this.b;', now)).spans).toEqual([]);
});

test('C and Python have functions too', async () => {
  const c = (body: string) => `static int *f(int a, char *b) { ${body} }\nint g(void) { return 0; }\n`;
  expect((await between(c('return 1;'), c('return 2;'), 'c')).text).toBe(c('return 1;'));
  const python = (body: string) => `class A:\n    def f(self, a):\n        ${body}\n\n    def g(self):\n        pass\n`;
  expect((await between(python('return 1'), python('return a'), 'python')).text).toBe(python('return 1'));
});

test('an old function brings along the functions that only old has', async () => {
  const old =
    'function f(a) { return half(a); }\nfunction half(a) { return part(a) / 2; }\nfunction part(a) { return a; }';
  const now = 'function f(a) { return a / 3; }';
  const { text } = await between(old, now);
  expect(text).toContain('function half(a) { return part(a) / 2; }');
  expect(runInNewContext(`${text};f(8)`)).toBe(4);
});

test('as many functions of one name in another order are told apart by their words', async () => {
  const [one, two] = [
    'a.init = function() { return one(first, 1); };',
    'b.init = function() { return two(second, 2); };',
  ];
  const now = `${two.replace('2', '4')} ${one.replace('1', '3')}`;
  expect((await between(`${one} ${two}`, now)).text).toBe(`${two} ${one}`);
});

test('an old function calls what new has in its place, although a bundle gave it another name in each module', async () => {
  const moduleOf = (name: string, body: string, prefix = '') =>
    `var ${prefix}part = function part(x) { return ${name}(x); };\nvar ${prefix}build = function build(x) { ${body} };\n`;
  const old = `(function () {\n${moduleOf('html', 'return [part(x), 1];')}})();\n(function () {\n${moduleOf('math', 'return [part(x), 2];')}})();\n`;
  const now =
    moduleOf('html', 'var all = []; all.push(html_part(x)); return all;', 'html_') +
    moduleOf('math', 'var some = {}; some.one = math_part(x); return some;', 'math_');
  const { text } = await between(old, now);
  expect(text).toContain('html_build = function build(x) { return [html_part(x), 1]; }');
  expect(text).toContain('math_build = function build(x) { return [math_part(x), 2]; }');
});

test('a function that new has too is called as old calls it', async () => {
  const both = 'function trim(x) { return x; }\nfunction strip(x) { return x + 1; }\n';
  const { text } = await between(
    `${both}function f(x) { return trim(x); }`,
    `${both}function f(x) { return strip(x); }`,
  );
  expect(text).toBe(`${both}function f(x) { return trim(x); }`);
});

test('a value that only old has is not taken for a variable', async () => {
  const now = 'function f(x) { return { marked: false, x: x }; }';
  expect((await between(now.replace('false', 'true'), now)).text).toBe(now.replace('false', 'true'));
});

test('functions that a bundler numbered in another way are told apart by their words', async () => {
  const file = (first: string, second: string, sides: string) =>
    `function ${first}(box) { return box.${sides}; }\nfunction ${second}(list, item) { return list.concat(item); }\n`;
  const now = file('copy$1', 'copy', 'width');
  const { text } = await between(file('copy', 'copy$1', 'width + box.height'), now);
  expect(text).toBe(file('copy$1', 'copy', 'width + box.height'));
});

test('a method of old is put into a function that has its name and a number', async () => {
  const old = 'Box.prototype.add = function(list) { return sum(this, list) + 1; };';
  const now = 'function add$1(list) { return sum(this, list); }\nBox.prototype.add = Box.prototype.plus = add$1;';
  expect((await between(old, now)).text).toBe(now.replace('return sum(this, list);', 'return sum(this, list) + 1;'));
});

test('a function that has its arguments in another order is not called in the place of an old one, which comes along', async () => {
  const call = (name: string, a: string) => `${name}(a, '${a}', 'z')`;
  const old = `function f(a) { return ${call('join', '-')}; }
function g(a) { return ${call('join', '+')}; }
function join(left, between, right) { return left + between + right; }
`;
  const now = `function f(a) { return a; }
function g(a) { return ${call('glue', '+')}; }
function glue(left, right, between) { return left.concat(between, right); }
`;
  const [first] = (await between(old, now)).spans;
  expect(runInNewContext(`${apply(now, { spans: [first!] })};f('a')`)).toBe('a-z');
  const inOrder = now.replace('left, right, between', 'left, between, right');
  const [same] = (await between(old, inOrder)).spans;
  expect(same!.text).toBe(`(a) { return ${call('glue', '-')}; }`);
});

test('what comes along with an old function uses the names of new', async () => {
  const same = (is: string) => `function one(a) { return ${is}(a) && 1; }\nfunction two(a) { return ${is}(a) && 2; }\n`;
  const old = `${same('isOld')}function f(a) { return half(a); }\nfunction half(a) { return isOld(a) ? a / 2 : 0; }
var isOld = Boolean;`;
  const now = `${same('isNew')}function f(a) { return a / 3; }\nvar isNew = Boolean;`;
  const { text } = await between(old, now);
  expect(text).toContain('isNew(a) ? a / 2');
  expect(runInNewContext(`${text};f(8)`)).toBe(4);
});

test('a variable that only old declares around its functions comes along, and the lines behind it are still known', async () => {
  const old = `const gap = /a+/g, end = 'z', both = gap.source + end;
function f(text) {
  const cut = text.replace(gap, '');
  return cut + both;
}
`;
  const now = `function f(text) {
  return text.trim();
}
`;
  const { spans, text } = await between(old, now);
  expect(runInNewContext(`${text};f('aab')`)).toBe('ba+z');
  const [{ parts = [], text: written }] = spans as [(typeof spans)[number]];
  const beginnings = parts.map(({ at, from }) => [written.slice(at).split('\n')[0], old.slice(from).split('\n')[0]]);
  expect(beginnings).toEqual([
    ['const gap = /a+/g;', expect.stringMatching(/^gap = /)],
    ["const end = 'z';", expect.stringMatching(/^end = /)],
    ['const both = gap.source + end;', 'both = gap.source + end;'],
    ["  const cut = text.replace(gap, '');", "  const cut = text.replace(gap, '');"],
  ]);
});

test('a variable that an old function declares itself is not declared once more', async () => {
  const old =
    'const size = 3;\nfunction f(a) { const size = a + 1; return size; }\nfunction g(size) { return size * 2; }\n';
  const now = 'function f(a) { return a; }\nfunction g(b) { return b; }\n';
  const { text } = await between(old, now);
  expect(runInNewContext(`${text};f(1) + g(4)`)).toBe(10);
  expect(text).not.toContain('size = 3');
});

test('an old function calls what it called, although a bundler gave the name to another function of new', async () => {
  const old = `function number(x) { return x === null ? NaN : +x; }
function first(list, of) { return (of || number)(list[0]) + 1; }
function number$1(date) { return date instanceof Date ? date.getTime() : new Date(date).getTime(); }
function last(list) { return number$1(list.at(-1)) + number(list[0]) + 1; }
`;
  const now = `function number$1(x) { return x === null ? NaN : +x; }
function first(list, of) { return of(list[0]); }
function number(date) { return date instanceof Date ? date.getTime() : new Date(date).getTime(); }
function last(list) { return 0; }
`;
  const { text } = await between(old, now);
  expect(runInNewContext(`${text};[first(['4']), last(['2', 0, new Date(30)])].join()`)).toBe('5,33');
});
