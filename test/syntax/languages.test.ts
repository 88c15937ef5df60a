import { expect, test } from 'vitest';
import { inline } from '../../src/reductions/tree/calls/inline.js';
import { kindsOf } from '../../src/syntax/flat-tree.js';
import { grammarOf } from '../../src/syntax/grammars.js';
import { kinds, profile } from '../../src/syntax/languages/generic.js';
import { languageNamed, languageOf, languages, requireLanguage } from '../../src/syntax/languages/index.js';
import type { Role } from '../../src/syntax/languages/profile.js';
import { syntaxOf } from '../../src/syntax/syntax.js';
import { apply } from '../../src/syntax/text-cut.js';

test('every language is found by its name, its aliases, its extensions and its files', () => {
  for (const language of languages) {
    for (const name of [language.name, ...(language.aliases ?? [])]) expect(languageNamed(name)).toBe(language);
    for (const extension of language.extensions) expect(languageOf(`folder/a.${extension}`)).toBe(language);
    for (const file of language.files ?? []) expect(languageOf(`folder/${file}`)).toBe(language);
  }
});

test('a kind has a role exactly if the pattern of its language says so', async () => {
  for (const language of languages) {
    const grammar = await grammarOf(language);
    if (grammar === undefined) continue;
    for (const role of Object.keys(kinds) as Role[])
      expect([...kindsOf(grammar, role)]).toEqual(grammar.kinds.map(kind => (language.kinds[role].test(kind) ? 1 : 0)));
  }
});

test('every language that a text may hold is one', () => {
  for (const { embedded } of languages)
    for (const name of embedded?.('') ?? []) expect(languageNamed(name)?.wasm).toBeDefined();
});

test('what a profile does not say is as in most languages, and what it says counts', () => {
  const own = profile({ name: 'own', extensions: ['own'], kinds: { call: /^ask$/ }, statementEnd: '.' });
  expect(own.kinds.call).toEqual(/^ask$/);
  expect(own.kinds.function).toBe(kinds.function);
  expect(own.statementEnd).toBe('.');
  expect(own.mayBeEmpty).toBe(true);
});

test('a coupled edit follows the profile: another way to declare is another text, and no pass changes', async () => {
  const text = 'fn f(mut n:i32)->i32{n+=1;n}fn main(){let y=f(g(2)*3);h(y)}';
  const rust = requireLanguage('rust');
  const results = async (name: string, declare: (typeof rust)['declare']): Promise<readonly string[]> => {
    const edits = await inline(await syntaxOf({ ...rust, name, declare })).edits(text);
    return edits.map(edit => apply(text, edit));
  };
  expect(await results('rust with mut', rust.declare)).toEqual([expect.stringContaining('let mut ')]);
  expect(await results('rust with auto', (_, name, value) => `auto ${name}=${value};`)).toEqual([
    expect.stringContaining('auto '),
  ]);
});
