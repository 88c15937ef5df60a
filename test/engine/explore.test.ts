import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elements } from '../../src/circumstances/sequence.js';
import { all, type Configuration, has, key, type Outcome, transcribe, type Verdict } from '../../src/core/index.js';
import { Counter, type Event, type Exploration, explore, memoryOf, OutcomeStats } from '../../src/engine/index.js';
import { ddmin, sweep } from '../../src/strategies/index.js';
import { jobSubjects } from '../strategies/job-subjects.js';
import { oracles, testOf } from '../strategies/oracles.js';
import { subjects } from '../strategies/subjects.js';

/** The deltas themselves are the artifact: nothing is in the way of the law under test. */
const bare = (count: number) => ({ name: 'delta', count, build: (configuration: Configuration) => configuration });
type Answered = Extract<Event, { type: 'answered' }>;

async function collect<Result>(run: AsyncGenerator<Event, Exploration<Result>>) {
  const events: Event[] = [];
  for (;;) {
    const { value, done } = await run.next();
    if (done) return { events, end: value as Exploration<Result> };
    events.push(value as Event);
  }
}
const rowsOf = (events: readonly Event[]) =>
  events
    .filter((event): event is Answered => event.type === 'answered')
    .map(({ step, configuration, outcome, known }) => ({ step, configuration, outcome, known }));

describe.each([...subjects, ...jobSubjects])('$name', subject => {
  test('1 to 16 workers that finish in any order give the transcript and the result of one', async () => {
    await fc.assert(
      fc.asyncProperty(oracles, fc.integer({ min: 1, max: 16 }), fc.scheduler(), async (oracle, workers, scheduler) => {
        const ask = testOf(oracle);
        const strategy = subject.make(oracle.count);
        const expected = transcribe(strategy, all(oracle.count), ask);
        const slow = (configuration: Configuration): Promise<Verdict> =>
          scheduler.schedule(Promise.resolve({ outcome: ask(configuration) }));
        const run = collect(explore(strategy, bare(oracle.count), slow, { workers }));
        const { events, end } = await scheduler.waitFor(run);
        expect(rowsOf(events)).toEqual(
          expected.rows.map(({ step, configuration, outcome, known }) => ({ step, configuration, outcome, known })),
        );
        expect(end).toMatchObject({ ended: 'done', result: expected.result });
      }),
      { numRuns: 25 },
    );
  });

  test('no test is run twice', async () => {
    await fc.assert(
      fc.asyncProperty(oracles, fc.integer({ min: 1, max: 8 }), async (oracle, workers) => {
        const ask = testOf(oracle);
        const ran = new Map<string, number>();
        const count = async (configuration: Configuration, signal: AbortSignal): Promise<Verdict> => {
          const outcome = ask(configuration);
          await Promise.resolve();
          if (!signal.aborted) ran.set(key(configuration), (ran.get(key(configuration)) ?? 0) + 1);
          return { outcome };
        };
        await collect(explore(subject.make(oracle.count), bare(oracle.count), count, { workers }));
        for (const times of ran.values()) expect(times).toBe(1);
      }),
      { numRuns: 25 },
    );
  });

  test('a test that throws, rejects or never settles breaks nothing', async () => {
    await fc.assert(
      fc.asyncProperty(oracles, fc.integer({ min: 1, max: 8 }), async (oracle, workers) => {
        const ask = testOf(oracle);
        const naughty = (configuration: Configuration, signal: AbortSignal): Promise<Verdict> => {
          const outcome = ask(configuration);
          if (outcome !== 'unresolved') return Promise.resolve({ outcome });
          if (configuration.length % 4 === 0) throw new Error('thrown');
          if (configuration.length % 4 === 2 && !signal.aborted) return Promise.reject(new Error('rejected'));
          return Promise.resolve({ outcome });
        };
        const expected = transcribe(subject.make(oracle.count), all(oracle.count), ask);
        const { end } = await collect(explore(subject.make(oracle.count), bare(oracle.count), naughty, { workers }));
        expect(end).toMatchObject({ ended: 'done', result: expected.result });
      }),
      { numRuns: 25 },
    );
  });
});

