/** The shape of the sources: no long parameter lists, no lists as arguments, short command files, and one sentence at the top of every file. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { readSources } from './imports.js';

const sources = readSources(fileURLToPath(new URL('../../src', import.meta.url)));
const most = 4;

function longIn(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && node.parameters.filter(each => each.name.getText() !== 'this').length > most) {
      const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
      found.push(named?.getText() ?? 'a function without a name');
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test(`no function has more than ${most} parameters`, () => {
  const found = [...sources].flatMap(([file, text]) => longIn(file, text).map(name => `${name} in ${file}`));
  expect(found).toEqual([]);
});

test('a planted function with five parameters is seen, as a function, a method and an arrow', () => {
  const five = '(a, b, c, d, e)';
  const text = `function one${five} {} class C { two${five} {} } const three = ${five} => a; const four = (a, b, c, d) => a;`;
  expect(longIn('planted.ts', text)).toEqual(['one', 'two', 'three']);
});

test('no command file is longer than 120 lines', () => {
  const files = [...sources].filter(([file]) => file.startsWith('cli/commands/'));
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter(([, text]) => text.split('\n').length > 121).map(([file]) => file)).toEqual([]);
});

test('every file opens with a sentence that says what it is for', () => {
  const wrong = [...sources].filter(([, text]) => !/^(#!.*\n)?\/\*\*[\s*]+\S+ \S+ \S+/.test(text));
  expect(wrong.map(([file]) => file)).toEqual([]);
});

/** Calls that take any number of values, with all values of a list: of a large input, they are more than the stack holds. */
function listsAsArguments(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [of, name] = [node.expression.expression.getText(), node.expression.name.text];
      const takesMany = of === 'Math' ? /^(min|max)$/ : /^(push|unshift|splice|concat)$/;
      if (takesMany.test(name) && node.arguments.some(ts.isSpreadElement)) found.push(`${of}.${name}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

test('no list is passed value by value: core/lists.ts has functions for lists of any length', () => {
  const found = [...sources].flatMap(([file, text]) => listsAsArguments(file, text).map(call => `${call} in ${file}`));
  // These are at most `mostTokens`.
  expect(found).toEqual(['tokens.splice in syntax/versions/changed-literals.ts']);
});

test('a planted list of arguments is seen', () => {
  const text = 'all.push(...more); Math.max(0, ...sizes); list.push(1, 2); f(...more);';
  expect(listsAsArguments('planted.ts', text)).toEqual(['all.push', 'Math.max']);
});
