import fc from 'fast-check';
import { expect, test } from 'vitest';
import { all, type Configuration, deltasOf, has, key, type Outcome, of, runInOrder } from '../../src/core/index.js';
import { type DescendOptions, descend, type Needs } from '../../src/strategies/index.js';
import { oracles, testOf } from './oracles.js';

const listed = (configuration: Configuration) => [...deltasOf(configuration)];

test('one delta of a thousand takes ten questions', () => {
  const { result, transcript } = runInOrder(descend(), all(1000), set => (has(set, 41) ? 'fail' : 'pass'));
  expect(listed(result.suspects)).toEqual([41]);
  expect(transcript.length).toBeLessThanOrEqual(12);
});

test('no question comes twice, and there are no more than log2 n + 2 and 4 for each unresolved answer', () => {
  fc.assert(
    fc.property(oracles, oracle => {
      const { transcript } = runInOrder(descend(), all(oracle.count), testOf(oracle));
      const keys = transcript.map(({ configuration }) => key(configuration));
      const asked = keys.filter((each, i) => keys.indexOf(each) === i);
      const unresolved = transcript.filter(({ outcome }) => outcome === 'unresolved').length;
      expect(transcript.length).toBeLessThanOrEqual(Math.ceil(Math.log2(oracle.count)) + 2 + 4 * unresolved);
      // F − P and P′ alone may be the same set; nothing else may.
      expect(transcript.length - asked.length).toBeLessThanOrEqual(unresolved);
    }),
    { numRuns: 500 },
  );
});

/** 3 defines what 10 to 19 use. */
const definition: Needs = {
  withNeeded: these => of([...deltasOf(these)].flatMap(each => (each >= 10 && each < 20 ? [3, each] : [each]))),
  withNeeding: these =>
    of([...deltasOf(these)].flatMap(each => (each === 3 ? [3, ...listed(all(20)).slice(10)] : [each]))),
};

test('a definition is taken out with its uses, and a use is tested with its definition', () => {
  const ask = (set: Configuration): Outcome => {
    const isBroken = listed(set).some(each => each >= 10 && each < 20) && !has(set, 3);
    return isBroken ? 'unresolved' : has(set, 14) ? 'fail' : 'pass';
  };
  const { result, transcript } = runInOrder(descend({ needs: definition }), all(64), ask);
  expect(listed(result.suspects)).toEqual([14]);
  const unresolved = (each: typeof transcript) => each.filter(({ outcome }) => outcome === 'unresolved').length;
  const without = runInOrder(descend(), all(64), ask);
  expect(unresolved(transcript)).toBeLessThanOrEqual(unresolved(without.transcript));
});

test('with patience, it ends after that many questions without progress and one about the rest, with what is known', () => {
  const asked: Outcome[] = [];
  const { result } = runInOrder(descend({ patience: 5 }), all(64), configuration => {
    const outcome = configuration[0] === 0 && configuration[1] === 64 ? 'fail' : 'unresolved';
    asked.push(outcome);
    return outcome;
  });
  expect(asked).toEqual(Array.from({ length: 6 }, () => 'unresolved'));
  expect(result).toMatchObject({ failing: all(64), refuted: false });
});

/** Chains and cycles: each pair says that the first can't be applied without the second. */
const needsOf = (pairs: readonly (readonly [number, number])[]): Needs => {
  const reach = (these: Configuration, from: 0 | 1): Configuration => {
    const found = new Set(deltasOf(these));
    for (const each of found) for (const pair of pairs) if (pair[from] === each) found.add(pair[1 - from]!);
    return of([...found]);
  };
  return { withNeeded: these => reach(these, 0), withNeeding: these => reach(these, 1) };
};

test('whatever the answers are and whatever needs what: at most patience · (1 + ln n) + 2 questions', () => {
  const delta = fc.nat(39);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(delta, delta), { maxLength: 60 }),
      fc.infiniteStream(fc.constantFrom<Outcome[]>('pass', 'fail', 'unresolved', 'unresolved', 'unresolved')),
      fc.integer({ min: 1, max: 12 }),
      (pairs, answers, patience) => {
        const machine = descend({ needs: { ...needsOf(pairs), certain: needsOf(pairs.slice(10)) }, patience });
        const { transcript } = runInOrder(machine, all(40), () => answers.next().value!);
        expect(transcript.length).toBeLessThanOrEqual(patience * (1 + Math.log(40)) + 2);
      },
    ),
    { numRuns: 200 },
  );
});

test('what can go without much else is asked about first, so that a knot costs few questions', () => {
  // 0 to 99 need each other in a ring, and nothing builds without them; 100 to 139 are free, and 123 is to blame.
  const ring = needsOf(Array.from({ length: 100 }, (_, i) => [i, (i + 1) % 100] as const));
  const ask = (set: Configuration): Outcome =>
    listed(set).filter(each => each < 100).length < 100 ? 'unresolved' : has(set, 123) ? 'fail' : 'pass';
  const { result, transcript } = runInOrder(descend({ needs: { ...ring, certain: ring } }), all(140), ask);
  expect(listed(result.suspects)).toEqual([123]);
  expect(transcript.filter(({ outcome }) => outcome === 'unresolved')).toEqual([]);
});

test('a part that does not parse is asked about with all of its files, and costs no questions of its own', () => {
  // Ten files of ten changes. A file that is mixed does not parse; 47 is to blame, and the others in its file come with it.
  const fileOf = (delta: number) => Math.floor(delta / 10);
  const isMixed = (set: Configuration) => {
    const counts = Array.from({ length: 10 }, (_, file) => listed(set).filter(each => fileOf(each) === file).length);
    return counts.some(count => count > 0 && count < 10);
  };
  const around = (set: Configuration) => {
    const files = new Set(listed(set).map(fileOf));
    return of(Array.from({ length: 100 }, (_, i) => i).filter(each => files.has(fileOf(each))));
  };
  const ask = (set: Configuration): Outcome => (isMixed(set) ? 'unresolved' : has(set, 47) ? 'fail' : 'pass');
  // What the test runs is a part of each file.
  const suspects = of(Array.from({ length: 100 }, (_, i) => i).filter(each => each % 3 === 0 || each === 47));
  const machine = (more: DescendOptions) => descend({ suspects, patience: 12, ...more });
  const { result, transcript } = runInOrder(machine({ isBroken: isMixed, around }), all(100), ask);
  expect(listed(result.suspects)).toEqual([40, 41, 42, 43, 44, 45, 46, 47, 48, 49]);
  expect(transcript.findIndex(({ outcome }) => outcome === 'pass')).toBeLessThan(4);
  expect(runInOrder(machine({}), all(100), ask).transcript.some(({ outcome }) => outcome === 'pass')).toBe(false);
});

test('the other half of a part that could not be tested comes forward as soon as something in the first half could', () => {
  // The whole first half of 64 can't be tested, nor can anything in the second one; 20 is to blame.
  let isFirst = true;
  const ask = (set: Configuration): Outcome => {
    const isRefused = isFirst || listed(set).filter(each => each >= 32).length < 32;
    isFirst = false;
    return isRefused ? 'unresolved' : has(set, 20) ? 'fail' : 'pass';
  };
  const { result, transcript } = runInOrder(descend(), all(64), ask);
  expect(listed(result.suspects)).toEqual([20]);
  expect(transcript.slice(0, 3).map(({ outcome }) => outcome)).toEqual(['unresolved', 'fail', 'pass']);
});
