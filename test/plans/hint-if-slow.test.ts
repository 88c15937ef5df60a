import { afterEach, expect, test, vi } from 'vitest';
import { hintIfSlow } from '../../src/plans/hint-if-slow.js';

afterEach(() => void vi.useRealTimers());

test('a first run that does not end is answered with a hint, and one that ends is not', async () => {
  vi.useFakeTimers();
  const said: string[] = [];
  expect(await hintIfSlow(Promise.resolve(1), line => said.push(line))).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said).toEqual([]);
  const slow = hintIfSlow(new Promise<number>(resolve => setTimeout(resolve, 30_000, 2)), line => said.push(line));
  await vi.advanceTimersByTimeAsync(30_000);
  expect([await slow, said.length]).toEqual([2, 1]);
  expect(said[0]).toContain('--hang');
});
