import fc from 'fast-check';
import { expect, test } from 'vitest';
import { empty, of } from '../../src/core/index.js';
import { type Edit, editing } from '../../src/reductions/edits.js';
import { cut, disjoint } from '../../src/syntax/text-cut.js';

const deletion = (start: number, end: number): Edit => ({ spans: [{ start, end, text: '' }] });

test('two declarations on one line that share a blank can both go, and leave nothing of themselves', () => {
  const text = 'int a; extern int b;\nint c;';
  const whole = [cut(text, 0, 6), cut(text, 7, 20)].map(span => ({ spans: [span] }));
  expect(editing('node', text, [...whole, deletion(14, 19)]).build(empty)).toBe('\nint c;');
});

test('elements of a list that claim the same comma leave none behind', () => {
  const text = 'f(a, b, c)';
  const list = editing('node', text, [deletion(2, 5), deletion(3, 6), deletion(6, 9)]);
  expect([of([2]), of([0]), of([1]), empty].map(kept => list.build(kept))).toEqual(['f(c)', 'f(a)', 'f(b)', 'f()']);
});

test('the words around a union of deletions stay apart', () => {
  const text = 'var a, b, c';
  const list = editing('node', text, [deletion(3, 6), deletion(5, 8), deletion(8, 11)]);
  expect([of([2]), of([0]), of([1])].map(kept => list.build(kept))).toEqual(['var c', 'var a', 'var b']);
});

test('what is left of a deletion after an outer one does not take the end of a line with it', () => {
  const text = 'x; if a:\n  b\nc';
  expect(editing('node', text, [deletion(2, 12), deletion(9, 13)]).build(empty)).toBe('x;\nc');
});

test('a replacement that begins in a deletion is not made', () => {
  const replacement: Edit = { spans: [{ start: 2, end: 6, text: 'x' }] };
  expect(editing('node', '0123456789', [deletion(0, 4), replacement]).build(empty)).toBe('456789');
});

test('of two replacements for one place the shorter is made, so asking for the longer one as well changes nothing', () => {
  const place = (text: string): Edit => ({ spans: [{ start: 2, end: 6, text }] });
  const { build } = editing('substitute', 'f(long)', [place('{}'), place('0')]);
  expect([of([0]), empty].map(build)).toEqual(['f(0)', 'f(0)']);
  expect(build(of([1]))).toBe('f({})');
});

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const parts = fc.array(fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 12 })), { minLength: 1, maxLength: 20 });
const spansOf = (list: readonly (readonly [number, number])[]) =>
  list.map(([start, length]) => ({ start, end: Math.min(letters.length, start + length), text: '' }));
const without = (spans: readonly { readonly start: number; readonly end: number }[]) =>
  [...letters].filter((_, at) => !spans.some(({ start, end }) => start <= at && at < end)).join('');

test('the deletions that are made take exactly their union away', () => {
  fc.assert(
    fc.property(parts, fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }), (list, kept) => {
      const spans = spansOf(list);
      const circumstance = editing(
        'node',
        letters,
        spans.map(span => ({ spans: [span] })),
      );
      const configuration = of(spans.flatMap((_, delta) => (kept[delta] ? [delta] : [])));
      expect(circumstance.build(configuration)).toBe(without(spans.filter((_, delta) => !kept[delta])));
    }),
  );
});

test('spans of one edit become disjoint without losing a letter, also where a blank stands for one of them', () => {
  fc.assert(
    fc.property(parts, fc.array(fc.constantFrom('', ' '), { minLength: 20, maxLength: 20 }), (list, texts) => {
      const spans = spansOf(list).map((span, i) => ({ ...span, text: texts[i]! }));
      const result = disjoint(spans);
      expect(without(result)).toBe(without(spans));
      for (let i = 1; i < result.length; i++) expect(result[i]!.start).toBeGreaterThanOrEqual(result[i - 1]!.end);
    }),
  );
});
