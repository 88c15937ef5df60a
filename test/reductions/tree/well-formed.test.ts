import { expect, test } from 'vitest';
import { deletion } from '../../../src/reductions/tree/delete.js';
import { keepWellFormed } from '../../../src/reductions/tree/filters/keep-well-formed.js';
import { hoist } from '../../../src/reductions/tree/hoist.js';
import { substitute } from '../../../src/reductions/tree/substitute.js';
import { languageOf } from '../../../src/syntax/languages/index.js';
import { parse, type SyntaxTree, syntaxOf } from '../../../src/syntax/syntax.js';
import { apply } from '../../../src/syntax/text-cut.js';
import { syntaxErrors } from '../../../src/syntax/well-formed.js';

const samples: Readonly<Record<string, string>> = {
  'a.py':
    'class A:\n    def f(self, *xs):\n        for x in xs:\n            if x: yield (x, "é😀")\n    y = 1\nA().f(1)\n',
  'a.c':
    'namespace;\nint f(int a) __attribute__((pure)) { return a ? g(a, 1) : 0; }\nint main(void) { return f(2) + f(3); }\n',
  'a.ts': 'export const f = <T>(a: T[]): number => { for (const b of a) g(b, [1, 2], [`x`]); return a.length; };\n',
  'a.pl': 'sub f { my ($a, @b) = @_; return unless $a =~ /^x(.*)$/; print "v $1\\n" if @b } f("xy", 1);\n',
};

for (const [file, text] of Object.entries(samples))
  test(`${file}: an edit passes exactly if a parse of what it leaves finds no more errors`, async () => {
    const syntax = await syntaxOf(languageOf(file)!);
    const own = syntaxErrors(syntax.grammar!, text);
    for (const pass of [deletion(syntax), hoist(syntax), substitute(syntax)]) {
      const all = (await pass.edits(text)).map(edit => apply(text, edit));
      const passed = (await keepWellFormed(syntax, pass).edits(text)).map(edit => apply(text, edit));
      expect(all.length).toBeGreaterThan(0);
      expect(passed).toEqual(all.filter(one => syntaxErrors(syntax.grammar!, one) <= own));
    }
  });

test('in a large folder, the edits of a small file are not parsed one by one', async () => {
  const syntax = await syntaxOf(languageOf('a.ts')!);
  const text = samples['a.ts']!;
  const pass = deletion(syntax);
  const all = await pass.edits(text);
  const checked = keepWellFormed(syntax, pass);
  expect((await checked.edits(text, 60_000)).length).toBeLessThan(all.length);
  expect((await checked.edits(text, 70_000)).length).toBe(all.length);
});

test('what an edit does not touch is taken from the tree that is known', async () => {
  const { grammar } = await syntaxOf(languageOf('a.ts')!);
  const text = 'const a = [1, 2, 3];\n'.repeat(100);
  const tree = parse(grammar!, text)!;
  const node = (one: SyntaxTree): number => one.rootNode.children[0]!.id;
  const edited = parse(grammar!, `${text}b();\n`, { text, tree })!;
  const anew = parse(grammar!, `${text}b();\n`)!;
  expect([node(edited) === node(tree), node(anew) === node(tree)]).toEqual([true, false]);
  for (const one of [tree, edited, anew]) one.delete();
});
