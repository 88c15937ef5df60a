import { expect, test } from 'vitest';
import { type Edit, gainOf } from '../../../src/reductions/edits.js';
import { defineInUse } from '../../../src/reductions/tree/calls/define-in-use.js';
import { constantFold } from '../../../src/reductions/tree/constant-fold.js';
import { deletion, level, levelCount } from '../../../src/reductions/tree/delete.js';
import { hoist, hollow } from '../../../src/reductions/tree/hoist.js';
import { structureOf } from '../../../src/reductions/tree/index.js';
import { keepSubtree } from '../../../src/reductions/tree/keep-subtree.js';
import { literals } from '../../../src/reductions/tree/literals.js';
import { elements } from '../../../src/reductions/tree/markup.js';
import type { TextPass } from '../../../src/reductions/tree/pass.js';
import { wrappers } from '../../../src/reductions/tree/qualified.js';
import { mergeNames, rename } from '../../../src/reductions/tree/rename.js';
import { comments, spaces } from '../../../src/reductions/tree/spaces.js';
import { substitute } from '../../../src/reductions/tree/substitute.js';
import { synonyms } from '../../../src/reductions/tree/synonyms.js';
import type { Grammar } from '../../../src/syntax/grammars.js';
import { requireLanguage } from '../../../src/syntax/languages/index.js';
import { type Syntax, syntaxOf } from '../../../src/syntax/syntax.js';
import { apply } from '../../../src/syntax/text-cut.js';
import { bracketSamples, samples } from './samples.js';

const syntaxNamed = (name: string): Promise<Syntax> => syntaxOf(requireLanguage(name));
const results = async (pass: TextPass, text: string): Promise<string[]> =>
  (await pass.edits(text)).map(edit => apply(text, edit));

