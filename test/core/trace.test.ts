import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blankLines, characters, lines, tokens } from '../../src/circumstances/text.js';
import { type Circumstance, of } from '../../src/core/index.js';
import { compose, type Trace, textOf, without } from '../../src/core/trace.js';
import { editing } from '../../src/reductions/edits.js';

/** Every character is another one, so that a text says where it comes from. */
const distinct = Array.from({ length: 60 }, (_, i) => (i % 9 === 8 ? '\n' : String.fromCodePoint(0x100 + i))).join('');

const text = fc.array(fc.constantFrom('a', 'b ', ' ', '\n', '\n\n', '(', ')', '😀', '\r\n'), { maxLength: 30 });
const configuration = fc.array(fc.nat(80)).map(deltas => of([...new Set(deltas)].sort((a, b) => a - b)));
const edit = fc
  .record({ start: fc.nat(55), length: fc.nat(12), text: fc.constantFrom('', ' ', 'new', '-') })
  .map(({ start, length, text: put }) => ({ spans: [{ start, end: Math.min(60, start + length), text: put }] }));

const within = (deltas: readonly number[], { count }: Circumstance<string>) => {
  const ranges: number[] = [];
  for (let i = 0; i < deltas.length; i += 2)
    if (deltas[i]! < count) ranges.push(deltas[i]!, Math.min(count, deltas[i + 1]!));
  return ranges;
};

test('A trace spells what was built, for every way to cut a text.', () => {
  fc.assert(
    fc.property(text, configuration, (parts, deltas) => {
      const base = parts.join('');
      for (const cut of [lines, tokens, characters, blankLines]) {
        const circumstance = cut(base);
        if (!circumstance) continue;
        const kept = within(deltas, circumstance);
        expect(textOf(circumstance.trace!(kept), base)).toBe(circumstance.build(kept));
      }
    }),
  );
});

test('A trace of edits that overlap spells what was built, and marks as kept only what was there.', () => {
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 8 }), configuration, (edits, deltas) => {
      const circumstance = editing('edit', distinct, edits);
      const kept = within(deltas, circumstance);
      const trace = circumstance.trace!(kept);
      expect(textOf(trace, distinct)).toBe(circumstance.build(kept));
      const ranges = trace.flatMap(part => ('text' in part ? [] : [part.start, part.end]));
      expect(ranges).toEqual([...ranges].sort((a, b) => a - b));
    }),
  );
});

test('A chain of edits as one trace spells the last text, however long the chain is.', () => {
  const chain = fc.array(fc.tuple(fc.array(edit, { maxLength: 4 }), configuration, fc.boolean()), { maxLength: 6 });
  fc.assert(
    fc.property(chain, steps => {
      let now = distinct;
      let whole: Trace = [{ start: 0, end: distinct.length }];
      for (const [edits, deltas, byLine] of steps) {
        const inside = edits.filter(({ spans }) => spans.every(span => span.end <= now.length));
        const circumstance = byLine ? lines(now) : editing('edit', now, inside);
        const kept = within(deltas, circumstance);
        whole = compose(whole, circumstance.trace!(kept)) as Trace;
        now = circumstance.build(kept)!;
        expect(textOf(whole, distinct)).toBe(now);
      }
    }),
  );
});

test('What nobody knows stays unknown, and what stayed the same changes nothing.', () => {
  const trace = [{ start: 1, end: 2 }];
  expect(compose('unknown', trace)).toBe('unknown');
  expect(compose(trace, 'unknown')).toBe('unknown');
  expect(compose('same', trace)).toBe(trace);
  expect(compose(trace, 'same')).toBe(trace);
});

test('A pattern is cut out, and the rest keeps its place.', () => {
  expect(without('a--b-c', /-+/g)).toEqual([
    { start: 0, end: 1 },
    { start: 3, end: 4 },
    { start: 5, end: 6 },
  ]);
});
