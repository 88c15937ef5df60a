import { expect, test } from 'vitest';
import { inTurn } from '../../src/circumstances/in-turn.js';
import { inTwoSteps } from '../../src/circumstances/in-two-steps.js';
import { lines } from '../../src/circumstances/text.js';
import { all, empty } from '../../src/core/index.js';
import { textOf } from '../../src/core/trace.js';

const text = 'a\nb\nc\nd\n';
const first = lines('a\nb\nc\nd\n')!;
// What is left by the first one is nothing; a slice of another text stands for what follows it.
const emptied = {
  ...first,
  count: 1,
  build: (kept: readonly number[]) => (kept.length > 0 ? text : 'a\nc\nd\n'),
  trace: (kept: readonly number[]) =>
    kept.length > 0
      ? [{ start: 0, end: 8 }]
      : [
          { start: 0, end: 2 },
          { start: 4, end: 8 },
        ],
};
const slice = inTwoSteps(lines('a\nc\nd\n')!, { alone: [1, 2], complete: [1, 3], described: ['x', 'y'] });

test('both deltas left out are the slice, and the second one alone what comes before it', () => {
  const both = inTurn(emptied, slice);
  expect(both.build(all(2))).toBe(text);
  expect(both.build(empty)).toBe('c\nd\n');
  expect(both.build([0, 1])).toBe('a\nc\nd\n');
  expect(both.build([1, 2])).toBeUndefined();
  for (const kept of [all(2), empty, [0, 1]]) expect(textOf(both.trace!(kept), text)).toBe(both.build(kept));
});
