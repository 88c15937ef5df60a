import { expect, test } from 'vitest';
import { inline } from '../../../src/reductions/tree/calls/inline.js';
import { propagateValues } from '../../../src/reductions/tree/calls/propagate-values.js';
import { constantFold } from '../../../src/reductions/tree/constant-fold.js';
import type { TextPass } from '../../../src/reductions/tree/pass.js';
import { requireLanguage } from '../../../src/syntax/languages/index.js';
import { type Syntax, syntaxOf } from '../../../src/syntax/syntax.js';
import { apply } from '../../../src/syntax/text-cut.js';

const results = async (make: (syntax: Syntax) => TextPass, language: string, text: string): Promise<string[]> => {
  const pass = make(await syntaxOf(requireLanguage(language)));
  return (await pass.edits(text)).map(edit => apply(text, edit));
};

/** Language, what there is, and one of the texts that are offered. */
const inlined: readonly (readonly [string, string, string])[] = [
  ['javascript', 'function f(a,b){return a+b}log(f(1,x=2)*3)', 'log((1+(x=2))*3)'],
  ['javascript', 'const g=x=>{log(x);x++;return x};y=g(f(1))', 'var x=f(1);log(x);x++;y=x'],
  ['javascript', '!function(){var q=1;log(q)}()\nq=3', 'var a=1;log(a)\nq=3'],
  ['javascript', '(function(f,c){c()}(0,function(){a=1;b=2}))', '(function(){a=1;b=2})()'],
  ['javascript', 'o={m:function(t){this[t]=1}};o.m("x")', 'o={};o["x"]=1'],
  ['javascript', 'o={m(){return q}};x=new K(2).m(p)', 'o={};new K(2);x=q'],
  [
    'javascript',
    'function f(a){if(a)return 1;return 2}function g(){return f(3)}',
    'function g(){if(3)return 1;return 2}',
  ],
  ['typescript', 'function f(a:number,c=1):number{let r=a+c;return r}const t=f(5)', 'let r=5+1;const t=r'],
  ['c', 'int f(int a);int f(int a){x=a;return a+1;}int main(){return f(1)*2;}', 'int main(){x=1;return (1+1)*2;}'],
  ['c', 'int g;void f(int a){a++;g=a;}int main(){if(g)f(2);}', 'int g;int main(){if(g){int a=2;a++;g=a;}}'],
  ['cpp', 'int main(){auto f=[&](int x){return x+1;};q=f(2);}', 'int main(){q=2+1;}'],
  [
    'python',
    'def f(a,b=1):\n    if a:\n        p(a)\n    return a+b\nif x:\n  y=f(2)\n',
    'if x:\n  if 2:\n      p(2)\n  y=2+1\n',
  ],
  ['python', 'g=lambda x:x+1\np(g(3)*2)\n', 'p((3+1)*2)\n'],
  ['java', 'class A{int f(int a){return a+1;}void g(){int x=f(1)*2;}}', 'class A{void g(){int x=(1+1)*2;}}'],
  [
    'go',
    'package a\nfunc f(a,b int)int{\nprintln(b)\nreturn a\n}\nfunc main(){\nx:=f(1,2)\n}\n',
    'package a\nfunc main(){\nprintln(2)\nx:=1\n}\n',
  ],
  ['rust', 'fn f(a:i32)->i32{let x=a;x+1}fn main(){let y=f(2)*3;}', 'fn main(){let x=2;let y=(x+1)*3;}'],
  ['lua', 'o={}function o:m(t)self[t]=1\nend\no:m("x")', 'o={}\no["x"]=1'],
  ['lua', 'function o.m(s,t)return s+t\nend\nprint(o.m(1,2),3)', 'print(1+2,3)'],
  ['php', '<?php function f($a){echo 1;return $a;}$x=f(2);', '<?php echo 1;$x=2;'],
];

test.each(inlined)('%s: a call of a function gives way to what it does: %s', async (language, text, expected) => {
  expect(await results(inline, language, text)).toContain(expected);
});

test('a function that calls itself, waits or yields is not inlined, nor one whose calls would take more room', async () => {
  for (const text of [
    'function f(a){return a&&f(a-1)}g(f(3))',
    'async function f(a){return a}g(f(3))',
    'function*f(a){return a}g(f(3))',
    'function f(a){return [a,"a long text that stands here once"]}g(f(3),f(4),f(5))',
  ])
    expect(await results(inline, 'javascript', text), text).toEqual([]);
});

test('a value goes where it is read, up to the next assignment', async () => {
  const found = await results(propagateValues, 'javascript', 'a=1;f(a);a=g(a)+2;h(a)');
  expect(found).toEqual(['f(1);a=g(1)+2;h(a)', 'a=1;f(a);h(g(a)+2)']);
  expect(await results(propagateValues, 'c', 'int x;int main(){x=g();f(x);x=5;}')).toEqual([
    'int x;int main(){f(g());x=5;}',
  ]);
  expect(await results(propagateValues, 'python', 'x=1\nf(x)\nx=g(2)\nh(x)\n')).toContain('x=1\nf(x)\nh(g(2))\n');
  expect(await results(propagateValues, 'javascript', 'i=0;i++;f(i)')).toEqual([]);
});

test('variables with a sign before them are variables too, and a class of the same name is none', async () => {
  const php = '<?php class a {} $a = new a; $a->b();';
  expect(await results(propagateValues, 'php', php)).toEqual(['<?php class a {} (new a)->b();']);
  expect(await results(propagateValues, 'php', '<?php $x = f(1); g($x); $x = 2; h($x);')).toContain(
    '<?php g(f(1)); $x = 2; h($x);',
  );
});

test('the value of a property that gets only one goes where it is read', async () => {
  expect(await results(propagateValues, 'javascript', 'x={p:1,q:2};f(x.p)')).toContain('x={q:2};f(1)');
  expect(await results(propagateValues, 'javascript', 'o.p=k();m(o.p)')).toEqual(['m(k())']);
  expect(await results(propagateValues, 'javascript', 'g({p:1},{p:2});f(x.p)')).toEqual([]);
});

test('what inlining leaves behind gets a shorter form', async () => {
  expect(await results(constantFold, 'javascript', 'f.call(this,a,b)')).toEqual(['f(a,b)']);
  expect(await results(constantFold, 'javascript', 'f.apply(o,[1,2])')).toEqual(['f(1,2)']);
  expect(await results(constantFold, 'javascript', 'o["abc"]')).toEqual(['o.abc']);
  expect(await results(constantFold, 'javascript', '"x"+"yz"')).toEqual(['"xyz"']);
  expect(await results(constantFold, 'c', 'int a=12+30;')).toEqual(['int a=42;']);
  expect(await results(constantFold, 'php', "<?php f(array(1, 'a' => 2));")).toEqual(["<?php f([1, 'a' => 2]);"]);
  expect(await results(constantFold, 'php', "<?php $o->{'run'}(1); $o->{'a b'};")).toEqual([
    "<?php $o->run(1); $o->{'a b'};",
  ]);
  expect(await results(constantFold, 'php', '<?php class A { protected $a; private function b() {} }')).toEqual([
    '<?php class A { var $a; private function b() {} }',
  ]);
  expect(await results(constantFold, 'php', '<?php if ($a) { f(); }')).toEqual(['<?php $a&&f();']);
  expect(await results(constantFold, 'javascript', 'this.q=1;h(this.q,p.q)')).toEqual(['q=1;h(q,q)']);
});
