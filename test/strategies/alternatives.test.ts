/** Strategies that ask one large question first. */
import { expect, test } from 'vitest';
import { all, type Configuration, deltasOf, has, type Outcome, runInOrder, size } from '../../src/core/index.js';
import { allFirst, exchange, sweep } from '../../src/strategies/index.js';

const asking = (fails: (configuration: Configuration) => boolean) => {
  const asked: number[][] = [];
  const ask = (configuration: Configuration): Outcome => {
    asked.push([...deltasOf(configuration)]);
    return fails(configuration) ? 'fail' : 'pass';
  };
  return { asked, ask };
};
const quick = sweep({ prove: false, patience: 8, halves: true });

test('exchange: the others take the place of the last delta, and then as few of them as are needed', () => {
  const { asked, ask } = asking(configuration => has(configuration, 3));
  const { result } = runInOrder(exchange(quick), all(9), ask);
  expect([...deltasOf(result)]).toEqual([3]);
  expect(asked[0]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(asked.flat()).not.toContain(8);
});

test('exchange: if the last delta is needed, one question is asked', () => {
  const { asked, ask } = asking(configuration => has(configuration, 8));
  expect(size(runInOrder(exchange(quick), all(9), ask).result)).toBe(9);
  expect(asked).toHaveLength(1);
  expect(size(runInOrder(exchange(quick), all(1), ask).result)).toBe(1);
});

test('all-first: nothing at all, or what another strategy finds', () => {
  const free = asking(() => true);
  expect(size(runInOrder(allFirst(quick), all(20), free.ask).result)).toBe(0);
  expect(free.asked).toEqual([[]]);
  const bound = asking(configuration => has(configuration, 4));
  expect([...deltasOf(runInOrder(allFirst(sweep()), all(20), bound.ask).result)]).toEqual([4]);
  expect(bound.asked[0]).toEqual([]);
});
