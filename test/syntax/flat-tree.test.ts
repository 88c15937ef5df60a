import { expect, test } from 'vitest';
import { UserError } from '../../src/core/index.js';
import { deletion, level } from '../../src/reductions/tree/delete.js';
import { hoist } from '../../src/reductions/tree/hoist.js';
import { childrenOf, type FlatTree, kindOf, textOf } from '../../src/syntax/flat-tree.js';
import { grammarFrom, grammarOf } from '../../src/syntax/grammars.js';
import { languageNamed, languageOf, languages, requireLanguage } from '../../src/syntax/languages/index.js';
import { hostTree, parse, type Syntax, syntaxOf } from '../../src/syntax/syntax.js';
import { apply } from '../../src/syntax/text-cut.js';
import { copyInSteps, FlatTreeBuilder } from '../../src/syntax/tree-builder.js';
import { bracketSamples, samples } from '../reductions/tree/samples.js';

const syntaxNamed = (name: string): Promise<Syntax> => syntaxOf(requireLanguage(name));

/** Children lie in order inside their parents, and the hops of the preorder agree with the parents. */
function isSound(tree: FlatTree): boolean {
  for (let node = 0; node < tree.count; node++) {
    const above = tree.parent[node]!;
    if (node > 0 && (above < 0 || above >= node || tree.past[above]! < tree.past[node]!)) return false;
    if (node > 0 && (tree.start[node]! < tree.start[above]! || tree.end[node]! > tree.end[above]!)) return false;
  }
  return true;
}

test('a language is known by its file name, whatever the folder and the case', () => {
  expect(languageOf('src/a.test.TS')?.name).toBe('typescript');
  expect(languageOf('x/Makefile')?.name).toBe('make');
  expect(languageOf('icon.svg')?.name).toBe('xml');
  expect(languageOf('App.vue')?.name).toBe('vue');
  expect(languageOf('noextension')).toBeUndefined();
  expect(languageNamed('C++')?.name).toBe('cpp');
});

test('an unknown language is refused with the list of known ones', () => {
  expect(() => requireLanguage('klingon')).toThrow(/no language called "klingon"/);
});

test('every grammar of the table loads', async () => {
  for (const language of languages)
    if (language.wasm !== undefined) expect((await grammarOf(language))!.kinds.length).toBeGreaterThan(10);
});

test('a grammar that does not load is the user’s error, and says what a grammar is', async () => {
  await expect(grammarFrom(import.meta.filename)).rejects.toThrow(UserError);
  await expect(grammarFrom('/nowhere/none.wasm')).rejects.toThrow(/does not load/);
});

test('a large tree is copied in steps, between which a signal can be heard, and is the same tree', async () => {
  const { grammar, ...syntax } = await syntaxNamed('json');
  const text = JSON.stringify(Array.from({ length: 5_000 }, (_, i) => [i, 'x']));
  const parsed = parse(grammar!, text)!;
  const builder = new FlatTreeBuilder(text);
  expect([...copyInSteps(builder, parsed, grammar!)].length).toBeGreaterThan(5);
  parsed.delete();
  expect(builder.tree().past.join()).toBe(hostTree(text, { grammar, ...syntax })!.past.join());
});

test.each([
  ['c', 12_000],
  ['json', 20_000],
])('%s: a text that is parsed in steps has the tree that it has at once', async (name, lines) => {
  const syntax = await syntaxNamed(name);
  const line = name === 'c' ? 'int f(int a) { return a; }\n' : '[1, {"a": 2}],\n';
  const text = name === 'c' ? line.repeat(lines) : `[${line.repeat(lines)}0]`;
  const reading = syntax.tree(text);
  let turns = 0;
  for (let isDone = false; !isDone; turns++)
    isDone = await Promise.race([
      reading.then(() => true),
      new Promise<false>(resolve => setImmediate(resolve, false)),
    ]);
  expect(turns).toBeGreaterThan(3);
  const [inSteps, atOnce] = [await reading, hostTree(text, syntax)!];
  for (const part of ['past', 'kind', 'end'] as const) expect(inSteps[part].join() === atOnce[part].join()).toBe(true);
});

for (const [name, text] of Object.entries({ ...samples, ...bracketSamples }))
  test(`${name}: the tree is a sound tree over the whole text`, async () => {
    const tree = await (await syntaxNamed(name)).tree(text);
    expect(isSound(tree)).toBe(true);
    expect(tree.count).toBeGreaterThan(5);
  });

test('script and style in HTML, directives in Vue and fenced code in Markdown have trees of their own', async () => {
  const grammars = async (name: string, text: string): Promise<string[]> =>
    (await (await syntaxNamed(name)).tree(text)).grammars.map(grammar => grammar.language.name);
  expect(await grammars('html', '<script>let x = f(1)</script><style>a { b: c }</style>')).toEqual([
    'html',
    'javascript',
    'css',
  ]);
  expect(
    await grammars('vue', '<template><p v-if="a + b">x</p></template><script lang="ts">let x: T</script>'),
  ).toEqual(['vue', 'javascript', 'typescript']);
  expect(await grammars('markdown', 'some *text*\n\n```python\nx = f(1)\n```\n')).toEqual([
    'markdown',
    'markdown_inline',
    'python',
  ]);
});

test('an embedded script is reduced by its own grammar', async () => {
  const syntax = await syntaxNamed('html');
  const text = '<script>f(one, two)</script>';
  const found = (await deletion(syntax).edits(text)).map(edit => apply(text, edit));
  expect(found).toContain('<script>f(one)</script>');
});

test('syntax errors at every level leave a tree whose sound parts can still go', async () => {
  const syntax = await syntaxNamed('javascript');
  const text = 'let x = ; }\nfunction f( { if (a { b() }\nok(1, 2);\n)]} class { + }\n';
  const tree = await syntax.tree(text);
  expect(isSound(tree)).toBe(true);
  const found = (await deletion(syntax).edits(text)).map(edit => apply(text, edit));
  expect(found.some(one => !one.includes('ok(1, 2)'))).toBe(true);
  expect(Array.isArray(await hoist(syntax).edits(text))).toBe(true);
});

test('a text in quite another language than its name says falls back to brackets', async () => {
  const tree = await (await syntaxNamed('json')).tree(
    'digraph g { subgraph s { a -> b; } c -> d [label=x]; e -> f -> g; }\n'.repeat(3),
  );
  expect(tree.grammars[0]!.expects).toBeUndefined();
  expect(kindOf(tree, 0)).toBe('text');
});

test('line ends of Windows stay as they are', async () => {
  const syntax = await syntaxNamed('javascript');
  const text = 'let a = 1;\r\nlet b = 2;\r\nlet c = 3;\r\n';
  const found = (await level(syntax, 0).edits(text)).map(edit => apply(text, edit));
  expect(found).toContain('let a = 1;\r\nlet c = 3;\r\n');
});

test('the empty text and a text of blanks have an tree and no edits', async () => {
  for (const name of ['javascript', 'dot', 'graphql', 'python', 'xml'])
    for (const text of ['', ' \n\t\n']) {
      const syntax = await syntaxNamed(name);
      expect((await syntax.tree(text)).count).toBeGreaterThan(0);
      expect(await deletion(syntax).edits(text)).toEqual([]);
    }
});

test('characters outside the basic plane do not shift what follows', async () => {
  const tree = await (await syntaxNamed('javascript')).tree('s = "😀é"; last()');
  const statements = childrenOf(tree, 0).map(node => textOf(tree, node));
  expect(statements[statements.length - 1]).toBe('last()');
});
