/** Deltas in the order of their weights. */
import { expect, test } from 'vitest';
import { heaviestLast } from '../../src/circumstances/heaviest-last.js';
import { editing } from '../../src/reductions/edits.js';

test('the heaviest delta is the last one, and everything else is as it was', () => {
  const text = 'aa bbbb c ddd';
  const edits = [0, 3, 8, 10].map(start => ({
    spans: [{ start, end: start + /\w+/.exec(text.slice(start))![0].length, text: '' }],
  }));
  const inner = editing('word', text, edits);
  const ordered = heaviestLast(inner);
  expect([...Array.from(ordered.weights!)]).toEqual([1, 2, 3, 4]);
  expect(ordered.build([0, 4])).toBe(text);
  expect(ordered.build([0, 3])).toBe('aa  c ddd');
  expect(ordered.build([1, 4])).toBe('aa bbbb  ddd');
  expect(ordered.describe!(3)).toBe(inner.describe!(1));
  expect(ordered.edited!.changes(0)[0]).toMatchObject({ start: 8 });
  expect(ordered.trace!([0, 3])).toEqual(inner.trace!([0, 1, 2, 4]));
});