const needs = (count: number, ...deltas: number[]) => testOf({ count, culprits: deltas, needs: [], noise: 0, seed: 1 });
const answer = (ask: (c: Configuration) => Outcome) => async (c: Configuration) => ({ outcome: ask(c) });

test('a test that never settles is left behind when the run is interrupted, and the best so far is the result', async () => {
  const stop = new AbortController();
  const ask = needs(32, 3, 17);
  let asked = 0;
  const hangs = (configuration: Configuration): Promise<Verdict> => {
    if (++asked < 8) return Promise.resolve({ outcome: ask(configuration) });
    setTimeout(() => stop.abort(), 5);
    return new Promise(() => {});
  };
  const { end } = await collect(explore(ddmin(), bare(32), hangs, { workers: 3, signal: stop.signal }));
  expect(end.ended).toBe('interrupted');
  expect(ask(end.best)).toBe('fail');
});

test('a budget of tests stops at the same step and the same best on any number of workers', async () => {
  const ask = needs(64, 5, 6, 40, 41, 63);
  const ends = await Promise.all(
    [1, 2, 5, 16].map(workers => collect(explore(sweep(), bare(64), answer(ask), { workers, maxTests: 12 }))),
  );
  for (const { end, events } of ends) {
    expect(end).toEqual(ends[0]!.end);
    expect(end.ended).toBe('budget');
    expect(rowsOf(events)).toEqual(rowsOf(ends[0]!.events));
  }
});

test('a verdict in the memory is not tested again, and the transcript is the same as without it', async () => {
  const ask = needs(40, 2, 30, 31);
  const memory = memoryOf();
  const identify = (configuration: Configuration) => configuration.join();
  const first = new Counter();
  const before = await collect(explore(sweep(), bare(40), answer(ask), { memory, identify, counter: first }));
  const second = new Counter();
  const after = await collect(
    explore(sweep(), bare(40), answer(ask), { memory, identify, counter: second, workers: 4 }),
  );
  expect(second.started).toBe(0);
  expect(rowsOf(after.events)).toEqual(rowsOf(before.events));
});

test('an infeasible configuration is unresolved and costs no test', async () => {
  const ask = needs(12, 3, 4);
  const counter = new Counter();
  const pairs = { name: 'delta', count: 12, build: (c: Configuration) => (has(c, 3) && !has(c, 2) ? undefined : c) };
  const { events } = await collect(explore(ddmin(), pairs, answer(ask), { counter }));
  const infeasible = events.filter(event => event.type === 'answered' && event.reason === 'infeasible');
  expect(infeasible.length).toBeGreaterThan(0);
  expect(counter.counts.tests - counter.counts.cached).toBe(counter.spent);
});

test('with monotony a subset of a passing configuration is taken as passing without a test', async () => {
  const ask = needs(8, 6);
  const plain = new Counter();
  const monotone = new Counter();
  const { end } = await collect(
    explore(ddmin({ parts: 'subsets and complements' }), bare(8), answer(ask), { counter: plain }),
  );
  const other = await collect(
    explore(ddmin({ round: 'complete' }), bare(8), answer(ask), { monotony: true, counter: monotone, workers: 4 }),
  );
  expect(other.end.best).toEqual(end.best);
});

