import { expect, test } from 'vitest';
import { searches } from './flaky-search.js';

/** Runs that a plain sequential test takes which knows the rates beforehand (α 1e-4, β 1e-3), for sweep. */
const known = [
  [0.9, 0, 510],
  [0.7, 0, 735],
  [0.5, 0, 1201],
  [0.95, 0.05, 477],
  [0.9, 0.1, 594],
] as const;

test.each(known)('with a failure that shows at %d and a background of %d, searches end right', (q, p, most) => {
  const sweep = searches('sweep', 'sequential', { q, p }, 100);
  expect(sweep.exact).toBeGreaterThanOrEqual(0.99);
  expect(sweep.runs).toBeLessThanOrEqual(most);
  // A search by dd takes a fifth of the runs, so there are more of them to count.
  expect(searches('dd', 'sequential', { q, p }, 400).exact).toBeGreaterThanOrEqual(0.99);
});

test('looking for the failure several times makes it worse if there is a background', () => {
  expect(searches('sweep', 'any of 3', { q: 0.95, p: 0.05 }, 40).exact).toBeLessThan(0.1);
});
