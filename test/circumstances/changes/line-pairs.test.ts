import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksOf } from '../../../src/circumstances/changes/blocks.js';
import { changesBetween } from '../../../src/circumstances/changes/changes.js';
import { inertIn, inertLines } from '../../../src/circumstances/changes/inert.js';
import { pairLines } from '../../../src/circumstances/changes/line-pairs.js';
import { all, deltasOf } from '../../../src/core/index.js';
import { inOrder } from '../../../src/sources/versions/snapshot.js';

const whole = (old: readonly string[], now: readonly string[]) => ({
  oldStart: 0,
  oldCount: old.length,
  newStart: 0,
  newCount: now.length,
});

const shownPairs = (old: readonly string[], now: readonly string[]) =>
  pairLines(whole(old, now), old, now).map(({ oldStart, oldCount, newStart, newCount }) => [
    ...old.slice(oldStart, oldStart + oldCount).map(line => `-${line}`),
    ...now.slice(newStart, newStart + newCount).map(line => `+${line}`),
  ]);

test('a line that was rewritten is one change, and a line that was added beside it is another', () => {
  const old = ['  toMap[unit] += added;', '  from[unit] -= added * conv;'];
  const now = [
    '  // rounded',
    '  toMap[unit] = round(toMap[unit] + added);',
    '  from[unit] = round(from[unit] - added * conv);',
  ];
  expect(shownPairs(old, now)).toEqual([['+  // rounded'], [`-${old[0]}`, `+${now[1]}`], [`-${old[1]}`, `+${now[2]}`]]);
});

test('as many lines replace each other in order, unless one was put in before them and another one taken out behind', () => {
  const pattern = (signs: string) => `  , protocol = /^([a-z]+:)?${signs}(.*)/i`;
  const old = [pattern(''), '  , whitespace = new RegExp(list.join())'];
  const now = ['  , port = 80', pattern('[/]+')];
  expect(shownPairs(old, now)).toEqual([[`+${now[0]}`], [`-${old[0]}`, `+${now[1]}`], [`-${old[1]}`]]);
  const inOrder = ['  , port = 80', '  , protocol = /^https?:/'];
  const others = ['  , port = 8080', '  , protocol = /^(?:https?|ftp):/'];
  expect(shownPairs(inOrder, others)).toEqual([
    [`-${inOrder[0]}`, `+${others[0]}`],
    [`-${inOrder[1]}`, `+${others[1]}`],
  ]);
});

test('lines that have nothing in common come and go alone', () => {
  expect(shownPairs(['alpha'], ['beta', 'gamma'])).toEqual([['-alpha'], ['+beta'], ['+gamma']]);
});

const text = fc.array(fc.constantFrom('a = 1;', 'a = 2;', 'if (a) {', '}', '', 'return a + b;', '// note'), {
  maxLength: 12,
});

test('however lines are paired: none is there twice or missing, and all of them applied are the new file', () => {
  const snapshot = (lines: readonly string[]) =>
    inOrder([['x.js', { kind: 'file' as const, bytes: Buffer.from(`${lines.join('\n')}\n`) }]]);
  fc.assert(
    fc.property(text, text, (before, after) => {
      const changes = changesBetween(snapshot(before), snapshot(after), { granularity: 'line' });
      const built = (configuration: readonly number[]) => {
        const entry = changes.build(configuration)!.files.get('x.js');
        return entry?.kind === 'file' ? Buffer.from(entry.bytes).toString() : '';
      };
      expect(built(all(changes.count))).toBe(`${after.join('\n')}\n`);
      expect(built([])).toBe(`${before.join('\n')}\n`);
      const everything = [...deltasOf(all(changes.count))];
      for (const groups of blocksOf(changes, [everything]))
        expect(groups.flat().sort((a, b) => a - b)).toEqual(everything);
    }),
  );
});

test('the header of a block goes with the line that closes it, and what is inside by itself', () => {
  const now = ['if (a) {', '  one();', '  if (b) {', '    two();', '  }', '}', 'three();'];
  const file = (lines: readonly string[]) =>
    inOrder([['x.js', { kind: 'file' as const, bytes: Buffer.from(`${lines.join('\n')}\n`) }]]);
  const changes = changesBetween(file(['start();']), file(['start();', ...now]), { granularity: 'line' });
  const [outer, inner] = blocksOf(changes, [[0, 1, 2, 3, 4, 5, 6]]);
  expect(outer).toEqual([[0, 1, 2, 3, 4, 5], [6]]);
  expect(inner).toEqual([[0, 5], [1], [2, 3, 4], [6]]);
});

test('comments and blank lines are inert, code beside them is not, and other languages have other comments', () => {
  const js = ['/* a', ' b', '*/', '', '// c', 'd(); // e', '/* f */ g();'];
  expect(inertLines('x.js', js)).toEqual([true, true, true, true, true, false, false]);
  expect(inertLines('x.py', ['# a', '#!/bin/sh', 'b = 1'])).toEqual([true, false, false]);
  expect(inertLines('x.c', ['#define A', '// b'])).toEqual([false, true]);
  expect(inertLines('x.txt', ['// a', ''])).toEqual([false, true]);
});

test('a change of comments alone is inert, one that also changes code is not', () => {
  const file = (lines: readonly string[]) =>
    inOrder([['x.js', { kind: 'file' as const, bytes: Buffer.from(`${lines.join('\n')}\n`) }]]);
  const same = Array.from({ length: 9 }, (_, i) => `same${i}();`);
  const changes = changesBetween(file(['// a', ...same, 'b();']), file(['// c', ...same, 'd();']));
  expect([...deltasOf(inertIn(changes))]).toEqual([0]);
});
