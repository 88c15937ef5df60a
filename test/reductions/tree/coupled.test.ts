import { expect, test } from 'vitest';
import { parameters } from '../../../src/reductions/tree/calls/arguments.js';
import { declarations, orphans } from '../../../src/reductions/tree/coupled.js';
import { deletion } from '../../../src/reductions/tree/delete.js';
import { keepReferences } from '../../../src/reductions/tree/filters/keep-references.js';
import { structureOf } from '../../../src/reductions/tree/index.js';
import type { TextPass } from '../../../src/reductions/tree/pass.js';
import { references } from '../../../src/reductions/tree/references.js';
import { requireLanguage } from '../../../src/syntax/languages/index.js';
import { bindingsOf } from '../../../src/syntax/names/semantic.js';
import { type Syntax, syntaxOf } from '../../../src/syntax/syntax.js';
import { apply } from '../../../src/syntax/text-cut.js';

const syntaxNamed = (name: string): Promise<Syntax> => syntaxOf(requireLanguage(name));
const results = async (pass: TextPass, text: string): Promise<string[]> =>
  (await pass.edits(text)).map(edit => apply(text, edit));

test('a variable goes with its uses, or they become its value or 0', async () => {
  const found = await results(declarations(await syntaxNamed('javascript')), 'let x = 1 + 2;\nf(x, 3);\n');
  expect(found).toContain('f(3);\n');
  expect(found).toContain('f((1 + 2), 3);\n');
  expect(found).toContain('f(0, 3);\n');
});

test('a function goes with the statements that call it, or its calls become 0', async () => {
  const found = await results(
    declarations(await syntaxNamed('c')),
    'int f(int a) { return a; }\nint main() { f(1); return f(2); }\n',
  );
  expect(found).toContain('int main() { 0; return 0; }\n');
  expect(found).toContain('int main() { }\n');
});

test('a type alias gives way to the type it stands for', async () => {
  const found = await results(declarations(await syntaxNamed('c')), 'typedef unsigned long U;\nU a; U b;\n');
  expect(found).toContain('unsigned long a; unsigned long b;\n');
});

test('an import goes with what only it was needed for', async () => {
  const found = await results(declarations(await syntaxNamed('python')), 'import os\nprint(os.sep)\nprint(1)\n');
  expect(found).toContain('print()\nprint(1)\n');
});

test('a part goes with the declarations that only it needed', async () => {
  const found = await results(
    orphans(await syntaxNamed('javascript')),
    'import { q } from "q";\nlet x = 1;\nf(x);\ng(q);\n',
  );
  expect(found).toContain('import { q } from "q";\ng(q);\n');
});

test('a parameter gives way to the argument that every call passes', async () => {
  const pass = parameters(await syntaxNamed('javascript'));
  expect(await results(pass, 'function f(a,n){return n?f(a,n-1):a}f(7,g(1))')).not.toContain(
    'function f(n){return n?f(n-1):7}f(g(1))',
  );
  expect(await results(pass, 'function f(a,n){return n?a:-a}f(7,g(1));f(7,2)')).toContain(
    'function f(n){return n?7:-7}f(g(1));f(2)',
  );
});

test('a parameter goes with the argument at every call, also for templates', async () => {
  const js = await results(
    parameters(await syntaxNamed('javascript')),
    'function f(a, b) { return b }\nf(1, 2); g(f(3, 4));\n',
  );
  expect(js).toContain('function f(b) { return b }\nf(2); g(f(4));\n');
  const cpp = await results(
    parameters(await syntaxNamed('cpp')),
    'template<class A, class B> struct S {};\nS<int, char> s;\n',
  );
  expect(cpp).toContain('template<class B> struct S {};\nS<char> s;\n');
});

test('an id goes with everything that points at it', async () => {
  const found = await results(
    references(await syntaxNamed('xml')),
    '<svg><g id="q"/><use href="#q"/><p fill="url(#q)"/></svg>',
  );
  expect(found).toContain('<svg><g/><use/><p/></svg>');
  expect(found).toContain('<svg><use/><p/></svg>');
});

test('a link’s target in Markdown goes with its links', async () => {
  const found = await results(references(await syntaxNamed('markdown')), 'See [it][x] now.\n\n[x]: http://a\n');
  expect(found.length).toBeGreaterThan(0);
  for (const one of found) expect(one).not.toContain('[x]');
});

