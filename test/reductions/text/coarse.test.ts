import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Edit, gainOf } from '../../../src/reductions/edits.js';
import { groupEdits, wholeParts } from '../../../src/reductions/text/coarse.js';

const deletion = (start: number, end: number): Edit => ({ spans: [{ start, end, text: '' }] });
const spansOf = (edits: readonly Edit[]) => edits.map(({ spans }) => spans.map(({ start, end }) => [start, end]));

test('small deletions side by side go together, a large one stays by itself, a small rest is left out', () => {
  const edits = [deletion(0, 4), deletion(4, 8), deletion(8, 30), deletion(30, 34), deletion(34, 38), deletion(40, 42)];
  expect(spansOf(groupEdits(edits, () => 8))).toEqual([
    [
      [0, 4],
      [4, 8],
    ],
    [[8, 30]],
    [
      [30, 34],
      [34, 38],
    ],
  ]);
});

test('what lies in a large part does not go together with what lies outside of it', () => {
  const inside = [deletion(10, 14), deletion(16, 20)];
  const edits = [deletion(0, 4), ...inside, deletion(8, 24), deletion(25, 29)];
  expect(spansOf(groupEdits(edits, () => 8))).toEqual([
    [
      [10, 14],
      [16, 20],
    ],
    [[8, 24]],
  ]);
});

test('neighbours that share a blank both go as a whole, and nothing inside of them goes instead', () => {
  // `extern int a; extern int b;`, and the two words of the second declaration.
  const edits = [deletion(0, 14), deletion(13, 27), deletion(14, 20), deletion(20, 25)];
  expect(spansOf(groupEdits(edits, () => 20))).toEqual([[[0, 27]]]);
});

test('every edit takes enough away, and a group is a union of whole deltas', () => {
  const trees = fc.array(fc.tuple(fc.nat(90), fc.integer({ min: 1, max: 30 })), { maxLength: 40 });
  const positions = (edits: readonly Edit[]) =>
    new Set(edits.flatMap(({ spans }) => spans.flatMap(({ start, end }) => range(start, end))));
  fc.assert(
    fc.property(trees, fc.integer({ min: 1, max: 40 }), (list, least) => {
      const edits = list.map(([start, length]) => deletion(start, start + length));
      for (const edit of groupEdits(edits, () => least)) {
        expect(gainOf(edit)).toBeGreaterThanOrEqual(least);
        const taken = positions([edit]);
        expect(taken.size).toBe(gainOf(edit));
        const whole = edits.filter(({ spans }) => range(spans[0]!.start, spans[0]!.end).every(at => taken.has(at)));
        expect(positions(whole)).toEqual(taken);
      }
    }),
  );
});

const range = (start: number, end: number) => Array.from({ length: end - start }, (_, i) => start + i);

test('whole parts do not contain each other, and what is too large is taken apart', () => {
  const edits = [
    [0, 100],
    [5, 40],
    [10, 20],
    [40, 60],
    [60, 90],
    [62, 70],
  ].map(([start, end]) => ({ spans: [{ start: start!, end: end!, text: '' }] }));
  expect(spansOf(wholeParts(edits, 50))).toEqual(spansOf([edits[1]!, edits[3]!, edits[4]!]));
});
