import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outcome } from '../../src/core/index.js';
import { has, runInOrder } from '../../src/core/index.js';
import { type Event, explore } from '../../src/engine/index.js';
import { graphOf, type HistoryCommit } from '../../src/strategies/first-bad.js';
import { askedRun, type NoisyState, noisyFirstBad, runsOf } from '../../src/strategies/noisy-first-bad.js';
import { coins } from '../quality/flaky-search.js';

const all = (count: number) => [0, runsOf(count)];
const line = (count: number): readonly HistoryCommit[] =>
  Array.from({ length: count }, (_, i) => ({ id: `c${i}`, parents: i === 0 ? [] : [`c${i - 1}`] }));

/** Two lines that part after the first commit and meet in the last one. */
const diamond = (length: number): readonly HistoryCommit[] => [
  { id: 'root', parents: [] },
  ...Array.from({ length }, (_, i) => ({ id: `a${i}`, parents: [i === 0 ? 'root' : `a${i - 1}`] })),
  ...Array.from({ length }, (_, i) => ({ id: `b${i}`, parents: [i === 0 ? 'root' : `b${i - 1}`] })),
  { id: 'merge', parents: [`a${length - 1}`, `b${length - 1}`] },
];

interface Noise {
  readonly present: number;
  readonly absent: number;
}

/** Run i of a commit has a coin of its own, whoever throws it and whenever. */
function lying(commits: readonly HistoryCommit[], bad: number, noise: Noise, seed: number) {
  const { ancestors } = graphOf(commits);
  return (commit: number, run: number): Outcome => {
    const rate = bad < 0 || has(ancestors(commit), bad) ? noise.present : noise.absent;
    return coins(seed * 7919 + commit * 104_729 + run * 31)() < rate ? 'fail' : 'pass';
  };
}

const confidence = 0.999;

function found(commits: readonly HistoryCommit[], bad: number, noise: Noise, seed: number, startsPassing = true) {
  const count = commits.length;
  const coin = lying(commits, bad, noise, seed);
  return runInOrder(noisyFirstBad(commits, { ...noise, confidence, startsPassing }), all(count), configuration => {
    const { commit, run } = askedRun(configuration, count);
    return coin(commit, run);
  });
}

test.each([
  [0.9, 0.005, 40],
  [0.5, 0.005, 60],
  [0.9, 0.1, 50],
  [0.7, 0.3, 200],
])('at rates of %d and %d the first bad of 200 commits is found in 99 of 100 searches', (present, absent, most) => {
  const commits = line(200);
  let [right, runs] = [0, 0];
  for (let seed = 0; seed < 100; seed++) {
    const bad = (seed * 37) % 200;
    const { result, transcript } = found(commits, bad, { present, absent }, seed);
    if (result.commit === bad) right++;
    runs += transcript.length;
  }
  expect(right).toBeGreaterThanOrEqual(99);
  expect(runs / 100).toBeLessThan(most);
});

test('a commit on one side of a merge is found', () => {
  const commits = diamond(20);
  for (let bad = 0; bad < commits.length; bad += 5)
    expect(found(commits, bad, { present: 0.9, absent: 0.02 }, 3).result.commit).toBe(bad);
});

test('a failure that is older than the history is said to be', () => {
  const { result } = found(line(60), -1, { present: 0.8, absent: 0.05 }, 5, false);
  expect(result.neverPassed).toBe(true);
  expect(result.commit).toBeUndefined();
});

test('commits that cannot be tested are left aside, and what they hide is listed', () => {
  const commits = line(30);
  const coin = lying(commits, 12, { present: 0.9, absent: 0.02 }, 1);
  const strategy = noisyFirstBad(commits, { present: 0.9, absent: 0.02, confidence });
  const { result, transcript } = runInOrder(strategy, all(30), configuration => {
    const { commit, run } = askedRun(configuration, 30);
    return commit >= 10 && commit <= 12 ? 'unresolved' : coin(commit, run);
  });
  expect(result.commit).toBeUndefined();
  // The first bad one is among 10, 11, 12 and 13: nothing between can be tested.
  expect(result.candidates).toEqual([10, 14]);
  const asked = transcript.map(({ configuration }) => askedRun(configuration, 30).commit);
  for (const commit of [10, 11, 12]) expect(asked.filter(each => each === commit).length).toBeLessThanOrEqual(1);
});

test('the state is plain data, and an old one stays valid', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 40 }),
      fc.array(fc.constantFrom<Outcome>('pass', 'fail', 'unresolved'), { maxLength: 40 }),
      (count, answers) => {
        const strategy = noisyFirstBad(line(count), { present: 0.8, absent: 0.1, confidence: 0.99 });
        let state: NoisyState = strategy.start(all(count));
        for (const answer of answers) {
          const step = strategy.next(state);
          if (step.kind === 'done') return;
          const copy = JSON.parse(JSON.stringify(state)) as NoisyState;
          expect(strategy.next(copy)).toEqual(step);
          const after = strategy.answer(state, answer);
          expect(strategy.answer(copy, answer)).toEqual(after);
          expect(state).toEqual(copy);
          state = after;
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('1, 4 and 16 workers take the same steps', async () => {
  const commits = line(120);
  const noise = { present: 0.85, absent: 0.05 };
  const coin = lying(commits, 77, noise, 9);
  const steps = async (workers: number) => {
    const circumstance = { name: 'run', count: runsOf(120), build: (set: readonly number[]) => askedRun(set, 120) };
    const run = explore(
      noisyFirstBad(commits, { ...noise, confidence }),
      circumstance,
      async ({ commit, run: at }) => {
        await new Promise(resolve => setTimeout(resolve, (commit + at) % 3));
        return { outcome: coin(commit, at) };
      },
      { workers, identify: ({ commit, run: at }) => `${commit} ${at}` },
    );
    const events: Event[] = [];
    for (;;) {
      const step = await run.next();
      if (step.done) return { events, result: step.value.result };
      events.push(step.value);
    }
  };
  const one = await steps(1);
  expect(one.result?.commit).toBe(77);
  expect(await steps(4)).toEqual(one);
  expect(await steps(16)).toEqual(one);
});
