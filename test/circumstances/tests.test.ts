import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Arrangement,
  arrange,
  byFile,
  byLoadedFile,
  byTest,
  isSameTest,
  othersReversed,
  shownTest,
  shuffled,
  type TestName,
  testsOf,
} from '../../src/circumstances/tests.js';
import { all, deltasOf, empty, of } from '../../src/core/index.js';

/** A suite, and one test of it. */
const suites = fc
  .uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 8 })
  .chain(files =>
    fc.tuple(
      fc.tuple(...files.map(n => fc.record({ file: fc.constant(`f${n}`), count: fc.integer({ min: 1, max: 5 }) }))),
      fc.nat(),
    ),
  )
  .map(([parts, at]): readonly [Arrangement, TestName] => {
    const arrangement = parts.map(({ file, count }) => ({
      file,
      tests: Array.from({ length: count }, (_, i) => `t${i}`),
    }));
    const tests = testsOf(arrangement);
    return [arrangement, tests[at % tests.length]!];
  });

const sorted = (arrangement: Arrangement) => testsOf(arrangement).map(shownTest).sort();

test('every configuration keeps the target, and the tests that remain keep their order', () => {
  fc.assert(
    fc.property(suites, fc.array(fc.nat(40)), ([arrangement, target], wanted) => {
      for (const circumstance of [byFile(arrangement, target), byTest(arrangement, target)]) {
        const configuration = of(wanted.filter(delta => delta < circumstance.count));
        const built = circumstance.build(configuration)!;
        const left = new Set(testsOf(built).map(shownTest));
        expect(left.has(shownTest(target))).toBe(true);
        expect(testsOf(built)).toEqual(testsOf(arrangement).filter(each => left.has(shownTest(each))));
        expect(circumstance.build(all(circumstance.count))).toEqual(arrangement);
        expect(testsOf(circumstance.build(empty)!)).toEqual([target]);
      }
    }),
  );
});

test('each test is one delta, unless the runner cannot tell it from another', () => {
  fc.assert(
    fc.property(suites, ([arrangement, target]) => {
      expect(byTest(arrangement, target).count).toBe(testsOf(arrangement).length - 1);
      const byName = byTest(arrangement, target, each => each.name);
      expect(byName.count).toBe(new Set(testsOf(arrangement).map(each => each.name)).size - 1);
      for (const delta of deltasOf(all(byName.count))) {
        const names = new Set(testsOf(byName.build(of([delta]))!).map(each => each.name));
        expect(names.size).toBe(2);
      }
    }),
  );
});

test('other orders hold the same tests: the target last, or as a seed deals them', () => {
  fc.assert(
    fc.property(suites, fc.nat(), ([arrangement, target], seed) => {
      const last = othersReversed(arrangement, target);
      const dealt = shuffled(arrangement, seed);
      for (const other of [last, dealt]) expect(sorted(other)).toEqual(sorted(arrangement));
      expect(isSameTest(testsOf(last).at(-1)!, target)).toBe(true);
      expect(shuffled(arrangement, seed)).toEqual(dealt);
    }),
  );
});

test('a file whose tests are all removed stays loaded until it is removed itself', () => {
  const arrangement = arrange([
    { file: 'a', name: '1' },
    { file: 'b', name: '1' },
  ]);
  const loaded = byTest(arrangement, { file: 'b', name: '1' }).build(empty)!;
  expect(loaded).toEqual([
    { file: 'a', tests: [] },
    { file: 'b', tests: ['1'] },
  ]);
  expect(byLoadedFile(loaded).count).toBe(1);
  expect(byLoadedFile(loaded).build(empty)).toEqual([{ file: 'b', tests: ['1'] }]);
});
