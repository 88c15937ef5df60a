/** Where a line of a file is in a text that a preprocessor made of several. */
import { expect, test } from 'vitest';
import { filesIn, offsetsOf } from '../../src/syntax/line-markers.js';

const lineAt = (text: string, offset: number): string => text.slice(offset, text.indexOf('\n', offset));

test('a text without markers has its own lines', () => {
  const text = 'int a;\nint b;\nint c;\n';
  const found = offsetsOf(text, 'dir/a.c');
  expect(found('a.c', 3).map(at => lineAt(text, at))).toEqual(['int c;']);
  expect(found('/elsewhere/a.c', 1)).toEqual([0]);
  expect(found('a.c', 9)).toEqual([]);
  expect(found('b.c', 1)).toEqual([]);
});

test('with markers, the lines are those of the files it was made from', () => {
  const text =
    '# 1 "a.c"\nint a;\n# 5 "/usr/include/b.h" 1 3\nint b5;\nint b6;\n# 2 "a.c" 2\nint a2;\n#line 7 "g.y"\nint g7;\n';
  const found = offsetsOf(text, 'a.i');
  expect([...filesIn(text)]).toEqual(['a.c', 'b.h', 'g.y']);
  const read = (file: string, line: number) => found(file, line).map(at => lineAt(text, at));
  expect(read('a.c', 2)).toEqual(['int a2;']);
  expect(read('b.h', 6)).toEqual(['int b6;']);
  expect(read('b.h', 4)).toEqual([]);
  expect(read('b.h', 7)).toEqual([]);
  expect(read('g.y', 7)).toEqual(['int g7;']);
});

test('a file that is included twice is in two places', () => {
  const text = '# 1 "b.h"\nint one;\n# 1 "b.h"\nint two;\n';
  expect(offsetsOf(text, 'a.i')('b.h', 1).map(at => lineAt(text, at))).toEqual(['int one;', 'int two;']);
});
