import fc from 'fast-check';
import { expect, test } from 'vitest';
import { all, deltasOf, has, type Outcome, runInOrder, size } from '../../src/core/index.js';
import { lookahead } from '../../src/core/lookahead.js';
import { type FirstBad, firstBad, type HistoryCommit } from '../../src/strategies/first-bad.js';

const last = (configuration: readonly number[]): number => configuration.at(-1)! - 1;
const chain = (count: number): HistoryCommit[] =>
  Array.from({ length: count }, (_, i) => ({ id: `c${i}`, parents: i === 0 ? ['before'] : [`c${i - 1}`] }));

/** Parents before children; every commit but the oldest ones has up to three parents among the earlier ones. */
const graphs = fc.array(fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 40 }).map(rows =>
  rows.map((row, i): HistoryCommit => {
    const parents = i === 0 ? [] : [...new Set(row.map(n => Math.max(i - 1 - (n % 6), 0)))];
    return { id: `c${i}`, parents: parents.map(parent => `c${parent}`) };
  }),
);

function descendants(commits: readonly HistoryCommit[], from: number): ReadonlySet<number> {
  const found = new Set([from]);
  for (const [i, { parents }] of commits.entries())
    if (parents.some(id => found.has(Number(id.slice(1))))) found.add(i);
  return found;
}

/** What is reachable from the last commit: the history that is searched. */
function reachable(commits: readonly HistoryCommit[]): readonly HistoryCommit[] {
  const seen = new Set([commits.length - 1]);
  for (const at of seen) for (const id of commits[at]!.parents) seen.add(Number(id.slice(1)));
  const kept = [...seen].sort((a, b) => a - b);
  const number = new Map(kept.map((old, i) => [`c${old}`, `c${i}`]));
  return kept.map((old, i) => ({ id: `c${i}`, parents: commits[old]!.parents.map(id => number.get(id)!) }));
}

test('in any history, the one commit from which everything fails is found', () => {
  fc.assert(
    fc.property(graphs.map(reachable), fc.nat(), (commits, seed) => {
      const bad = seed % commits.length;
      const failing = descendants(commits, bad);
      const { result } = runInOrder(firstBad(commits), all(commits.length), c =>
        failing.has(last(c)) ? 'fail' : 'pass',
      );
      expect(result).toEqual({ commit: bad, candidates: [bad, bad + 1], neverPassed: false });
    }),
    { numRuns: 500 },
  );
});

test('when commits can’t be tested, the first bad one is always among the candidates that are left', () => {
  fc.assert(
    fc.property(graphs.map(reachable), fc.nat(), fc.array(fc.nat(40)), (commits, seed, broken) => {
      const bad = seed % commits.length;
      const failing = descendants(commits, bad);
      const untestable = new Set(broken);
      const outcome = (commit: number): Outcome =>
        untestable.has(commit) ? 'unresolved' : failing.has(commit) ? 'fail' : 'pass';
      const { result, transcript } = runInOrder(firstBad(commits), all(commits.length), c => outcome(last(c)));
      expect(has(result.candidates, bad)).toBe(true);
      const others = [...deltasOf(result.candidates)].filter(commit => !untestable.has(commit));
      expect(others.length).toBeLessThanOrEqual(1);
      expect(new Set(transcript.map(({ configuration }) => last(configuration))).size).toBe(transcript.length);
      if (!untestable.has(bad) && commits[bad]!.parents.every(id => !untestable.has(Number(id.slice(1)))))
        expect(result.commit).toBe(bad);
    }),
    { numRuns: 500 },
  );
});

test('a straight line of 1024 commits takes ten questions', () => {
  const commits = chain(1024);
  for (const bad of [0, 1, 500, 1023]) {
    const { result, transcript } = runInOrder(firstBad(commits), all(1024), c => (last(c) >= bad ? 'fail' : 'pass'));
    expect(result.commit).toBe(bad);
    expect(transcript).toHaveLength(10);
  }
});

