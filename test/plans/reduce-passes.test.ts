import { expect, test } from 'vitest';
import { reducePasses } from '../../src/plans/reduce/passes.js';

const fileOf = (path: string, text: string) => ({
  files: new Map([[path, { kind: 'file' as const, bytes: Buffer.from(text) }]]),
});

const orderOf = async (path: string, text: string): Promise<readonly string[]> => {
  return (await reducePasses(fileOf(path, text), {})).map(({ name }) => name);
};

test('if names are checked, what is complete by name is asked for before what is not', async () => {
  const order = await orderOf('a.cpp', 'int a;');
  expect(order.indexOf('slices')).toBeLessThan(order.indexOf('halves'));
});

test('otherwise halves come first', async () => {
  const order = await orderOf('a.js', 'let a;');
  expect(order.indexOf('halves')).toBeLessThan(order.indexOf('slices'));
});

test('a file by itself is one, whatever letters it has', async () => {
  const functions = Array.from({ length: 900 }, (_, i) => `int f${i}() { return ${i}; }`).join('\n');
  const offered = async (letter: string) => {
    const file = fileOf('a.cpp', `${functions}\nconst char *s = "${letter}";\nint main() { return f7(); }\n`);
    const found = [];
    for (const pass of await reducePasses(file, {})) if (pass.leads && (await pass.over(file))) found.push(pass.name);
    return found;
  };
  const plain = await offered('e');
  expect(plain).toContain('what the end uses');
  expect(await offered('é')).toEqual(plain);
});
