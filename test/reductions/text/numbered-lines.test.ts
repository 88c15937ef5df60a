import { expect, test } from 'vitest';
import { of } from '../../../src/core/index.js';
import { numberedLines } from '../../../src/reductions/text/numbered-lines.js';
import { withoutEach } from '../without-each.js';

const mesh = 'OFF\n5 2 0\n0 0 1\n0 1 1\n1 0 1\n1 1 1\n2 2 1\n3 0 1 2\n3 1 3 4\n';

test('a vertex goes with the faces that name it, and the numbers after it are one less', async () => {
  const found = await numberedLines(mesh, 0);
  expect(withoutEach(found)[0]).toBe('OFF\n4 1 0\n0 1 1\n1 0 1\n1 1 1\n2 2 1\n3 0 2 3\n');
  expect(found!.build(of([1, 3, 4]))).toBe('OFF\n3 1 0\n0 1 1\n1 1 1\n2 2 1\n3 0 1 2\n');
});

test('what is left of a mesh has one face', async () => {
  const one = mesh.replace('5 2 0', '5 1 0').replace('3 0 1 2\n', '');
  expect((await numberedLines(one, 0))!.build(of([1, 3, 4]))).toBe('OFF\n3 1 0\n0 1 1\n1 1 1\n2 2 1\n3 0 1 2\n');
});

test('the first number is 0 or 1, if the text does not show which', async () => {
  expect(withoutEach(await numberedLines(mesh, 1))).toEqual([]);
  const graph = '6 3\n3 5\n5 4\n5 5\n';
  expect(withoutEach(await numberedLines(graph, 0))[0]).toBe('5 3\n2 4\n4 3\n4 4\n');
  expect((await numberedLines(graph, 0))!.build(of([3, 4, 5]))).toBe('3 3\n0 2\n2 1\n2 2\n');
  expect((await numberedLines(graph, 1))!.build(of([2, 3, 4]))).toBe('3 3\n1 3\n3 2\n3 3\n');
});

test('lines that begin with a word are named by their place among those with this word', async () => {
  const text = `${'v 0.1 0.2\n'.repeat(3)}v 5 5\nvt 1 0\nvt 0 1\nvt 1 1\nvt 0 0\nf 1/2 2/2 4/4\nf 2/1 3/1 4/2\n`;
  const found = withoutEach(await numberedLines(text, 1));
  expect(found).toHaveLength(8);
  expect(found[0]).toContain('vt 0 0\n\nf 1/1 2/1 3/2\n');
  expect(found[6]).toContain('f 1/2 2/2 4/3\nf 2/1 3/1 4/2\n');
});

test('the variables of a formula may have a sign', async () => {
  const formula = 'p cnf 5 4\n1 -5 0\n-3 0\n3 5 0\n4 0\n';
  expect(withoutEach(await numberedLines(formula, 1))[1]).toBe('p cnf 4 4\n1 -4 0\n-2 0\n2 4 0\n3 0\n');
  expect(withoutEach(await numberedLines(formula, 1))[2]).toBe('p cnf 4 2\n1 -4 0\n3 0\n');
});

test('numbers that name nothing', async () => {
  expect(await numberedLines('4\n1.5\n2.5\n3.5\n4.5\n', 0)).toBeUndefined();
  expect(await numberedLines('5 words here and there 3\n', 1)).toBeUndefined();
  expect(await numberedLines('', 0)).toBeUndefined();
});