test('one question is about a commit with all its ancestors, and the state survives JSON', () => {
  const commits: HistoryCommit[] = [
    { id: 'base', parents: [] },
    { id: 'left', parents: ['base'] },
    { id: 'right', parents: ['base'] },
    { id: 'merge', parents: ['left', 'right'] },
  ];
  const strategy = firstBad(commits);
  let state = strategy.start(all(4));
  const step = strategy.next(state);
  expect(step).toMatchObject({ kind: 'ask', configuration: [0, 2] });
  state = JSON.parse(JSON.stringify(strategy.answer(state, 'pass')));
  expect(strategy.next(state)).toMatchObject({ kind: 'ask', configuration: [0, 1, 2, 3] });
});

test('a run of commits that do not build is left at once, not walked through', () => {
  const commits = chain(1000);
  const outcome = (commit: number): Outcome =>
    commit > 400 && commit < 620 ? 'unresolved' : commit >= 800 ? 'fail' : 'pass';
  const { result, transcript } = runInOrder(firstBad(commits), all(1000), c => outcome(last(c)));
  expect(result.commit).toBe(800);
  expect(transcript.filter(({ outcome }) => outcome === 'unresolved').length).toBeLessThan(5);
});

test('without a commit that passes, the search goes back in doubling steps until one does', () => {
  const commits = chain(1000);
  const search = firstBad(commits, { startsPassing: false });
  const { result, transcript } = runInOrder(search, all(1000), c => (last(c) >= 900 ? 'fail' : 'pass'));
  expect(result.commit).toBe(900);
  expect(transcript.slice(0, 4).map(({ configuration }) => last(configuration))).toEqual([998, 996, 992, 984]);
  expect(transcript.length).toBeLessThan(16);
});

test('a history in which nothing passes says so, and blames no commit', () => {
  for (const count of [1, 2, 77]) {
    const search = firstBad(chain(count), { startsPassing: false });
    const { result } = runInOrder(search, all(count), () => 'fail');
    expect(result.neverPassed).toBe(true);
    expect(result.commit).toBeUndefined();
  }
});

/** Rounds of `workers` tests at a time, looked ahead with the engine's own lookahead. */
function rounds(commits: readonly HistoryCommit[], outcome: (commit: number) => Outcome, workers: number) {
  const strategy = firstBad(commits);
  const known = new Map<number, Outcome>();
  let state = strategy.start(all(commits.length));
  let count = 0;
  for (;;) {
    const step = strategy.next(state);
    if (step.kind === 'done') return { result: step.result as FirstBad, count };
    const answer = known.get(last(step.configuration));
    if (answer) {
      state = strategy.answer(state, answer);
      continue;
    }
    count++;
    let left = workers;
    const forecast = () => ({ fail: 0.48, pass: 0.48, unresolved: 0.04 });
    for (const { configuration } of lookahead(strategy, state, c => known.get(last(c)), { forecast })) {
      known.set(last(configuration), outcome(last(configuration)));
      if (--left === 0) break;
    }
  }
}

test('three workers halve the rounds of one, fifteen quarter them, and all find the same commit', () => {
  const commits = chain(4096);
  const outcome = (commit: number): Outcome => (commit >= 1234 ? 'fail' : 'pass');
  const counts = [1, 3, 15].map(workers => {
    const { result, count } = rounds(commits, outcome, workers);
    expect(result.commit).toBe(1234);
    return count;
  });
  expect(counts).toEqual([12, 6, 3]);
});

test('on histories with merges and broken commits, the number of workers changes the rounds and nothing else', () => {
  fc.assert(
    fc.property(graphs.map(reachable), fc.nat(), fc.array(fc.nat(40), { maxLength: 8 }), (commits, seed, broken) => {
      const failing = descendants(commits, seed % commits.length);
      const outcome = (commit: number): Outcome =>
        broken.includes(commit) ? 'unresolved' : failing.has(commit) ? 'fail' : 'pass';
      const [one, four, sixteen] = [1, 4, 16].map(workers => rounds(commits, outcome, workers));
      expect(four!.result).toEqual(one!.result);
      expect(sixteen!.result).toEqual(one!.result);
      expect(sixteen!.count).toBeLessThanOrEqual(one!.count);
      expect(size(one!.result.candidates)).toBeGreaterThan(0);
    }),
    { numRuns: 100 },
  );
});
