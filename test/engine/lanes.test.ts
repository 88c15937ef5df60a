import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elements } from '../../src/circumstances/sequence.js';
import type { Verdict } from '../../src/core/index.js';
import {
  Counter,
  type Event,
  type ExploreOptions,
  explore,
  joinTests,
  type LaneOptions,
  localRoom,
  memoryOf,
  openLanes,
  type Room,
} from '../../src/engine/index.js';
import { sweep } from '../../src/strategies/index.js';

type Text = readonly string[];

/** Each search wants another letter to stay. All of them meet the same contents, because letters are few. */
const searches = fc.array(
  fc.record({
    letters: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 10 }),
    needed: fc.constantFrom('a', 'b', 'c', 'd'),
  }),
  { minLength: 1, maxLength: 5 },
);
type Wanted = { readonly letters: Text; readonly needed: string };

const identify = (text: Text) => text.join('');

/** What is seen does not depend on who asks; what it means does. */
const judged = (needed: string, seen: Verdict): Verdict => ({
  outcome: seen.signature?.includes(needed) ? 'fail' : 'pass',
  ...(seen.signature === undefined ? {} : { signature: seen.signature }),
});
function searchFor({ letters, needed }: Wanted, see: (text: Text, signal: AbortSignal) => Promise<Verdict>) {
  const all = [needed, ...letters];
  return (options: ExploreOptions<Text>) =>
    explore(sweep(), elements(all), async (text, signal) => judged(needed, await see(text, signal)), {
      ...options,
      identify,
      memory: {
        recall: name => {
          const seen = options.memory?.recall(name);
          return seen && judged(needed, seen);
        },
        record: (name, verdict) => options.memory?.record(name, verdict),
      },
    });
}

async function collect<Result>(run: AsyncGenerator<Event, Result>) {
  const events: Event[] = [];
  for (;;) {
    const step = await run.next();
    if (step.done) return { events, result: step.value };
    events.push(step.value);
  }
}

test('searches in lanes give the transcript of one after the other, whatever finishes first, and never run the same test at the same time', async () => {
  await fc.assert(
    fc.asyncProperty(searches, fc.integer({ min: 1, max: 9 }), fc.scheduler(), async (wanted, capacity, scheduler) => {
      const plain = async (text: Text): Promise<Verdict> => ({ outcome: 'fail', signature: identify(text) });
      const [memory, counter] = [memoryOf(), new Counter()];
      const expected: unknown[] = [];
      for (const each of wanted) expected.push(await collect(searchFor(each, plain)({ memory, counter })));

      const running = new Set<string>();
      const slow = joinTests((text: Text, signal) => {
        const name = identify(text);
        expect(running).not.toContain(name);
        running.add(name);
        signal.addEventListener('abort', () => running.delete(name));
        return scheduler.schedule(Promise.resolve(name)).then(async () => {
          if (!signal.aborted) running.delete(name);
          return plain(text);
        });
      }, identify);
      const shared = memoryOf();
      const own = new Counter();
      const starts = wanted.map(
        each => (options: LaneOptions) => searchFor(each, slow)({ ...options, memory: shared }),
      );
      const lanes = openLanes(starts, { room: localRoom(capacity), counter: own });
      const followed: unknown[] = [];
      const follow = async () => {
        for (const i of wanted.keys()) followed.push(await collect(lanes.follow(i)));
      };
      await scheduler.waitFor(follow());
      await lanes.close();
      expect(followed).toEqual(expected);
      expect({ ...own.counts, speculative: 0 }).toEqual({ ...counter.counts, speculative: 0 });
    }),
    { numRuns: 40 },
  );
});

/** A search that waits until it is stopped, and reports what it may use. */
async function* waiting({ room, signal }: LaneOptions, shares: (() => number)[]): AsyncGenerator<Event, string> {
  shares.push(() => room.capacity());
  yield { type: 'noticed', what: 'note', text: 'began' };
  if (!signal.aborted)
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }));
  return 'stopped';
}

test('lanes share the room evenly, and more begin when it grows', async () => {
  let [capacity, changed] = [2, () => {}];
  const room: Room = {
    capacity: () => capacity,
    onCapacityChange(listener) {
      changed = listener;
      return () => {};
    },
  };
  const shares: (() => number)[] = [];
  const starts = Array.from({ length: 3 }, () => (options: LaneOptions) => waiting(options, shares));
  const lanes = openLanes(starts, { room, counter: new Counter() });
  expect(shares.map(share => share())).toEqual([1, 1]);
  capacity = 8;
  changed();
  expect(shares.map(share => share())).toEqual([3, 3, 2]);
  const first = collect(lanes.follow(0));
  await lanes.close();
  expect((await first).result).toBe('stopped');
});

test('a search that breaks is reported when its turn comes', async () => {
  // biome-ignore lint/correctness/useYield: it breaks before.
  async function* broken(): AsyncGenerator<Event, string> {
    throw new Error('no room on the disk');
  }
  async function* fine(): AsyncGenerator<Event, string> {
    yield { type: 'noticed', what: 'note', text: 'fine' };
    return 'fine';
  }
  const lanes = openLanes([fine, broken], { room: localRoom(2), counter: new Counter() });
  expect((await collect(lanes.follow(0))).result).toBe('fine');
  await expect(collect(lanes.follow(1))).rejects.toThrow('no room on the disk');
  await lanes.close();
});

test('a joined test goes on as long as one of its callers waits, and is stopped after the last', async () => {
  let stopped = 0;
  let finish: (verdict: Verdict) => void = () => {};
  const joined = joinTests(
    (_: string, signal) =>
      new Promise<Verdict>((resolve, reject) => {
        finish = resolve;
        signal.addEventListener('abort', () => {
          stopped++;
          reject(signal.reason);
        });
      }),
    text => text,
  );
  const [one, two] = [new AbortController(), new AbortController()];
  const [first, second] = [joined('x', one.signal), joined('x', two.signal)];
  one.abort(new Error('not needed'));
  await expect(first).rejects.toThrow('not needed');
  expect(stopped).toBe(0);
  finish({ outcome: 'pass' });
  expect(await second).toEqual({ outcome: 'pass' });
  const three = new AbortController();
  const third = joined('x', three.signal);
  three.abort(new Error('not needed'));
  await expect(third).rejects.toThrow('not needed');
  expect(stopped).toBe(1);
});

test('a slow search does not let any number of others pass, whose events would fill the memory', async () => {
  let begun = 0;
  let finish = () => {};
  const slow = new Promise<void>(resolve => {
    finish = resolve;
  });
  const starts = Array.from({ length: 200 }, (_, i) => {
    return async function* (): AsyncGenerator<Event, number> {
      begun++;
      if (i === 0) await slow;
      yield { type: 'noticed', what: 'note', text: `${i}` };
      return i;
    };
  });
  const lanes = openLanes(starts, { room: localRoom(2), counter: new Counter() });
  const first = collect(lanes.follow(0));
  let before = -1;
  while (begun > before) {
    before = begun;
    for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve));
  }
  expect(begun).toBeLessThan(50);
  finish();
  expect((await first).result).toBe(0);
  for (let i = 1; i < starts.length; i++) expect((await collect(lanes.follow(i))).result).toBe(i);
  await lanes.close();
});
