import fc from 'fast-check';
import { expect, test } from 'vitest';
import { all, of } from '../../src/core/index.js';
import type { Event } from '../../src/engine/events.js';
import { lengthOf } from '../../src/report/log.js';
import {
  cellsOf,
  fold,
  foldAll,
  keepFirst,
  keepLast,
  nothingYet,
  type ReportState,
  rowsOf,
  speedOf,
} from '../../src/report/state.js';
import { sampleRun } from './sample.js';

const { events, original, result } = sampleRun(200);

test('The fold counts what the run counted, and its series goes down from the original to the result.', () => {
  const state = foldAll(events, 0);
  const before = foldAll(events.slice(0, -1), 0);
  expect(before.counts).toEqual(state.counts);
  const sizes = state.series.flat().map(point => point.size);
  expect(sizes[0]).toBe(original.length);
  expect(sizes.at(-1)).toBe(result.length);
  for (let i = 1; i < sizes.length; i++) expect(sizes[i]!).toBeLessThan(sizes[i - 1]!);
  expect(state.best.bytes).toBe(result.length);
});

test('An old state stays as it was when later events are folded.', () => {
  const early = foldAll(events.slice(0, 50), 0);
  const before = structuredClone(early);
  for (const event of events.slice(50)) fold(early, event, 1);
  let later = early;
  for (const event of events.slice(50)) later = fold(later, event, 1);
  expect(early).toEqual(before);
});

test('A state survives JSON.', () => {
  const state = foldAll(events, 5);
  expect(JSON.parse(JSON.stringify(state))).toEqual(state);
});

test('It does not matter whether a reduction is reported before or after the answer it follows from.', () => {
  const swapped = [...events];
  for (let i = 0; i + 1 < swapped.length; i++)
    if (swapped[i + 1]!.type === 'reduced') [swapped[i], swapped[i + 1]] = [swapped[i + 1]!, swapped[i]!];
  expect(rowsOf(foldAll(swapped, 0))).toEqual(rowsOf(foldAll(events, 0)));
});

test('A run of 50,000 answers keeps its first rows, its last rows and every improvement, and nothing else.', () => {
  let state: ReportState = foldAll([{ type: 'began', job: 'reduce', before: { bytes: 100_000, deltas: 100_000 } }], 0);
  state = fold(state, { type: 'pass', pass: 'line', round: 1, deltas: 100_000, strategy: 'ddmin' }, 0);
  for (let step = 1; step <= 50_000; step++) {
    const better = step % 100 === 0;
    const answered = {
      type: 'answered',
      step,
      configuration: all(9),
      outcome: better ? 'fail' : 'pass',
      known: false,
    } as const;
    state = fold(state, answered, step);
    if (better) state = fold(state, { type: 'reduced', step, size: { bytes: 100_000 - step, deltas: 9 } }, step);
  }
  const rows = rowsOf(state);
  const steps = rows.map(row => row.step);
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
  expect(steps.slice(0, keepFirst)).toEqual(Array.from({ length: keepFirst }, (_, i) => i + 1));
  expect(steps.slice(-keepLast)).toEqual(Array.from({ length: keepLast }, (_, i) => 50_001 - keepLast + i));
  expect(rows.filter(row => row.reduced !== undefined)).toHaveLength(500);
  expect(rows.length).toBeLessThan(keepFirst + keepLast + 700);
  expect(speedOf(state)).toBeCloseTo(1000, 0);
});

test('The series of a run with 20,000 improvements is thinned out, but begins and ends where the run did.', () => {
  let state = foldAll([{ type: 'began', job: 'reduce', before: { deltas: 30_000 } }], 0);
  for (let step = 1; step <= 20_000; step++)
    state = fold(state, { type: 'reduced', step, size: { deltas: 30_000 - step } }, step);
  const points = state.series.flat();
  expect(lengthOf(state.series)).toBeLessThan(4_100);
  expect(points[0]).toEqual({ step: 0, size: 30_000 });
  expect(points.at(-1)).toEqual({ step: 20_000, size: 10_000 });
});

test('A run that begins again forgets what it reported before.', () => {
  const twice = foldAll([...events, ...events], 0);
  expect(twice).toEqual(foldAll(events, 0));
});

test('The same other failure is listed once, with how often it was seen.', () => {
  const other: Event = { type: 'noticed', what: 'other failure', text: 'SIGFPE', path: 'other-failures/1' };
  const state = foldAll([other, other, { ...other, text: 'SIGBUS' }], 0);
  expect(state.otherFailures).toEqual([
    { text: 'SIGFPE', path: 'other-failures/1', times: 2 },
    { text: 'SIGBUS', path: 'other-failures/1', times: 1 },
  ]);
});

test('An event of a kind that is not known changes nothing.', () => {
  expect(fold(nothingYet, { type: 'invented' } as unknown as Event, 0)).toEqual(nothingYet);
});

test('A cell is empty only where no delta is applied and full only where all are.', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.array(fc.nat(199)), (count, deltas) => {
      const applied = new Set(deltas.filter(delta => delta < count));
      const cells = cellsOf(of(applied), count);
      expect(cells).toHaveLength(Math.min(24, count));
      if (applied.size === 0) expect(cells).toMatch(/^0+$/);
      if (applied.size === count) expect(cells).toMatch(/^8+$/);
      else expect(cells).toMatch(/[0-7]/);
      if (count <= 24)
        expect(cells).toBe(Array.from({ length: count }, (_, i) => (applied.has(i) ? '8' : '0')).join(''));
    }),
  );
});
