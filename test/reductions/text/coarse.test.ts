import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Edit, gainOf } from '../../../src/reductions/edits.js';
import { coarse } from '../../../src/reductions/text/coarse.js';

const deletion = (start: number, end: number): Edit => ({ spans: [{ start, end, text: '' }] });
const spansOf = (edits: readonly Edit[]) => edits.map(({ spans }) => spans.map(({ start, end }) => [start, end]));

test('small deletions side by side go together, a large one stays by itself, a small rest is left out', () => {
  const edits = [deletion(0, 4), deletion(4, 8), deletion(8, 30), deletion(30, 34), deletion(34, 38), deletion(40, 42)];
  expect(spansOf(coarse(edits, 8))).toEqual([
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
  expect(spansOf(coarse(edits, 8))).toEqual([
    [
      [10, 14],
      [16, 20],
    ],
    [[8, 24]],
  ]);
});

test('every edit takes enough away, and what is deleted was offered for deletion', () => {
  const trees = fc.array(fc.tuple(fc.nat(90), fc.integer({ min: 1, max: 30 })), { maxLength: 40 });
  fc.assert(
    fc.property(trees, fc.integer({ min: 1, max: 40 }), (list, least) => {
      const edits = list.map(([start, length]) => deletion(start, start + length));
      const offered = new Set(spansOf(edits).flat().map(String));
      for (const edit of coarse(edits, least)) {
        expect(gainOf(edit)).toBeGreaterThanOrEqual(least);
        let end = -1;
        for (const span of edit.spans) {
          expect(offered).toContain(String([span.start, span.end]));
          expect(span.start).toBeGreaterThanOrEqual(end);
          end = span.end;
        }
      }
    }),
  );
});
