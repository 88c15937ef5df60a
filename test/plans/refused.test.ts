import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inFile } from '../../src/circumstances/files.js';
import { lines, tokens } from '../../src/circumstances/text.js';
import type { Artifact } from '../../src/core/artifact.js';
import { all, type Circumstance, of } from '../../src/core/index.js';
import { nothingRefused, refuse, refusedAfter, refusedIn } from '../../src/plans/refused.js';
import { editing } from '../../src/reductions/edits.js';

/** The deltas that were refused before, among those of a circumstance. */
const knownIn = (
  refused: ReturnType<typeof refuse>,
  circumstance: Circumstance<string>,
  isLast = false,
): readonly number[] => {
  const isKnown = refusedIn(refused, circumstance, isLast);
  return Array.from({ length: circumstance.count }, (_, delta) => delta).filter(delta => isKnown?.(delta) === true);
};

/** All deltas of a circumstance, refused one at a time. */
const refuseEach = (circumstance: Circumstance<string>) =>
  refuse(nothingRefused, {
    circumstance,
    best: all(circumstance.count),
    refusedSets: Array.from({ length: circumstance.count }, (_, delta) => of([delta])),
  });

test('a refused edit is recognised after any others were made, wherever it then is', () => {
  const name = fc.constantFrom('alpha', 'beta', 'gamma', 'delta');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 12 }),
      fc.constantFrom(' ', '\n', '  \n'),
      (parts, gap) => {
        const words = parts.map(([word], i) => `${word}${i}`);
        const text = words.join(gap);
        const refused = refuseEach(tokens(text));
        // Some words are removed, some get a shorter name.
        const spans = words.map(word => ({ start: text.indexOf(word), end: text.indexOf(word) + word.length }));
        const accepted = parts.flatMap(([, gone, shorter], i) =>
          gone
            ? [{ spans: [{ ...spans[i]!, text: '' }] }]
            : shorter
              ? [{ spans: [{ ...spans[i]!, text: `x${i}` }] }]
              : [],
        );
        const change = editing('edit', text, accepted);
        const after = refusedAfter(refused, change, []);
        const left = tokens(change.build([])!);
        const known = knownIn(after, left).map(delta => left.describe!(delta));
        expect(known).toEqual(parts.flatMap(([, gone, shorter], i) => (gone ? [] : [shorter ? `x${i}` : words[i]!])));
      },
    ),
    { numRuns: 100 },
  );
});

test('a set is refused as one delta only if the others of it were removed', () => {
  const circumstance = lines('a\nb\nc\n');
  const refused = refuse(nothingRefused, { circumstance, best: of([0, 1]), refusedSets: [of([0, 1]), of([1, 2])] });
  expect(knownIn(refused, circumstance)).toEqual([1]);
});

test('an edit is asked again if less is needed of what it removes, or if it removes something else', () => {
  const text = 'int used;\nint other;\nuse(used);\n';
  const refused = refuseEach(lines(text));
  const withoutUse = refusedAfter(refused, lines(text), of([0, 1]));
  expect(knownIn(withoutUse, lines('int used;\nint other;\n'))).toEqual([1]);
  const withoutOther = refusedAfter(refuseEach(lines('f(a);\ng(b);\n')), lines('f(a);\ng(b);\n'), of([0]));
  expect(knownIn(withoutOther, lines('f(a);\n'))).toEqual([0]);
  const shorter = editing('edit', 'f(a);\ng(b);\n', [{ spans: [{ start: 2, end: 3, text: '' }] }]);
  expect(knownIn(refusedAfter(refuseEach(lines('f(a);\ng(b);\n')), shorter, []), lines('f();\ng(b);\n'))).toEqual([1]);
});

test('a replacement is asked again if its word got a meaning, and a hoist if what it keeps changed', () => {
  const over = (text: string, ...spans: readonly (readonly [number, number, string])[]) =>
    editing('edit', text, [{ spans: spans.map(([start, end, put]) => ({ start, end, text: put })) }]);
  const replaced = refuseEach(over('let name; use(this)', [14, 18, 'a']));
  expect(knownIn(replaced, over('let name; use(this)', [14, 18, 'a']))).toEqual([0]);
  const renamed = refusedAfter(replaced, over('let name; use(this)', [4, 8, 'a']), []);
  expect(knownIn(renamed, over('let a; use(this)', [11, 15, 'a']))).toEqual([]);
  const hoisted = refuseEach(over('f((20+1)*2)', [2, 3, ''], [7, 8, '']));
  const folded = refusedAfter(hoisted, over('f((20+1)*2)', [3, 7, '21']), []);
  expect(knownIn(folded, over('f((21)*2)', [2, 3, ''], [5, 6, '']))).toEqual([]);
});

test('in the last round an edit is asked again if its neighbours are others', () => {
  const refused = refusedAfter(
    refuseEach(tokens('f(a)[b]')),
    editing('edit', 'f(a)[b]', [{ spans: [{ start: 1, end: 4, text: '' }] }]),
    [],
  );
  const left = tokens('f[b]');
  expect(knownIn(refused, left).map(delta => left.describe!(delta))).toEqual(['f', '[', 'b', ']']);
  expect(knownIn(refused, left, true).map(delta => left.describe!(delta))).toEqual(['b', ']']);
});

test('files are told apart, and a file that an edit left alone keeps what is known about it', () => {
  const bytes = (text: string) => ({ kind: 'file' as const, bytes: Buffer.from(text) });
  const artifact: Artifact = {
    files: new Map([
      ['a', bytes('x\ny\n')],
      ['b', bytes('x\ny\n')],
    ]),
  };
  const inA = inFile(artifact, 'a', 'utf8', lines('x\ny\n'));
  const inB = inFile(artifact, 'b', 'utf8', lines('x\ny\n'));
  const refused = refuse(nothingRefused, { circumstance: inA, best: all(2), refusedSets: [of([1])] });
  expect(refusedIn(refused, inA, false)?.(1)).toBe(true);
  expect(refusedIn(refused, inB, false)?.(1)).toBe(false);
  expect(refusedIn(refusedAfter(refused, inB, of([0])), inA, false)?.(1)).toBe(true);
});

test('a delta that says what it is about is recognised in a later text, although nothing else is the same', () => {
  const about = (...words: readonly string[]): Circumstance<string> => ({
    name: 'part',
    count: words.length,
    build: () => words.join(' '),
    identify: delta => words[delta]!,
  });
  const refused = refuse(nothingRefused, { circumstance: about('a', 'b', 'c'), best: all(3), refusedSets: [of([1])] });
  const after = refusedAfter(refused, lines('x\ny\n'), of([0]));
  expect(knownIn(after, about('c', 'b'))).toEqual([1]);
  expect(knownIn(after, about('c', 'd'))).toEqual([]);
});
