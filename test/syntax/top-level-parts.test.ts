/** A large text that the parser can't read as a whole is read in parts. */
import { expect, test } from 'vitest';
import { errorKind } from '../../src/syntax/flat-tree.js';
import { languageFor } from '../../src/syntax/languages/index.js';
import { syntaxOf } from '../../src/syntax/syntax.js';
import { topLevelParts } from '../../src/syntax/top-level-parts.js';
import { unitsOf } from '../../src/syntax/units/units.js';

const space = (name: string, inside = ''): string =>
  `namespace ${name} {\n${Array.from({ length: 60 }, (_, i) => `struct s${i} { int member_${i}; const char* text = "}"; };\n`).join('')}${inside}}\n`;

test('it is cut after an outermost brace, and strings are no braces', () => {
  const parts = [space('a'), space('b'), `class c {\n${' int m;\n'.repeat(300)}} ;\n`, 'int d;\n'];
  const starts = topLevelParts(parts.join(''))!;
  expect(starts).toEqual([0, 1, 2, 3].map(i => parts.slice(0, i).join('').length));
});

test('small parts stay together, and braces that do not match can not be cut', () => {
  expect(topLevelParts('int a() {}\nint b() {}\n')).toEqual([0]);
  expect(topLevelParts('int a() {\n')).toBeUndefined();
  expect(topLevelParts('} int a;\n')).toBeUndefined();
});

test('what the parser gives up on does not spoil what follows it', async () => {
  // From the standard library of g++, after culprit.
  const broken = '{{<{b.a<\n    }int}\n\n\n\n\n\n\n \n\n\n\n\n \n\n\n\n\n\n\n\n}';
  const text = [space('a'), broken, ...'cdefghijk'.split('').map(name => space(name))].join('\n');
  const tree = await (await syntaxOf(languageFor('a.cpp', undefined))).tree(text);
  const errors = [...tree.kind.keys()].filter(node => tree.kind[node] === errorKind);
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.every(node => tree.end[node]! - tree.start[node]! < text.length / 8)).toBe(true);
  // Positions are those of the whole text.
  for (const node of errors) expect(tree.parent[node]).toBeLessThan(node);
  const declared = (await unitsOf(tree, text.length)).flatMap(({ declares }) => declares);
  expect(declared).toEqual(expect.arrayContaining(['d', 'k']));
  expect(tree.past[0]).toBe(tree.count);
});
