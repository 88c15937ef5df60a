import fc from 'fast-check';
import { expect, test } from 'vitest';
import { all, type Configuration, deltasOf, has, key, type Outcome, of, runInOrder } from '../../src/core/index.js';
import { descend, type Needs } from '../../src/strategies/index.js';
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

test('with patience, it ends after that many unresolved answers, with what is known', () => {
  const asked: Outcome[] = [];
  const { result } = runInOrder(descend({ patience: 5 }), all(64), configuration => {
    const outcome = configuration[0] === 0 && configuration[1] === 64 ? 'fail' : 'unresolved';
    asked.push(outcome);
    return outcome;
  });
  expect(asked).toEqual(Array.from({ length: 5 }, () => 'unresolved'));
  expect(result).toMatchObject({ failing: all(64), refuted: false });
});
