import { expect, test } from 'vitest';
import { all, type Configuration, has, type Outcome, runInOrder, size } from '../../src/core/index.js';
import { sweep } from '../../src/strategies/index.js';

/** Fails while all of these are there. */
const needing =
  (deltas: readonly number[]) =>
  (configuration: Configuration): Outcome =>
    deltas.every(delta => has(configuration, delta)) ? 'fail' : 'pass';

const runs = (n: number, deltas: readonly number[]) => ({
  walk: runInOrder(sweep({ prove: false }), all(n), needing(deltas)),
  halves: runInOrder(sweep({ prove: false, halves: true }), all(n), needing(deltas)),
});
const until = (
  left: number,
  transcript: readonly { readonly outcome: Outcome; readonly configuration: Configuration }[],
) => transcript.findIndex(({ outcome, configuration }) => outcome === 'fail' && size(configuration) <= left);

test('halves come to a cause that stands close together with one or two questions for each halving', () => {
  const cluster = Array.from({ length: 24 }, (_, i) => 968 + i);
  const { walk, halves } = runs(1024, cluster);
  expect(halves.result).toEqual(walk.result);
  expect(until(64, halves.transcript)).toBeLessThan(2 * Math.log2(1024 / 64));
  expect(until(64, walk.transcript)).toBeGreaterThan(20);
});

test('halves gallop to a cause at one end, and to one at the back in two questions if the front is asked first', () => {
  const [first, last] = [needing([1]), needing([4095])];
  const galloping = runInOrder(sweep({ prove: false, halves: true }), all(4096), first);
  expect(until(2, galloping.transcript)).toBeLessThan(8);
  const { transcript } = runInOrder(sweep({ prove: false, halves: 'front' }), all(4096), last);
  expect(until(16, transcript)).toBe(1);
});

test('a gallop that is refused costs one question', () => {
  const middle = needing([500]);
  const { transcript, result } = runInOrder(sweep({ prove: false, halves: 'front' }), all(1024), middle);
  expect(result).toEqual([500, 501]);
  expect(transcript.length).toBeLessThan(2 * Math.log2(1024) + 4);
});

test('where both halves are needed, halves cost one question', () => {
  const even = Array.from({ length: 128 }, (_, i) => 2 * i);
  const { walk, halves } = runs(256, even);
  expect(halves.result).toEqual(walk.result);
  // The other half is the walk's own first question.
  expect(halves.transcript.length - walk.transcript.length).toBeLessThanOrEqual(2);
});

test('if nearly everything is needed and that is expected, the walk asks for single deltas, and they are the proof', () => {
  const n = 64;
  const needed = Array.from({ length: n - 1 }, (_, i) => i);
  const { transcript, result } = runInOrder(sweep({ expected: 0.8 * n }), all(n), needing(needed));
  expect(size(result)).toBe(n - 1);
  expect(new Set(transcript.map(({ configuration }) => `${configuration}`)).size).toBeLessThanOrEqual(n + 2);
});

test('neighbours that can only be removed together are removed if they are a lane', () => {
  const test = (configuration: Configuration): Outcome =>
    [0, 1, 2, 3].every(delta => has(configuration, delta)) ||
    ([0, 1, 2, 3].every(delta => !has(configuration, delta)) && size(configuration) > 0)
      ? needing([4, 5, 6, 7])(configuration)
      : 'pass';
  const dense = { lanes: 2, expected: 6.4 };
  expect(runInOrder(sweep(dense), all(8), test).result).toEqual([0, 8]);
  expect(runInOrder(sweep({ ...dense, wholeLanes: true }), all(8), test).result).toEqual([4, 8]);
});
