import { expect, test } from 'vitest';
import { elements } from '../../src/circumstances/sequence.js';
import type { Test, Verdict } from '../../src/core/index.js';
import { errorsFor, hypothesesFor } from '../../src/core/sequential.js';
import { type Event, explore, memoryOf } from '../../src/engine/index.js';
import { measure, observing, sequentially } from '../../src/oracle/flaky.js';
import { sweep } from '../../src/strategies/index.js';
import { coins } from '../quality/flaky-search.js';

const list = Array.from({ length: 40 }, (_, i) => i);
const causes = [7, 21, 22];
const identify = (artifact: readonly number[]) => artifact.join(',');
const certainty = {
  hypotheses: hypothesesFor({ original: { fails: 34, runs: 40 }, empty: { fails: 2, runs: 40 } }),
  errors: errorsFor(0.999),
};

/** Verdicts by name, in the order in which they came. */
function recording(known: Iterable<readonly [string, Verdict]> = []) {
  const recorded = new Map(known);
  const memory = memoryOf(recorded);
  return {
    recorded,
    recall: (name: string) => memory.recall(name),
    record(name: string, verdict: Verdict) {
      if (!recorded.has(name)) recorded.set(name, verdict);
      memory.record(name, verdict);
    },
  };
}

/** Run number i of a content has a coin of its own, whenever and on whichever worker it is thrown. */
function lying(memory: ReturnType<typeof recording>, seed: number, runs: string[]): Test<readonly number[]> {
  return async (artifact, signal) => {
    let i = 0;
    while (memory.recall(`run ${i}: ${identify(artifact)}`)) i++;
    runs.push(`${i}: ${identify(artifact)}`);
    await new Promise(resolve => setTimeout(resolve, (seed * 7 + artifact.length + i) % 3));
    signal.throwIfAborted();
    const name = [...`${seed} ${i} ${identify(artifact)}`].reduce(
      (sum, each) => (sum * 31 + each.charCodeAt(0)) | 0,
      7,
    );
    const isThere = causes.every(cause => artifact.includes(cause));
    return { outcome: coins(name)() < (isThere ? 0.85 : 0.05) ? 'fail' : 'pass' };
  };
}

async function searched(seed: number, workers: number, memory = recording()) {
  const runs: string[] = [];
  const observe = observing(lying(memory, seed, runs), { identify, memory });
  const steps = explore(sweep(), elements(list), sequentially(observe, certainty), { identify, memory, workers });
  const events: Event[] = [];
  for (;;) {
    const step = await steps.next();
    if (step.done) return { events, result: step.value.best, recorded: memory.recorded, runs };
    events.push(step.value);
  }
}

test('with a seeded coin, 1, 4 and 16 workers give the same transcript and the right result', async () => {
  for (const seed of [1, 2, 3]) {
    const one = await searched(seed, 1);
    expect(one.result).toEqual([7, 8, 21, 23]);
    for (const workers of [4, 16]) {
      const many = await searched(seed, workers);
      expect(many.events).toEqual(one.events);
      expect(many.result).toEqual(one.result);
    }
  }
});

test('a search that is cut anywhere resumes to the same transcript, and runs nothing twice', async () => {
  const whole = await searched(4, 1);
  const lines = [...whole.recorded];
  for (let kept = 0; kept < lines.length; kept += 17) {
    const resumed = await searched(4, 1, recording(lines.slice(0, kept)));
    expect(resumed.events).toEqual(whole.events);
    const before = new Set(lines.slice(0, kept).map(([name]) => name.replace(/^run /, '')));
    expect(resumed.runs.filter(run => before.has(run))).toEqual([]);
  }
});

test('a measured window counts its own runs only, on any number of workers', async () => {
  for (const workers of [1, 8]) {
    let calls = 0;
    const outcomes = async (): Promise<Verdict> => ({ outcome: calls++ % 4 === 0 ? 'pass' : 'fail' });
    const observe = observing(outcomes, { identify, memory: recording() });
    const never = new AbortController().signal;
    const window = { from: 10, count: 20, workers };
    expect(await measure(observe, list, window, never)).toEqual({ fails: 15, runs: 20 });
    expect(await measure(observe, list, window, never)).toEqual({ fails: 15, runs: 20 });
    expect(calls).toBe(20);
  }
});

test('a run that was stopped is not recorded', async () => {
  const memory = recording();
  const stop = new AbortController();
  const observe = observing(
    async () => {
      stop.abort();
      return { outcome: 'fail' as const };
    },
    { identify, memory },
  );
  await expect(observe(list, 0, stop.signal)).rejects.toThrow();
  expect(memory.recorded.size).toBe(0);
});

test('what is mostly unresolved stays unresolved', async () => {
  const observe = observing(async () => ({ outcome: 'unresolved' as const, reason: 'does not parse' }), {
    identify,
    memory: recording(),
  });
  const verdict = await sequentially(observe, certainty)(list, new AbortController().signal);
  expect(verdict).toEqual({ outcome: 'unresolved', reason: 'does not parse' });
});
