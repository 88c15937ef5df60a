import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lines } from '../../src/circumstances/text.js';
import type { Test, Verdict } from '../../src/core/index.js';
import { Counter, type Event, memoryOf } from '../../src/engine/index.js';
import { confirm, History } from '../../src/plans/confirm.js';
import { simplify } from '../../src/plans/simplify.js';

const identify = (text: string) => text;
const measure = (text: string) => text.length;
const passes = [{ name: 'lines', proves: 'line', over: lines }];
const fail: Verdict = { outcome: 'fail' };
const pass: Verdict = { outcome: 'pass' };

async function finish<Result>(run: AsyncGenerator<Event, Result>) {
  const events: Event[] = [];
  for (;;) {
    const step = await run.next();
    if (step.done) return { result: step.value, events };
    events.push(step.value);
  }
}

/** Fails the first time that it sees a text, and then only if the text has at least so many lines. */
function onTheEdge(least: number): { readonly test: Test<string>; readonly runs: string[] } {
  const runs: string[] = [];
  return {
    runs,
    async test(text) {
      const isNew = !runs.includes(text);
      runs.push(text);
      if (!text.includes('bug')) return pass;
      return isNew || text.split('\n').length > least ? fail : pass;
    },
  };
}

const original = 'a\nb\nc\nbug\nd\n';

test('a result that does not fail again gives way to the newest one that does, and nothing is called proven', async () => {
  const { test: edge } = onTheEdge(2);
  const counter = new Counter();
  const { result, events } = await finish(
    simplify(original, passes, edge, { identify, measure, counter, memory: memoryOf(), confirm: 3 }),
  );
  expect(result.ended).toBe('done');
  expect(result.minimal).toEqual([]);
  expect(result.artifact).toContain('bug');
  expect(result.artifact.split('\n').length).toBeGreaterThan(2);
  expect(events.filter(event => event.type === 'noticed')).toHaveLength(1);
});

test('a result that holds keeps its proof, and the tests that confirm it are counted and really run', async () => {
  const needed: string[] = [];
  const stable: Test<string> = async text => {
    needed.push(text);
    return text.includes('bug') ? fail : pass;
  };
  const [plain, confirmed] = [new Counter(), new Counter()];
  const options = { identify, measure };
  await finish(simplify(original, passes, stable, { ...options, counter: plain, memory: memoryOf() }));
  needed.length = 0;
  const { result } = await finish(
    simplify(original, passes, stable, { ...options, counter: confirmed, memory: memoryOf(), confirm: 3 }),
  );
  expect(result).toMatchObject({ artifact: 'bug\n', minimal: ['line'] });
  expect(confirmed.counts.tests).toBe(plain.counts.tests + 3);
  expect(confirmed.counts.executed).toBe(plain.counts.executed + 3);
  expect(needed.slice(-3)).toEqual(['bug\n', 'bug\n', 'bug\n']);
});

test('a run that is replayed from its memory tests nothing again and tells the same', async () => {
  const { test: edge, runs } = onTheEdge(3);
  const verdicts = new Map<string, Verdict>();
  const memory = {
    recall: (name: string) => verdicts.get(name),
    record: (name: string, verdict: Verdict) => void (verdicts.has(name) || verdicts.set(name, verdict)),
  };
  const go = () => finish(simplify(original, passes, edge, { identify, measure, memory, confirm: 3 }));
  const first = await go();
  const ran = runs.length;
  expect(await go()).toEqual(first);
  expect(runs).toHaveLength(ran);
});

test('if nothing fails every time, the smallest stays and a message says so', async () => {
  let count = 0;
  const flaky: Test<string> = async text => (text.includes('bug') && count++ % 2 === 0 ? fail : pass);
  const { result, events } = await finish(simplify('bug\n', passes, flaky, { identify, measure, confirm: 3 }));
  expect(result).toMatchObject({ artifact: 'bug\n', minimal: [] });
  expect(events.some(event => event.type === 'noticed' && event.text.includes('--flaky off'))).toBe(true);
});

test('no budget is left for the last tests: nothing is proven', async () => {
  const stable: Test<string> = async text => (text.includes('bug') ? fail : pass);
  const counter = new Counter();
  await finish(simplify(original, passes, stable, { identify, measure, counter }));
  const { result } = await finish(
    simplify(original, passes, stable, { identify, measure, maxTests: counter.spent + 1, confirm: 3 }),
  );
  expect(result).toMatchObject({ ended: 'budget', artifact: 'bug\n', minimal: [] });
});

test('the way back ends at the newest artifact that holds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 60 }), fc.nat(60), async (length, broken) => {
      const history = Array.from({ length }, (_, i) => i);
      const good = length - 1 - Math.min(broken, length);
      const options = { times: 3, identify: String, counter: new Counter() };
      const { result } = await finish(confirm(history, async i => (i <= good ? fail : pass), options));
      const expected = good < 0 ? length - 1 : good;
      expect(result.artifact).toBe(expected);
      expect(result.how).toBe(good < 0 ? 'unstable' : good === length - 1 ? 'held' : 'went back');
    }),
  );
});

test('a history keeps the original and the newest, and lets go of what is large and old', () => {
  const history = new History('original', () => 10 * 1024 * 1024);
  for (const text of ['a', 'b', 'c', 'd', 'e']) history.add(text);
  expect(history.upTo('e')).toEqual(['original', 'c', 'd', 'e']);
});