function errors(grammar: Grammar, text: string): number {
  const tree = grammar.parser.parse(text)!;
  const found = tree.rootNode.hasError
    ? (tree.rootNode.toString().match(/\((?:ERROR|MISSING|UNEXPECTED)/g)?.length ?? 1)
    : 0;
  tree.delete();
  return found;
}

for (const [name, text] of Object.entries(samples)) {
  test(`${name}: the sample parses, every pass offers edits, and most of them parse`, async () => {
    const syntax = await syntaxNamed(name);
    const grammar = syntax.grammar!;
    expect(errors(grammar, text)).toBe(0);
    expect(await levelCount(syntax, text)).toBeGreaterThan(1);
    let all = 0;
    let sound = 0;
    for (const pass of [deletion(syntax), hoist(syntax), hollow(syntax), substitute(syntax)]) {
      const edits = await pass.edits(text);
      if (!/yaml|scss|markdown|css/.test(name)) expect(edits.length, pass.name).toBeGreaterThan(0);
      for (const edit of edits) {
        all++;
        if (errors(grammar, apply(text, edit)) === 0) sound++;
      }
    }
    expect(all).toBeGreaterThan(10);
    expect(sound / all).toBeGreaterThan(/css/.test(name) ? 0.5 : 0.7);
  });
}

for (const [name, text] of Object.entries(samples).filter(([one]) => requireLanguage(one).markup !== true))
  test(`${name}: what a file's structure offers, always parses`, async () => {
    const structure = await structureOf('sample', { language: name });
    for (const pass of [structure.level(0), structure.level(1), ...structure.coarse, ...structure.fine])
      for (const edit of await pass.edits(text))
        expect(errors(structure.syntax.grammar!, apply(text, edit)), `${edit.label}`).toBe(0);
  });

for (const [name, text] of Object.entries({ ...samples, ...bracketSamples })) {
  test(`${name}: no edit of any pass reaches outside the text, overlaps itself or leaves the text as it is`, async () => {
    const syntax = await syntaxNamed(name);
    const passes = [
      keepSubtree(syntax),
      comments(syntax),
      level(syntax, 0),
      level(syntax, 1),
      deletion(syntax),
      hoist(syntax),
      hollow(syntax),
      substitute(syntax),
      literals(syntax),
      rename(syntax),
      mergeNames(syntax),
      spaces(syntax),
    ];
    for (const pass of passes)
      for (const edit of await pass.edits(text)) {
        expect(isProper(edit, text), `${pass.name}: ${edit.label}`).toBe(true);
        expect(apply(text, edit), `${pass.name}: ${edit.label}`).not.toBe(text);
      }
  });
}

function isProper(edit: Edit, text: string): boolean {
  let position = 0;
  for (const span of edit.spans) {
    if (span.start < position || span.end < span.start || span.end > text.length) return false;
    position = span.end;
  }
  return edit.spans.length > 0;
}

test('the elements of a list go with their separators', async () => {
  const syntax = await syntaxNamed('javascript');
  const found = await results(deletion(syntax), 'f(one, two, three);');
  expect(found).toContain('f(two, three);');
  expect(found).toContain('f(one, three);');
  expect(found).toContain('f(one, two);');
});

test('an attribute goes with the space before it, an element with both its tags', async () => {
  const syntax = await syntaxNamed('html');
  const found = await results(deletion(syntax), '<div id="a" b><p>hi</p></div>');
  expect(found).toContain('<div b><p>hi</p></div>');
  expect(found).toContain('<div id="a"><p>hi</p></div>');
  expect(found).toContain('<div id="a" b></div>');
  expect(found.filter(one => one.startsWith('hi</p>'))).toEqual([]);
});

test('a statement on a line of its own takes the line with it', async () => {
  const syntax = await syntaxNamed('python');
  expect(await results(level(syntax, 0), 'a = 1\nb = 2\nc = 3\n')).toContain('a = 1\nc = 3\n');
});

test('what is optional goes: an initialiser, a type, a modifier, an else', async () => {
  const syntax = await syntaxNamed('typescript');
  const found = await results(deletion(syntax), 'export let x: number = 1; if (x) { f() } else { g() }');
  expect(found).toContain('export let x: number; if (x) { f() } else { g() }');
  expect(found).toContain('export let x= 1; if (x) { f() } else { g() }');
  expect(found).toContain('let x: number = 1; if (x) { f() } else { g() }');
  expect(found).toContain('export let x: number = 1; if (x) { f() }');
});

test('hoisting keeps one operand, one argument, a body, what stands in brackets', async () => {
  const syntax = await syntaxNamed('javascript');
  const found = await results(hoist(syntax), 'if (a) { x(b + (c), d); y() }');
  expect(found).toContain('x(b + (c), d); y()');
  expect(found).toContain('if (a) { x(b, d); y() }');
  expect(found).toContain('if (a) { x((c), d); y() }');
  expect(found).toContain('if (a) { b + (c); y() }');
});

test('hoisting takes brackets off', async () => {
  const syntax = await syntaxNamed('c');
  expect(await results(hoist(syntax), 'int f() { return ((a)) + 1; }')).toContain('int f() { return (a) + 1; }');
});

test('hoisting unwraps an element and keeps its children', async () => {
  const syntax = await syntaxNamed('html');
  expect(await results(hoist(syntax), '<div><p>a</p><p>b</p></div>')).toContain('<p>a</p><p>b</p>');
});

test('edits inside a survivor can be made together with its hoisting', async () => {
  const syntax = await syntaxNamed('javascript');
  const text = 'f(g(h(1, 2), 3))';
  const edits = await hoist(syntax).edits(text);
  const outer = edits.find(edit => apply(text, edit) === 'g(h(1, 2), 3)')!;
  const inner = edits.find(edit => apply(text, edit) === 'f(h(1, 2))')!;
  const spans = [...outer.spans, ...inner.spans].sort((a, b) => a.start - b.start);
  expect(apply(text, { spans })).toBe('h(1, 2)');
});

test('bodies, lists and strings can be emptied', async () => {
  const syntax = await syntaxNamed('c');
  const found = await results(hollow(syntax), 'int f(int a) { return g("x", a); }');
  expect(found).toContain('int f(int a) {}');
  expect(found).toContain('int f() { return g("x", a); }');
  expect(found).toContain('int f(int a) { return g(); }');
  expect(found).toContain('int f(int a) { return g("", a); }');
});

test('a node gives way to the smallest thing that may stand there, and only to such', async () => {
  const syntax = await syntaxNamed('javascript');
  const found = await results(substitute(syntax), 'let long = call(with, args) + 1;');
  expect(found).toContain('let long = 0;');
  expect(found).toContain('let a = call(with, args) + 1;');
  expect(found.filter(one => one.startsWith('let 0'))).toEqual([]);
});

test('both tags of an element get another name together, or it becomes an empty tag', async () => {
  const found = await results(elements(await syntaxNamed('html')), '<section x="1">text</section>');
  expect(found).toContain('<a x="1">text</a>');
  expect(found).toContain('<section x="1"/>');
});

test('a large subtree alone may become the file', async () => {
  const syntax = await syntaxNamed('json');
  expect(await results(keepSubtree(syntax), '{"a":{"b":["long enough to be offered"]}}')).toContain(
    '["long enough to be offered"]',
  );
});

test('of a large text, one subtree is kept only if that removes half of it', async () => {
  const syntax = await syntaxNamed('json');
  const list = (length: number) => `[${Array.from({ length }, (_, i) => `"entry ${i}"`).join(',')}]`;
  const [most, least] = [list(300), list(60)];
  const found = await results(keepSubtree(syntax), `{"a":${most},"b":${least}}`);
  expect(found).toContain(least);
  expect(found).not.toContain(most);
});

test('names get shorter at all their places at once', async () => {
  const syntax = await syntaxNamed('javascript');
  expect(await results(rename(syntax), 'let long = 1; f(long)')).toContain('let a = 1; f(a)');
});

test('a name that meets a separator, a sigil or a backslash gets no blank beside it', async () => {
  const php = await results(rename(await syntaxNamed('php')), '<?php new \\google\\net\\Message();');
  expect(php.map(one => one.replace(/\b[a-z]\b/, 'x')).sort()).toEqual([
    '<?php new \\google\\net\\x();',
    '<?php new \\google\\x\\Message();',
    '<?php new \\x\\net\\Message();',
  ]);
  expect(await results(rename(await syntaxNamed('ruby')), '@count = @count + 1')).toContain('@a = @a + 1');
});

test('a namespace goes with its name before every name in it, whatever separates them', async () => {
  const unwrap = async (language: string, text: string) => results(wrappers(await syntaxNamed(language)), text);
  expect(await unwrap('cpp', 'namespace n { struct T {}; } n::T t; ::n::T u; m::n::T v;')).toEqual([
    'struct T {}; T t; T u; m::n::T v;',
  ]);
  expect(await unwrap('php', '<?php namespace a\\b { class T {} } namespace { new \\a\\b\\T; }')).toEqual([
    '<?php namespace a\\b { class T {} } new \\a\\b\\T;',
    '<?php class T {} namespace { new T; }',
    '<?php class T {} new T;',
  ]);
  expect(await unwrap('typescript', 'namespace N { export const x = 1; }\nN.x;')).toEqual(['export const x = 1;\nx;']);
  expect(await unwrap('rust', 'mod m { pub fn f() {} }\nfn main() { m::f(); }')).toEqual([
    'pub fn f() {}\nfn main() { f(); }',
  ]);
});

test('a name takes the place of another one everywhere but at its first place', async () => {
  const syntax = await syntaxNamed('c');
  expect(await results(mergeNames(syntax), 'int a; int b; int f() { return a + b; }')).toContain(
    'int a; int b; int f() { return a + a; }',
  );
});

test('literals get simpler', async () => {
  const syntax = await syntaxNamed('javascript');
  const found = await results(literals(syntax), 'f(12.5, a === b)');
  expect(found).toEqual(expect.arrayContaining(['f(0, a === b)', 'f(12, a === b)', 'f(12.5, a == b)']));
});

test('blank space goes where tokens stay apart, and shrinks where they would not', async () => {
  const syntax = await syntaxNamed('c');
  const found = await results(spaces(syntax), 'int   a = 1;');
  expect(found).toContain('int a = 1;');
  expect(found).toContain('int   a= 1;');
  expect(found.some(one => one.startsWith('inta'))).toBe(false);
});

test('all comments go, and nothing else', async () => {
  const syntax = await syntaxNamed('javascript');
  const text = '// one\nlet s = "// no"; /* two */\n';
  expect(await results(comments(syntax), text)).toEqual(['let s = "// no"; /* two */\n', '// one\nlet s = "// no";\n']);
});

test('without a grammar, items, groups and words of any text can go', async () => {
  const syntax = await syntaxNamed('graphql');
  const text = bracketSamples.graphql!;
  const found = await results(deletion(syntax), text);
  expect(found).toContain(text.replace('    friends { id }\n', ''));
  expect(found).toContain(text.replace('id: 4, ', ''));
});

test('extensions of compilers neither hide the structure of a C++ file nor stay in it', async () => {
  const text =
    'namespace std __attribute__ ((__visibility__ ("default")))\n{\n  int a;\n  int b;\n}\n__extension__ int c;\n';
  const { band, first } = await structureOf('a.cpp');
  const deleted = await results(band(0, 3), text);
  expect(deleted).toContain('__extension__ int c;\n');
  expect(deleted).toContain(text.replace('  int b;\n', ''));
  const dialect = first.find(pass => pass.name === 'dialect')!;
  expect(await results(dialect, text)).toEqual([
    'namespace std\n{\n  int a;\n  int b;\n}\n__extension__ int c;\n',
    'namespace std __attribute__ ((__visibility__ ("default")))\n{\n  int a;\n  int b;\n}\nint c;\n',
  ]);
});

test('no deletion takes the semicolon of a declaration and leaves the rest of it', async () => {
  const text = 'extern long double next(long double x);\nint y;\n';
  const left = await results((await structureOf('a.c')).band(0, 3), text);
  expect(left.filter(one => one.split(';').length < 3).sort()).toEqual([
    'extern long double next(long double x);\n',
    'int y;\n',
  ]);
});

test('a sign that only a blank could replace is not offered: the text would be as long as before', async () => {
  const structure = await structureOf('text.bin');
  const edits = await structure.band(0, 3).edits('a{b}c,d(e)f');
  expect(edits.length).toBeGreaterThan(0);
  for (const edit of edits) expect(gainOf(edit), `${edit.label}`).toBeGreaterThan(0);
});

test('a word becomes its shorter synonym everywhere at once', async () => {
  const c = synonyms(await syntaxNamed('c'));
  expect(await results(c, 'int a __attribute__((x)), b __attribute__((y));')).toEqual([
    'int a __attribute((x)), b __attribute((y));',
  ]);
  expect(await results(c, '__asm__(""); my__asm__();')).toEqual(['__asm(""); my__asm__();', 'asm(""); my__asm__();']);
  expect(await results(c, 'unsigned int a;')).toEqual(['unsigned a;']);
  expect(await results(synonyms(await syntaxNamed('javascript')), 'constant; const a = 1, b = 2;')).toEqual([
    'constant; let a = 1, b = 2;',
  ]);
  expect(await results(synonyms(await syntaxNamed('go')), 'var a interface{}')).toEqual(['var a any']);
  expect(await results(synonyms(await syntaxNamed('java')), 'BigInteger a; Integer b; String c;')).toEqual([
    'BigInteger a; int b; int c;',
  ]);
  expect(await results(synonyms(await syntaxNamed('bash')), 'function f() { a; }')).toEqual(['f() { a; }']);
  expect(await results(synonyms(await syntaxNamed('php')), '<? f(array());')).toEqual(['<? f([]);']);
});

test('a condition with one expression becomes an expression, if that is shorter', async () => {
  const shorter = async (language: string, text: string) =>
    (await results(constantFold(await syntaxNamed(language)), text)).join();
  expect(await shorter('javascript', 'if (a) b()')).toBe('a&&b()');
  expect(await shorter('javascript', 'if (a || b) { c(); }')).toBe('(a || b)&&c();');
  expect(await shorter('typescript', 'if(a){b=c}')).toBe('a&&(b=c);');
  expect(await shorter('c', 'void f(){if(a)b();}')).toBe('void f(){a&&b();}');
  expect(await shorter('cpp', 'void f(){if(a)b();}')).toBe('void f(){a&&b();}');
  expect(await shorter('javascript', 'if(a)b=c')).toBe('');
});

test('statements become expressions, and neighbouring declarations one', async () => {
  const shorter = async (language: string, text: string) =>
    (await results(constantFold(await syntaxNamed(language)), text)).join('|');
  expect(await shorter('javascript', 'if(a)b();else c()')).toBe('a?b():c();');
  expect(await shorter('javascript', 'if(a){b();c()}')).toBe('if(a)b(),c();');
  expect(await shorter('typescript', 'if(a){b=1}else{c=d,e}')).toBe('a?(b=1):(c=d,e);');
  expect(await shorter('c', 'int f(){if(a)return b;else return c;}')).toBe('int f(){return a?b:c;}');
  expect(await shorter('c', 'void f(){while(a){b();c();}}')).toBe('void f(){while(a)b(),c();}');
  expect(await shorter('c', 'int a;int*b=0;long c;')).toBe('int a,*b=0;long c;');
  expect(await shorter('javascript', 'let a=1\nlet b=2;const c=3;')).toBe('let a=1,b=2;const c=3;');
  expect(await shorter('javascript', 'f(function(a){return{}})')).toBe('f(a=>({}))');
  expect(await shorter('javascript', 'async function f(a,b){g()}')).toBe('let f=async (a,b)=>{g()};');
  expect(await shorter('python', 'def f():return a')).toBe('f=lambda:a');
  expect(await shorter('python', 'def f(a,b=1):\n  return a\ng()')).toBe('f=lambda a,b=1:a\ng()');
});

test('a definition moves into the first of several uses', async () => {
  const moved = async (language: string, text: string) =>
    (await results(defineInUse(await syntaxNamed(language)), text)).map(one => one.trim()).join('|');
  expect(await moved('javascript', 'var a=[];f(a);g(a)')).toBe('f(a=[]);g(a)');
  expect(await moved('javascript', 'let a={};a.b(a)')).toBe('(a={}).b(a)');
  expect(await moved('javascript', 'var a=[];f(a)')).toBe('');
  expect(await moved('python', 'a=[]\nf(a)\ng(a)')).toBe('f(a:=[])\ng(a)');
  expect(await moved('c', 'enum a{b};enum a c;')).toBe('enum a{b} c;');
  expect(await moved('cpp', 'class A{};A b;')).toBe('class A{} b;');
});

test('a number becomes one digit: the first of its own, nine, two, one or nothing', async () => {
  expect(await results(literals(await syntaxNamed('javascript')), 'f(4711)')).toEqual(
    expect.arrayContaining(['f(4)', 'f(9)', 'f(2)', 'f(1)', 'f(0)']),
  );
});

test('a number that has to be large gets an exponent', async () => {
  expect(await results(literals(await syntaxNamed('json')), '100000000000000000')).toContain('1e17');
  expect(await results(literals(await syntaxNamed('javascript')), 'f(4711)')).not.toContain('f(4e3)');
});

test('documentation in texts that stand alone goes with the comments, and a body does not become empty', async () => {
  const python = comments(await syntaxNamed('python'));
  const text = 'def f():\n    "What f is for."\n    return "a longer text"\n\nclass A:\n    "Nothing else."\n';
  expect(await results(python, text)).toEqual([
    text.replace('    "What f is for."\n', ''),
    text.replace('"Nothing else."', '0'),
  ]);
});

test('without a grammar, one of several groups goes with the comma between them', async () => {
  const one = await results(deletion(await syntaxNamed('sql')), 'insert into t values (1), (2), (3);');
  expect(one).toContain('insert into t values(2), (3);');
  expect(one).toContain('insert into t values (1), (3);');
  expect(one).toContain('insert into t values (1), (2);');
});