test('TypeScript’s checker tells shadowed names apart', async () => {
  const syntax = await syntaxNamed('typescript');
  const tree = await syntax.tree('let x = 1; { let x = 2; f(x) } g(x, x);');
  const found = (await bindingsOf(syntax, tree)).filter(binding => binding.name === 'x');
  expect(found.map(binding => binding.uses.length).sort()).toEqual([1, 2]);
});

test('names in an inner block of C are not those of the outer one', async () => {
  const syntax = await syntaxNamed('c');
  const tree = await syntax.tree('int f() { int x = 1; { int x = 2; g(x); } return x; }');
  const found = (await bindingsOf(syntax, tree)).filter(binding => binding.name === 'x');
  expect(found.map(binding => binding.uses.length)).toEqual([1, 1]);
});

for (const [name, text] of [
  [
    'typescript',
    'type T = string;\nconst a = 1, b = a;\nfunction f(p: T, q = b) { const r = p + q; return r; }\nexport class C { m() { return f("x", a); } }\nnew C().m();\n',
  ],
  [
    'javascript',
    'import d, { e } from "m";\nlet list = [d, e];\nfor (const one of list) { const { k, v: w } = one; g(k, w); }\nfunction g(x, y) { return x ?? y }\n',
  ],
] as const)
  test(`${name}: at the semantic level no single edit leaves a dangling reference`, async () => {
    const syntax = await syntaxNamed(name);
    const { default: ts } = await import('typescript');
    const free = (source: string): Set<string> => {
      const file = ts.createSourceFile('a.ts', source, ts.ScriptTarget.ESNext, true);
      const host = {
        ...ts.createCompilerHost({}),
        getSourceFile: (path: string) => (path === 'a.ts' ? file : undefined),
      };
      const program = ts.createProgram(['a.ts'], { noLib: true, noResolve: true }, host);
      const missing = program.getSemanticDiagnostics(file).filter(one => [2304, 2552, 18004].includes(one.code));
      return new Set(missing.map(one => source.slice(one.start, one.start! + one.length!)));
    };
    const before = free(text);
    const pass = keepReferences(syntax, deletion(syntax));
    const found = await results(pass, text);
    expect(found.length).toBeGreaterThan(10);
    for (const one of found)
      for (const missing of free(one)) expect(before.has(missing), `${missing} in\n${one}`).toBe(true);
  });

test('what is marked stays: by an expression, by a comment, between two comments', async () => {
  const text =
    'keepMe(1);\nother(2);\nfunction f() { /* culprit-keep */ inner(3); }\n// culprit-keep-begin\nx(4);\n// culprit-keep-end\n';
  const structure = await structureOf('a.js', { keep: /keepMe\(1\)/ });
  const passes = [
    ...structure.first,
    structure.level(0),
    structure.level(1),
    ...structure.coarse,
    ...structure.fine,
    ...structure.tokens,
  ];
  let offered = 0;
  for (const pass of passes)
    for (const one of await results(pass, text)) {
      offered++;
      expect(one).toContain('keepMe(1)');
      expect(one).toContain('{ /* culprit-keep */ inner(3); }');
      expect(one).toMatch(/culprit-keep-begin\nx\(4\);\n\/\/ culprit-keep-end/);
    }
  expect(offered).toBeGreaterThan(3);
});

test('names stay when they must', async () => {
  const structure = await structureOf('a.js', { rename: false });
  expect(structure.tokens.map(pass => pass.name)).not.toContain('short name');
});

test('a small result becomes readable', async () => {
  expect(await (await structureOf('a.c')).pretty('int f(){int a=1;if(a){g();}return 0;}')).toBe(
    'int f(){\n  int a=1;\n  if(a){\n    g();\n  }\n  return 0;\n}\n',
  );
  expect(await (await structureOf('a.json')).pretty('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}\n');
  expect(await (await structureOf('a.svg')).pretty('<svg><g><path d="x"/></g></svg>')).toBe(
    '<svg>\n  <g>\n    <path d="x"/>\n  </g>\n</svg>\n',
  );
  expect(await (await structureOf('a.py')).pretty('if x: y')).toBeUndefined();
});
