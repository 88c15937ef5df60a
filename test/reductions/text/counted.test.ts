import { expect, test } from 'vitest';
import { empty } from '../../../src/core/index.js';
import { countedItems } from '../../../src/reductions/text/counted.js';
import { withoutEach } from '../without-each.js';

const each = async (text: string) => withoutEach(await countedItems(text));

test('words after their number, in the same line or in the next one', async () => {
  expect(await each('3 a b c\n')).toEqual(['2 b c\n', '2 a c\n', '2 a b\n']);
  expect(await each('2\n7 8\n')).toEqual(['1\n8\n', '1\n7\n']);
});

test('lines after their number, if they are all that follow, or alike', async () => {
  expect(await each('p cnf 9 2\n1 -2 0\n2 0\n')).toEqual(['p cnf 9 1\n2 0\n', 'p cnf 9 1\n1 -2 0\n']);
  expect(await each('2 x\na b c\nd e f\nend of it all\n')).toEqual([
    '1 x\nd e f\nend of it all\n',
    '1 x\na b c\nend of it all\n',
  ]);
});

test('rows and columns of a matrix have numbers of their own', async () => {
  expect(await each('2 3\na b c\nd e f\n')).toEqual([
    '1 3\nd e f\n',
    '1 3\na b c\n',
    '2 2\nb c\ne f\n',
    '2 2\na c\nd f\n',
    '2 2\na b\nd e\n',
  ]);
});

test('letters are columns too, and numbers of rows and columns may be the other way round, with a line between', async () => {
  expect(await each('2 3\n#..\n.#.\n')).toEqual([
    '1 3\n.#.\n',
    '1 3\n#..\n',
    '2 2\n..\n#.\n',
    '2 2\n#.\n..\n',
    '2 2\n#.\n.#\n',
  ]);
  const image = await each('P2\n3 2\n255\n1 2 3\n4 5 6\n');
  expect(image).toContain('P2\n2 2\n255\n2 3\n5 6\n');
  expect(image).toContain('P2\n3 1\n255\n4 5 6\n');
});

test('of a square, a row goes with its column', async () => {
  expect(await each('3\n0 1 2\n3 4 5\n6 7 8\n')).toEqual(['2\n4 5\n7 8\n', '2\n0 2\n6 8\n', '2\n0 1\n3 4\n']);
});

test('in a log, a number that fits here and there counts nothing', async () => {
  expect(await each(`2 a b\n${'took 12 seconds\n'.repeat(9)}`)).toEqual([]);
});

test('the second number may count what comes after what the first one counts', async () => {
  const queries = await each('3 2\n7 8 9\n1 2\n2 3\n');
  expect(queries).toContain('2 2\n8 9\n1 2\n2 3\n');
  expect(queries).toContain('3 1\n7 8 9\n2 3\n');
  expect(await each('2 2\n0 0 0\n1 1 1\n2 0 1 9\n2 1 0 9\n')).toContain('2 1\n0 0 0\n1 1 1\n2 1 0 9\n');
});

test('test cases, and the items of each', async () => {
  const found = await each('2\n2\n5 6\n1\n7\n');
  expect(found).toContain('1\n1\n7\n');
  expect(found).toContain('1\n2\n5 6\n');
  expect(found).toContain('2\n1\n6\n1\n7\n');
});

test('an incomplete last test case, and too few lines, still belong to their number', async () => {
  expect(await each('9\n2\n5 6\n1\n7\n3\n')).toContain('8\n1\n7\n3\n');
  expect(await each('9 x\na\nb\nc\n')).toEqual(['8 x\nb\nc\n', '8 x\na\nc\n', '8 x\na\nb\n']);
});

test('all items gone leave their number at zero', async () => {
  expect((await countedItems('2\n7 8\n'))!.build(empty)).toBe('0\n\n');
});

test('numbers that count nothing', async () => {
  expect(await each('12 apples\nand pears\n')).toEqual([]);
  expect(await each('3\na\n')).toEqual([]);
  expect(await each('line 4 of nothing\nline 2 of nothing\n')).toEqual([]);
  expect(await each('')).toEqual([]);
  expect(await each('0\n')).toEqual([]);
});

test('a large list is read without delay in proportion to its square', async () => {
  const count = 150_000;
  expect((await countedItems(`${count}\n${'1 '.repeat(count).trim()}\n`))!.count).toBe(count);
  expect((await countedItems(`${count}\n${'5 5\n'.repeat(count)}`))!.count).toBe(count);
  // Nearly every line has a number that could count the lines after it.
  expect(await countedItems(`${count}\n`.repeat(count))).toBeUndefined();
  expect(await countedItems(Array.from({ length: count }, (_, i) => `${i} 7${i}\n`).join(''))).toBeDefined();
  expect(await countedItems(`${'90000\n1\n'.repeat(count / 2)}x\n`)).toBeDefined();
}, 60_000);
