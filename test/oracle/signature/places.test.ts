/** The places that a failure names, in the words of real tools. */
import { expect, test } from 'vitest';
import { readOutput } from '../../../src/oracle/signature/output.js';
import { placesIn } from '../../../src/oracle/signature/places.js';

const linesIn = (text: string, name = 'a.c'): readonly number[] =>
  placesIn(readOutput(Buffer.from(text)), [name]).map(({ line }) => line);

test.each([
  ['gcc', 'a.c:12:3: internal compiler error: Segmentation fault\n   12 | int x;', 'a.c', [12]],
  ['gcc, from elsewhere', '/src/x/a.c:12:3: error: y\n/src/x/a.c:30:1:   required from here', 'a.c', [12, 30]],
  ['clang', "1.\t/t/a.c:7:1: parsing function body 'f'\n2.\t/t/a.c:7:9: in compound statement", 'a.c', [7]],
  ['tsc', 'src/a.ts(12,3): error TS2322: Type …', 'a.ts', [12]],
  ['Python', 'Traceback:\n  File "/t/a.py", line 5, in <module>\n  File "lib.py", line 9', 'a.py', [5]],
  ['Node', 'Error: x\n    at f (/t/a.js:3:9)\n    at Object.<anonymous> (/t/a.js:9:1)', 'a.js', [3, 9]],
  ['prettier', '[error] a.scss: SyntaxError: CssSyntaxError: Unknown word (44:7)', 'a.scss', [44]],
  ['Perl', 'syntax error at a.pl line 4, near "}"', 'a.pl', [4]],
  ['PHP', 'PHP Parse error:  syntax error in /t/a.php on line 6', 'a.php', [6]],
  ['a file of the tool itself', 'at g (/usr/lib/tool/b.js:3:9)', 'a.js', []],
  ['a longer name', 'at g (/usr/lib/tool/ba.js:3:9)', 'a.js', []],
  ['a warning', "a.c:5:1: warning: unused variable 'x'", 'a.c', []],
])('%s', (_, text, name, expected) => {
  expect(linesIn(text, name)).toEqual(expected);
});

test('of many, the first and the last', () => {
  const text = Array.from({ length: 40 }, (_, i) => `a.c:${i + 1}:1: error: x`).join('\n');
  expect(linesIn(text)).toEqual([1, 2, 3, 4, 5, 6, 35, 36, 37, 38, 39, 40]);
});

test('a long word is read once', () => {
  const text = Array.from({ length: 2_000 }, () => 'x'.repeat(2_000)).join('\n');
  expect(linesIn(`${text}\na.c:3:1: error`)).toEqual([3]);
});
