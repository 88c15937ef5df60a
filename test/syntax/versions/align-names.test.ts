/** Old under the names of new: it does the same as before, and differs only where it really does. */
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { minify } from 'terser';
import { describe, expect, test } from 'vitest';
import { localNamesReader } from '../../../src/syntax/names/local-names.js';
import { alignNames, alignNamesIn } from '../../../src/syntax/versions/align-names.js';
import { similarFunctions } from '../../../src/syntax/versions/similar-functions.js';

const read = await localNamesReader();

const align = (old: string, now: string): string =>
  alignNames({ text: old, names: read(old)! }, { text: now, names: read(now)! });

const alignByFunctions = (old: string, now: string): string => {
  const [from, to] = [
    { text: old, names: read(old)! },
    { text: now, names: read(now)! },
  ];
  return alignNamesIn(similarFunctions(from, to), from, to);
};

describe('names of a text that another minifier wrote', () => {
  const [old, now] = [
    'f(function(e){function a(x){return x.width*x.height}function b(x){return a(x).toFixed(2)}e.sum=function(x,y){return x?b(y):0};e.print=b})',
    'f(function(t){function p(n){return m(n).toFixed(2)}function q(n,r){if(!n)return 0;return p(r)}function m(n){var h=n.height;return h*n.width}t.print=p,t.sum=q})',
  ];

  test('agree inside functions that have the same members, whatever their order', () => {
    const aligned = alignByFunctions(old, now);
    expect(aligned).toContain('function m(n){return n.width*n.height}function p(n){return m(n).toFixed(2)}');
    // A function is an expression in one version, and a declaration in the other.
    expect(aligned).toContain('sum=function(n,r){return n?p(r):0}');
  });
});

describe('names of a minified text', () => {
  test('are those of the other version, although a variable was added before them', () => {
    const old = '!function(){var a=1,b=2;function c(d){return a+b+d}out(c(3))}()';
    const now = '!function(){var a=9,b=1,c=2;function d(e){return b+c+e+a}out(d(3))}()';
    expect(align(old, now)).toBe('!function(){var b=1,c=2;function d(e){return b+c+e}out(d(3))}()');
  });

  test('are new ones if those of the other version would hide another variable', () => {
    const old = 'f(function(a,b){return function(c){return a+b+c}})';
    const now = 'f(function(a){return function(a){return a}})';
    const aligned = align(old, now);
    expect(runInNewContext(`var f=g=>g(1,2)(3);${aligned}`)).toBe(6);
  });

  test('keep members, exports and labels as they are', () => {
    expect(align('f(function(a){var{x:b,c}=a;return{b,c}})', 'f(function(q){var{x:r,c:s}=q;return{b:r,c:s}})')).toBe(
      'f(function(q){var{x:r,c:s}=q;return{b:r,c:s}})',
    );
    expect(align('import{a}from"m";var b=a;export{b}', 'import{a as x}from"m";var y=x;export{y as b}')).toBe(
      'import{a as x}from"m";var y=x;export{y as b}',
    );
  });

  test('of a script without modules stay at its top, where other scripts see them', () => {
    expect(align('var a=1;f(function(b){return a+b})', 'var q=1;f(function(c){return q+c})')).toBe(
      'var a=1;f(function(c){return a+c})',
    );
  });
});

test('only the change itself is left between two minified versions', async () => {
  const source = (extra: string, limit: number) => `
    const table = { width: 4, height: 5 };
    ${extra}
    function area(shape, scale) { const w = shape.width * scale; const h = shape.height * scale; return w * h; }
    function check(shape, factor) { let sum = 0; for (let i = 0; i < factor; i++) sum += area(shape, i); return sum > ${limit}; }
    module.exports = { check: factor => check(table, factor), area: (a, b) => area(a, b) };`;
  const options = { mangle: { toplevel: true }, compress: false } as const;
  const { code: old } = await minify(source('', 10), options);
  const { code: now } = await minify(source('const first = [1, 2], second = first.map(one => one + 1);', 20), options);
  const aligned = align(old!, now!);
  const wordsOf = (text: string) => text.match(/\w+/g)!;
  const added = wordsOf(now!).length - wordsOf(aligned).length;
  expect(aligned.replace('10', '20')).toBe(now!.replace(/const \w=\[1,2\],.*?;/, ''));
  expect(added).toBeGreaterThan(5);
});

/** Functions in functions, whose names are so few that they hide each other. */
const name = fc.constantFrom('a', 'b', 'c');
const { program } = fc.letrec<{ program: string; statement: string; value: string }>(tie => ({
  program: fc.array(tie('statement'), { minLength: 1, maxLength: 4 }).map(list => list.join(';')),
  statement: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(fc.constantFrom('var', 'out.x='), name, tie('value')).map(([kind, to, value]) => `${kind} ${to}=${value}`),
    fc.tuple(name, tie('value')).map(([to, value]) => `{let ${to}=${value};out.push(${to})}`),
    fc.tuple(name, tie('program')).map(([to, body]) => `out.push((function ${to}(){${body};return typeof ${to}})())`),
    fc
      .tuple(name, tie('program'), tie('value'))
      .map(([to, body, value]) => `(${to}=>{${body};out.push(${to})})(${value})`),
    fc.tuple(name, name).map(([a, b]) => `try{throw{${a}:1}}catch({${a}:${b}}){out.push(${b})}`),
  ),
  value: fc.oneof(
    fc.nat(9).map(String),
    name,
    name.map(one => `({${one}}).${one}`),
  ),
}));

test('a text does the same under the names of any other', () => {
  const run = (text: string): string => {
    const out: unknown[] = [];
    const seen = (value: unknown) => (typeof value === 'function' ? 'function' : String(value));
    try {
      runInNewContext(text, { out, a: 'global a', b: 'global b', c: 'global c' }, { timeout: 1000 });
    } catch (error) {
      return `${out.map(seen)} ${(error as Error).name}`;
    }
    return out.map(seen).join();
  };
  const wrapped = program.map(body => `(function(){${body}})()`);
  fc.assert(
    fc.property(wrapped, wrapped, (old, now) => {
      expect(run(align(old, now))).toBe(run(old));
      expect(run(alignByFunctions(old, now))).toBe(run(old));
    }),
    { numRuns: 40 },
  );
});
