import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { reduceCounterexample } from '../../src/library/fast-check.js';

/** A JSON document of about 20 KB with one record in it that the parser under test can't take. */
const documents = fc.constant(
  JSON.stringify(
    Array.from({ length: 300 }, (_, i) => ({
      id: i,
      name: `item ${i}`,
      tags: ['a', 'b'],
      price: i === 211 ? null : i,
    })),
  ),
);

function total(text: string): number {
  const items = JSON.parse(text) as readonly { readonly price?: { toFixed(n: number): string } }[];
  return items.reduce((sum, { price }) => sum + (price === undefined ? 0 : Number(price.toFixed(2))), 0);
}

test('a JSON document of 20 KB that fast-check cannot shrink becomes a few characters', async () => {
  const property = fc.property(documents, text => {
    let items: unknown;
    try {
      items = JSON.parse(text);
    } catch {
      fc.pre(false);
    }
    fc.pre(Array.isArray(items) && items.every(item => typeof item === 'object' && item !== null));
    return total(text) >= 0;
  });
  const details = fc.check(property);
  expect(details.failed).toBe(true);
  expect(details.counterexample![0].length).toBeGreaterThan(15_000);
  const { counterexample, tests, error } = await reduceCounterexample(property, details, { language: 'json' });
  console.info(`fast-check: ${details.counterexample![0].length} characters → ${counterexample[0]} in ${tests} runs`);
  expect(JSON.parse(counterexample[0])).toEqual([{ price: null }]);
  expect(String(error)).toContain('toFixed');
});

test('only strings are reduced, and an error of another kind does not count', async () => {
  const property = fc.property(fc.constant<string>('xxxBOOMxxx'), fc.constant(7), (text, n) => {
    if (text === '') throw new RangeError('empty');
    if (text.includes('B') && n === 7) throw new Error('boom');
  });
  const { counterexample } = await reduceCounterexample(property, fc.check(property));
  expect(counterexample).toEqual(['B', 7]);
});

test('an asynchronous property is reduced too; a property that holds is refused', async () => {
  const failing = fc.asyncProperty(fc.constant('one two three'), async text => !text.includes('w'));
  const details = await fc.check(failing);
  expect((await reduceCounterexample(failing, details)).counterexample).toEqual(['w']);
  const holding = fc.property(fc.string(), () => true);
  await expect(reduceCounterexample(holding, fc.check(holding))).rejects.toThrow('did not fail');
});
