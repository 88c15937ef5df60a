/** What a language is, its profile says: no other file compares languages by name, or lists kinds of nodes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { beforeAll, expect, test } from 'vitest';
import { grammarOf } from '../../src/syntax/grammars.js';
import { languages } from '../../src/syntax/languages/index.js';

const root = fileURLToPath(new URL('../../src', import.meta.url));
const profiles = 'syntax/languages/';

/** Rooms that look at trees, or at what has one. */
const rooms = /^(core|syntax|reductions|circumstances|plans|library)\//;

const names = new Set(languages.map(({ name }) => name));
/** Kinds that can't be taken for a word of another sort: `call_expression`, but not `call`, which is a field too. */
const kinds = new Set<string>();

beforeAll(async () => {
  for (const language of languages)
    for (const kind of (await grammarOf(language))?.kinds ?? []) if (/^[a-z]+(_[a-z]+)+$/.test(kind)) kinds.add(kind);
  // Names of fields are shared by all grammars, and may be read anywhere.
  for (const language of languages)
    for (const field of (await grammarOf(language))?.fields ?? []) kinds.delete(field ?? '');
});

/** Every place of a source file that knows more about a language than its profile tells, as a sentence. */
function wrongIn(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
  const wrong: string[] = [];
  const kindNames = new Set<string>();
  const say = (node: ts.Node, what: string): void => {
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    wrong.push(`src/${file}:${line} ${what}. Add a field to the profiles in src/${profiles} and read it here.`);
  };
  const isKind = (node: ts.Expression): boolean =>
    (ts.isCallExpression(node) && /(^|\.)kindOf$/.test(node.expression.getText())) ||
    (ts.isIdentifier(node) && kindNames.has(node.text));
  const isLanguage = (node: ts.Expression): boolean => /\blanguage(\.name)?$/.test(node.getText());
  const compare = (one: ts.Expression, other: ts.Expression): void => {
    if (!ts.isStringLiteralLike(other)) return;
    if (isKind(one)) say(other, `compares the kind of a node with '${other.text}'`);
    else if (isLanguage(one) || (seesTrees(file) && names.has(other.text) && /name/i.test(one.getText())))
      say(other, `compares a language with '${other.text}'`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer && isKind(node.initializer))
      kindNames.add(node.name.getText());
    if (ts.isBinaryExpression(node) && /^[=!]==?$/.test(node.operatorToken.getText())) {
      compare(node.left, node.right);
      compare(node.right, node.left);
    }
    if (ts.isSwitchStatement(node))
      for (const clause of node.caseBlock.clauses)
        if (ts.isCaseClause(clause)) compare(node.expression, clause.expression);
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [argument] = node.arguments;
      const how = node.expression.name.text;
      if (argument !== undefined && (how === 'test' || how === 'includes' || how === 'has')) {
        if (isKind(argument)) say(node, 'looks for the kind of a node in a list or pattern');
        else if (isLanguage(argument) && (how !== 'has' || /\.name$/.test(argument.getText())))
          say(node, 'looks for a language in a list or pattern');
      }
    }
    if (ts.isStringLiteralLike(node) && kinds.has(node.text)) say(node, `names the kind of node '${node.text}'`);
    if (ts.isRegularExpressionLiteral(node)) {
      const kind = node.text.match(/[a-z]+(?:_[a-z]+)+/g)?.find(word => kinds.has(word));
      if (kind !== undefined) say(node, `has a pattern for the kind of node '${kind}'`);
      const alternatives = node.text.match(/^\/\^\(([\w|]+)\)\$\/$/)?.[1]?.split('|') ?? [];
      if (alternatives.length > 1 && alternatives.every(word => names.has(word)))
        say(node, `has a pattern for the languages ${alternatives.join(', ')}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return wrong;
}

const seesTrees = (file: string): boolean => /^(syntax|reductions|plans)\//.test(file);

test('no file outside the profiles compares a language by its name or lists kinds of nodes', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    file => file.endsWith('.ts') && rooms.test(file) && !file.startsWith(profiles),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap(file => wrongIn(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

test.each([
  [`if (syntax.language.name === 'python') return;`, `compares a language with 'python'`],
  [`if ('ruby' !== facts.language) return;`, `compares a language with 'ruby'`],
  [`switch (language.name) { case 'go': break; }`, `compares a language with 'go'`],
  [`const isLoose = ['lua', 'ruby'].includes(language.name);`, 'looks for a language in a list or pattern'],
  [`const isLoose = (name: string) => /^(rust|ruby)$/.test(name);`, 'has a pattern for the languages rust, ruby'],
  [`if (kindOf(tree, node) === 'string') return;`, `compares the kind of a node with 'string'`],
  [`const kind = kindOf(tree, node); if (kind === 'this') return;`, `compares the kind of a node with 'this'`],
  [`if (/block|body/.test(kindOf(tree, node))) return;`, 'looks for the kind of a node in a list or pattern'],
  [`const calls = new Set(['call_expression']);`, `names the kind of node 'call_expression'`],
  [
    `const calls = /^(call_expression|invocation_expression)$/;`,
    `has a pattern for the kind of node 'call_expression'`,
  ],
])('%s is refused, with a sentence', (planted, sentence) => {
  expect(wrongIn('reductions/tree/planted.ts', planted)[0]).toBe(
    `src/reductions/tree/planted.ts:1 ${sentence}. Add a field to the profiles in src/syntax/languages/ and read it here.`,
  );
});
