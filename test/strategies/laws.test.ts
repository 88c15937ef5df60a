/** The laws that every strategy keeps. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answer, all, isSubset, key, lookahead, runInOrder } from '../../src/core/index.js';
import { jobSubjects } from './job-subjects.js';
import { oracles, testOf } from './oracles.js';
import { subjects } from './subjects.js';

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value));

describe.each([...subjects, ...jobSubjects])('$name', subject => {
  test('ends, with a result that fails and the minimality it promises', () => {
    fc.assert(
      fc.property(oracles, oracle => {
        const ask = testOf(oracle);
        const whole = all(oracle.count);
        const { result } = runInOrder(subject.make(oracle.count), whole, ask);
        for (const failing of subject.failing(result, whole)) expect(ask(failing)).toBe('fail');
        expect(subject.broken(result, ask, whole)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  test('never asks outside its configuration', () => {
    fc.assert(
      fc.property(oracles, oracle => {
        const whole = all(oracle.count);
        const { transcript } = runInOrder(subject.make(oracle.count), whole, testOf(oracle));
        for (const { configuration } of transcript) expect(isSubset(configuration, whole)).toBe(true);
      }),
    );
  });

  test('is pure: the same state gives the same step, an old state stays valid, and states survive JSON', () => {
    fc.assert(
      fc.property(oracles, oracle => {
        const strategy = subject.make(oracle.count);
        const ask = testOf(oracle);
        let state = strategy.start(all(oracle.count));
        for (;;) {
          const before = JSON.stringify(state);
          const step = strategy.next(state);
          expect(strategy.next(copy(state))).toEqual(step);
          if (step.kind === 'done') return;
          const outcome = ask(step.configuration);
          for (const other of ['pass', 'fail', 'unresolved'] as const) strategy.answer(state, other);
          const after = strategy.answer(copy(state), outcome);
          expect(strategy.answer(state, outcome)).toEqual(after);
          expect(JSON.stringify(state)).toBe(before);
          state = after;
        }
      }),
      { numRuns: 60 },
    );
  });

  test('a transcript that is cut anywhere resumes to the same transcript', () => {
    fc.assert(
      fc.property(oracles, fc.nat(), (oracle, where) => {
        const ask = testOf(oracle);
        const strategy = subject.make(oracle.count);
        const { transcript } = runInOrder(strategy, all(oracle.count), ask);
        const cut = transcript.length === 0 ? 0 : where % (transcript.length + 1);
        const answers: Answer[] = [];
        const { transcript: again } = runInOrder(strategy, all(oracle.count), configuration => {
          const outcome = answers.length < cut ? transcript[answers.length]!.outcome : ask(configuration);
          answers.push({ configuration, outcome });
          return outcome;
        });
        expect(again).toEqual(transcript);
      }),
      { numRuns: 60 },
    );
  });

  test('the first question of its lookahead is the one it asks, and none is given twice', () => {
    fc.assert(
      fc.property(oracles, oracle => {
        const strategy = subject.make(oracle.count);
        const state = strategy.start(all(oracle.count));
        const step = strategy.next(state);
        const chances = () => ({ fail: 0.3, pass: 0.4, unresolved: 0.3 });
        const ahead = [...lookahead(strategy, state, () => undefined, { forecast: chances, breadth: 200 })].map(each =>
          key(each.configuration),
        );
        expect(ahead[0]).toBe(step.kind === 'ask' ? key(step.configuration) : undefined);
        expect(new Set(ahead).size).toBe(ahead.length);
      }),
      { numRuns: 40 },
    );
  });
});

/** Its questions are runs of one commit, not sets of deltas: its laws are in noisy-first-bad.test.ts. */
const underLawsOfItsOwn = 'noisy-first-bad.ts';

test('every machine in src/strategies is under these laws', () => {
  const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
  const folder = '../../src/strategies';
  const tested = read('./subjects.ts') + read('./job-subjects.ts');
  const missing = readdirSync(fileURLToPath(new URL(folder, import.meta.url))).filter(file => {
    const text = read(`${folder}/${file}`);
    const makers = [...text.matchAll(/^export (?:function|const) (\w+)/gm)].map(match => match[1]!);
    return /^\s+answer[(:]/m.test(text) && !makers.some(name => new RegExp(`\\b${name}\\(`).test(tested));
  });
  expect(missing).toEqual([underLawsOfItsOwn]);
});
