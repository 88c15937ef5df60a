import { expect, test } from 'vitest';
import { empty } from '../../../src/core/index.js';
import { countedItems } from '../../../src/reductions/text/counted.js';
import { withoutEach } from '../without-each.js';

const each = (text: string) => withoutEach(countedItems(text));

test('words after their number, in the same line or in the next one', () => {
  expect(each('3 a b c\n')).toEqual(['2 b c\n', '2 a c\n', '2 a b\n']);
  expect(each('2\n7 8\n')).toEqual(['1\n8\n', '1\n7\n']);
});

test('lines after their number, if they are all that follow, or alike', () => {
  expect(each('p cnf 9 2\n1 -2 0\n2 0\n')).toEqual(['p cnf 9 1\n2 0\n', 'p cnf 9 1\n1 -2 0\n']);
  expect(each('2 x\na b c\nd e f\nend of it all\n')).toEqual([
    '1 x\nd e f\nend of it all\n',
    '1 x\na b c\nend of it all\n',
  ]);
});

test('rows and columns of a matrix have numbers of their own', () => {
  expect(each('2 3\na b c\nd e f\n')).toEqual([
    '1 3\nd e f\n',
    '1 3\na b c\n',
    '2 2\nb c\ne f\n',
    '2 2\na c\nd f\n',
    '2 2\na b\nd e\n',
  ]);
});

test('letters are the cells of a map, and of a square a row goes with its column', () => {
  expect(each('2 3\n#.a\n..b\n')).toEqual([
    '1 3\n..b\n',
    '1 3\n#.a\n',
    '2 2\n.a\n.b\n',
    '2 2\n#a\n.b\n',
    '2 2\n#.\n..\n',
  ]);
  expect(each('3\n0 1 2\n3 4 5\n6 7 8\n')).toEqual(['2\n4 5\n7 8\n', '2\n0 2\n6 8\n', '2\n0 1\n3 4\n']);
});

test('test cases, and the items of each', () => {
  const found = each('2\n2\n5 6\n1\n7\n');
  expect(found).toContain('1\n1\n7\n');
  expect(found).toContain('1\n2\n5 6\n');
  expect(found).toContain('2\n1\n6\n1\n7\n');
});

test('an incomplete last test case, and too few lines, still belong to their number', () => {
  expect(each('9\n2\n5 6\n1\n7\n3\n')).toContain('8\n1\n7\n3\n');
  expect(each('9 x\na\nb\nc\n')).toEqual(['8 x\nb\nc\n', '8 x\na\nc\n', '8 x\na\nb\n']);
});

test('all items gone leave their number at zero', () => {
  expect(countedItems('2\n7 8\n')!.build(empty)).toBe('0\n\n');
});

test('numbers that count nothing', () => {
  expect(each('12 apples\nand pears\n')).toEqual([]);
  expect(each('3\na\n')).toEqual([]);
  expect(each('')).toEqual([]);
  expect(each('0\n')).toEqual([]);
  // Here and there, a number of a log fits.
  expect(each(`2 a b\n${'took 12 seconds\n'.repeat(9)}`)).toEqual([]);
});

test('a large list is read without delay in proportion to its square', () => {
  const count = 100_000;
  expect(countedItems(`${count}\n${'1 '.repeat(count).trim()}\n`)!.count).toBe(count);
  expect(countedItems(`${count}\n${'5 5\n'.repeat(count)}`)!.count).toBe(count);
}, 60_000);
