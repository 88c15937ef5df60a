import { expect, test } from 'vitest';
import { Counter } from '../../../src/engine/index.js';
import { budgetsOf } from '../../../src/plans/triage/budgets.js';
import type { Journal } from '../../../src/run/journal.js';

function noting() {
  const notes = new Map<string, unknown>();
  const journal = {
    noted: (name: string) => notes.get(name),
    note: (name: string, value: unknown) => notes.set(name, value),
  };
  return journal as unknown as Journal;
}
const spend = (counter: Counter, tests: number) => {
  for (let i = 0; i < tests; i++) counter.answered(`${counter.spent}`, 'pass', false);
};

test('the tests of a group are counted over all of its searches', () => {
  const counter = new Counter();
  const budgets = budgetsOf({ tests: 10 }, {}, { counter, journal: noting() });
  expect(budgets.limits('a', 'one').maxTests).toBe(10);
  spend(counter, 7);
  budgets.settle('a', 'one');
  expect(budgets.limits('a', 'two').maxTests).toBe(7 + 3);
  expect(budgets.limits('b', 'three').maxTests).toBe(7 + 10);
});

test('the budget of the whole run is the smaller one if it is', () => {
  const counter = new Counter();
  const budgets = budgetsOf({ tests: 10 }, { maxTests: 4 }, { counter, journal: noting() });
  expect(budgets.limits('a', 'one').maxTests).toBe(4);
  expect(budgets.isSpent()).toBe(false);
  spend(counter, 4);
  expect(budgets.isSpent()).toBe(true);
});

test('where time ran out is noted, and a resumed run stops at the same test', () => {
  const journal = noting();
  const counter = new Counter();
  const budgets = budgetsOf({ seconds: 0 }, {}, { counter, journal });
  const { outOfTime } = budgets.limits('a', 'one');
  spend(counter, 3);
  expect(outOfTime!()).toBe(true);
  budgets.settle('a', 'one');
  const resumed = budgetsOf({ seconds: 0 }, {}, { counter: new Counter(), journal }).limits('a', 'one');
  expect(resumed.maxTests).toBe(3);
  expect(resumed.outOfTime!()).toBe(false);
});
