import { expect, test } from 'vitest';
import { bytesOf } from '../../../src/core/artifact.js';
import { reducePasses } from '../../../src/plans/reduce/passes.js';
import { simplify } from '../../../src/plans/simplify.js';
import { identify } from '../../../src/sources/files.js';

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

test('of many files that do not know each other, whole files go before anything is read in them', async () => {
  const folder = (count: number) => ({
    files: new Map(
      Array.from({ length: count }, (_, i) => [
        `${i}.txt`.padStart(8, '0'),
        { kind: 'file' as const, bytes: Buffer.from('2\none\ntwo\n'.repeat(300)) },
      ]),
    ),
  });
  const many = folder(100);
  const found: string[] = [];
  const asked = simplify(many, await reducePasses(many, {}), async () => ({ outcome: 'pass' }), {
    identify,
    identifyIgnoringWhitespace: identify,
    measure: bytesOf,
    maxTests: 20,
  });
  for (let step = await asked.next(); !step.done; step = await asked.next())
    if (step.value.type === 'pass') found.push(step.value.pass);
  expect(found[0]).toBe('files');
  const leading = async (count: number) =>
    (await reducePasses(folder(count), {})).find(({ name }) => name === 'files')?.leads;
  expect([await leading(100), await leading(20)]).toEqual([true, false]);
});
