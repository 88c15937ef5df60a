import { expect, test } from 'vitest';
import { reducePasses } from '../../src/plans/reduce/passes.js';

const orderOf = async (path: string, text: string): Promise<readonly string[]> => {
  const files = new Map([[path, { kind: 'file' as const, bytes: Buffer.from(text) }]]);
  return (await reducePasses({ files }, {})).map(({ name }) => name);
};

test('if names are checked, what is complete by name is asked for before what is not', async () => {
  const order = await orderOf('a.cpp', 'int a;');
  expect(order.indexOf('slices')).toBeLessThan(order.indexOf('halves'));
});

test('otherwise halves come first', async () => {
  const order = await orderOf('a.js', 'let a;');
  expect(order.indexOf('halves')).toBeLessThan(order.indexOf('slices'));
});
