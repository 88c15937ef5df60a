/** The shape of the sources: no long parameter lists, short command files, and one sentence at the top of every file. */
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
