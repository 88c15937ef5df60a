import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TestName } from '../../src/circumstances/tests.js';
import type { Change, Changes } from '../../src/oracle/test-runners/types.js';
import { suspectsOf, tracesOf } from '../../src/plans/tests/suspects.js';

const named = (name: string, file = 'a.js'): TestName => ({ file, name });
const target = named('target', 'z.js');
const by = (name: string, changes: readonly Change[], session = 's'): Changes => ({
  by: named(name),
  session,
  changes,
});
const names = (tests: readonly TestName[]) => tests.map(({ name }) => name);

test('a test that cleaned up is no suspect, and a change that few tests make weighs more than one that many make', () => {
  const before = ['adds', 'logs in', 'cleans', 'counts'].map(name => named(name));
  const changed = [
    by('adds', [['global', 'count', '0', '1']]),
    by('logs in', [
      ['global', 'count', '1', '2'],
      ['environment variable', 'WHO', null, 'x'],
    ]),
    by('cleans', [['global', 'temporary', null, 'x']]),
    by('cleans', [['global', 'temporary', 'x', null]]),
    by('counts', [['global', 'count', '2', '3']]),
  ];
  expect(names(suspectsOf(changed, before, target))).toEqual(['logs in', 'counts', 'adds']);
  expect(tracesOf(changed, [named('logs in')], target)).toEqual([
    { kind: 'environment variable', name: 'WHO', change: 'added' },
    { kind: 'global', name: 'count', change: 'changed' },
  ]);
});

test('what was in the memory of another process does not count, and files do', () => {
  const changed: readonly Changes[] = [
    by('a', [['global', 'x', null, '1']], 'first'),
    by('b', [['file', 'x.txt', null, '1']], 'first'),
    { by: named('c', 'z.js'), session: 'second', changes: [['global', 'y', null, '1']] },
  ];
  const before = [named('a'), named('b'), named('c', 'z.js')];
  expect(names(suspectsOf(changed, before, target))).toEqual(['c', 'b']);
});

test('suspects ran before the target, each of them once, and each left something', () => {
  const value = fc.constantFrom(null, '1', '2');
  const change = fc.tuple(fc.constantFrom('global', 'file', 'timers'), fc.constantFrom('x', 'y'), value, value);
  const line = fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.array(change, { maxLength: 3 }));
  fc.assert(
    fc.property(fc.array(line), fc.subarray(['a', 'b', 'c', 'd']), (lines, before) => {
      const changed = lines.map(([name, changes]) => by(name, changes));
      const tests = before.map(name => named(name));
      const suspects = suspectsOf(changed, tests, target);
      expect(new Set(names(suspects)).size).toBe(suspects.length);
      for (const { name } of suspects) {
        expect(before).toContain(name);
        expect(changed.some(line => line.by!.name === name && line.changes.length > 0)).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});