test('with monotony too, any number of workers gives the transcript of one', async () => {
  const strategies = [() => ddmin({ round: 'complete' }), () => ddmin(), () => sweep({ lanes: 4 })];
  await fc.assert(
    fc.asyncProperty(
      oracles,
      fc.integer({ min: 2, max: 9 }),
      fc.nat(2),
      fc.scheduler(),
      async (oracle, workers, which, s) => {
        const ask = testOf(oracle);
        // Noise that passes, so that subsets of a passing configuration may well fail.
        const noisy = (c: Configuration): Outcome => (ask(c) === 'unresolved' ? 'pass' : ask(c));
        const make = strategies[which] as () => ReturnType<typeof sweep>;
        const counter = new Counter();
        const one = await collect(explore(make(), bare(oracle.count), answer(noisy), { monotony: true, counter }));
        const slow = (c: Configuration) => s.schedule(Promise.resolve<Verdict>({ outcome: noisy(c) }));
        const many = await s.waitFor(collect(explore(make(), bare(oracle.count), slow, { monotony: true, workers })));
        expect(rowsOf(many.events)).toEqual(rowsOf(one.events));
        expect(counter.spent).toBe(counter.started);
      },
    ),
    { numRuns: 60 },
  );
});

test('two configurations with the same content are one test, also when both are wanted at once', async () => {
  const list = [1, 1, 1, 1, 2, 1, 1, 1];
  const ran: string[] = [];
  const circumstance = elements(list);
  const run = async (each: readonly number[]): Promise<Verdict> => {
    ran.push(each.join());
    return { outcome: each.includes(2) ? 'fail' : 'pass' };
  };
  await collect(explore(ddmin(), circumstance, run, { workers: 8, identify: each => each.join() }));
  expect(new Set(ran).size).toBe(ran.length);
});

test('without memory every question is tested again', async () => {
  const ask = needs(8, 0, 6, 7);
  const runs: string[] = [];
  const count = async (configuration: Configuration) => {
    runs.push(key(configuration));
    return { outcome: ask(configuration) };
  };
  const { events } = await collect(explore(ddmin(), bare(8), count, { remember: false, workers: 4 }));
  expect(runs).toHaveLength(rowsOf(events).length);
  expect(new Set(runs).size).toBeLessThan(runs.length);
});

test('with few tests allowed ahead, no more are in vain on any number of workers, and the transcript is the same', async () => {
  await fc.assert(
    fc.asyncProperty(oracles, fc.integer({ min: 1, max: 16 }), fc.nat(6), async (oracle, workers, mostAhead) => {
      const ask = testOf(oracle);
      const expected = transcribe(sweep(), all(oracle.count), ask);
      const counter = new Counter();
      const test = async (configuration: Configuration): Promise<Verdict> => ({ outcome: ask(configuration) });
      const run = explore(sweep(), bare(oracle.count), test, { workers, mostAhead, counter });
      const { events } = await collect(run);
      expect(rowsOf(events)).toHaveLength(expected.rows.length);
      expect(counter.counts.speculative).toBeLessThanOrEqual(mostAhead);
    }),
  );
});

test('idle workers take a likely question of the next search before an unlikely one of this search', async () => {
  const stop = new AbortController();
  const begun: string[] = [];
  const workers = 16;
  const next = Array.from({ length: workers }, (_, i) => ({ artifact: [1000 + i, 1001 + i], probability: 1 }));
  const stats = new OutcomeStats();
  for (let i = 0; i < 100; i++) stats.learn('group', i % 10 === 0 ? 'fail' : 'pass');
  const never = (artifact: Configuration, signal: AbortSignal) => {
    begun.push(key(artifact));
    return new Promise<Verdict>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const run = explore(sweep({ prove: false }), bare(2), never, {
    workers,
    stats,
    identify: key,
    memory: memoryOf(),
    signal: stop.signal,
    async *beyond(best) {
      if (best.length > 0 && best[1] === 2) yield* next;
    },
  });
  const first = run.next();
  while (begun.length < workers) await new Promise(resolve => setImmediate(resolve));
  stop.abort();
  await first;
  // This search has three questions at most, and the last of them is asked only after a success.
  expect(begun).not.toContain(key([]));
  expect(begun.filter(name => next.some(({ artifact }) => key(artifact) === name)).length).toBeGreaterThan(workers - 3);
});
