import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ddlin,
  ddmin,
  type Event,
  elements,
  isolate,
  type Outcome,
  simplify,
  sweep,
  UserError,
} from '../../src/index.js';

describe('simplify', () => {
  test('a list to the elements that the failure needs', async () => {
    const { value, ended, minimal } = await simplify(
      [3, 1, 4, 1, 5, 9, 2, 6],
      list => list.includes(4) && list.includes(9),
    );
    expect({ value, ended, minimal }).toEqual({ value: [4, 9], ended: 'done', minimal: ['element'] });
  });

  test('a text by lines, tokens and characters until nothing changes', async () => {
    const { value, minimal } = await simplify('let a = 1;\nlet b = 2;\ncrash(b);\n', text => text.includes('crash'));
    expect({ value, minimal }).toEqual({ value: 'crash', minimal: ['line', 'token', 'character'] });
  });

  test('what does not fail again at the end is not called minimal', async () => {
    const once = () => {
      const seen = new Set<string>();
      return (artifact: string | readonly string[]) => {
        const text = [...artifact].join('');
        const isNew = !seen.has(text);
        seen.add(text);
        return isNew && text.includes('x');
      };
    };
    expect(await simplify([...'abxcd'], once())).toMatchObject({ value: ['x'], ended: 'done', minimal: [] });
    expect(await simplify('a\nx\nb\n', once(), { by: 'line' })).toMatchObject({ value: 'x\n', minimal: [] });
  });

  test('what a strategy ends with without a proof is not called minimal', async () => {
    const strategies = [sweep(), ddmin(), ddlin(), sweep({ prove: false })];
    const ofLists = strategies.map(strategy => simplify([1, 2, 4], list => list.includes(4), { strategy }));
    const ofTexts = strategies.map(strategy =>
      simplify('a\nb\n', text => text.includes('b'), { strategy, by: 'line' }),
    );
    for (const [runs, name] of [
      [await Promise.all(ofLists), 'element'],
      [await Promise.all(ofTexts), 'line'],
    ] as const)
      expect(runs.map(({ minimal }) => minimal)).toEqual([[name], [name], [name], []]);
  });

  test('keeps what is not plain text whole: surrogate pairs, CRLF, a missing last newline', async () => {
    const text = 'one\r\ntwo 😀\r\nthree';
    const { value } = await simplify(text, each => each.includes('😀') && each.includes('\r\n'));
    expect([...value].sort()).toEqual(['\n', '\r', '😀'].sort());
  });

  test('an error that is thrown is the failure, and another error is not', async () => {
    const { value } = await simplify([1, 2, 3, 4], list => {
      if (!list.includes(1)) throw new TypeError('another');
      if (list.includes(3)) throw new Error('the one');
    });
    expect(value).toEqual([1, 3]);
  });

  test('an error is not the failure where the first failure was returned', async () => {
    const { value } = await simplify([1, 2, 3, 4, 5, 6, 7, 8], list => {
      if (list.length > 0 && list.length < 3) throw new TypeError('the test broke');
      return list.includes(5);
    });
    expect(value).toContain(5);
    expect(value).toHaveLength(3);
  });

  test('a search whose events are no longer watched can still be awaited', async () => {
    const search = simplify([1, 2, 3, 4, 5, 6, 7, 8], list => list.includes(5));
    for await (const _ of search) break;
    expect((await search).value).toEqual([5]);
  });

  test('any circumstance, with any strategy', async () => {
    const outcome = async (list: readonly string[]): Promise<Outcome> => (list.includes('b') ? 'fail' : 'pass');
    const { value } = await simplify(elements(['a', 'b', 'c'], 'letter'), outcome, { strategy: ddmin() });
    expect(value).toEqual(['b']);
  });

  test('events can be watched as they happen, and the result awaited from the same search', async () => {
    const search = simplify([1, 2, 3, 4, 5, 6, 7, 8], list => list.includes(5), { workers: 3 });
    const seen: Event['type'][] = [];
    for await (const event of search) seen.push(event.type);
    expect(seen[0]).toBe('began');
    expect(seen).toContain('reduced');
    expect((await search).value).toEqual([5]);
  });

  test('a signal stops it with the smallest failure so far, and a budget too', async () => {
    const stop = new AbortController();
    const list = Array.from({ length: 64 }, (_, i) => i);
    const needed = (each: readonly number[]) => each.includes(3) && each.includes(50);
    let asked = 0;
    const stopped = await simplify(
      list,
      each => {
        if (++asked > 9) stop.abort();
        return needed(each);
      },
      { signal: stop.signal },
    );
    expect(stopped.ended).toBe('interrupted');
    expect(needed(stopped.value)).toBe(true);
    const budget = await simplify(list, needed, { maxTests: 5 });
    expect([budget.ended, budget.minimal, needed(budget.value)]).toEqual(['budget', [], true]);
  });

  test('the result does not depend on the number of workers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(99), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 2, max: 9 }),
        async (needed, workers) => {
          const list = Array.from({ length: 100 }, (_, i) => i);
          const test = async (each: readonly number[]) => needed.every(x => each.includes(x));
          const one = await simplify(list, test);
          const many = await simplify(list, test, { workers });
          expect([many.value, many.tests]).toEqual([one.value, one.tests]);
        },
      ),
      { numRuns: 20 },
    );
  });

  const sentence = async (search: PromiseLike<unknown>) => {
    const error = await Promise.resolve(search).then(
      () => undefined,
      (each: unknown) => each,
    );
    expect(error).toBeInstanceOf(UserError);
    return (error as UserError).message;
  };
  test('says in a sentence what is wrong with an empty input, or a test that never or always fails', async () => {
    expect(await sentence(simplify([], () => true))).toMatch('empty');
    expect(await sentence(simplify([1, 2], () => false))).toMatch('no failure to reduce');
    expect(await sentence(simplify([1, 2], () => true))).toMatch('fails on the empty input');
    expect(await sentence(simplify([1, 2], () => 'unresolved'))).toMatch('unresolved');
  });
});

describe('isolate', () => {
  test('the difference between a passing and a failing list', async () => {
    const { difference, passing, failing } = await isolate(['a', 'b', 'c'], ['a', 'x', 'b', 'y', 'c', 'z'], list =>
      list.includes('y'),
    );
    expect(difference).toEqual(['+y']);
    expect(failing.filter(each => !passing.includes(each))).toEqual(['y']);
  });

  test('the difference between two texts, by lines', async () => {
    const good = 'a = 1\nb = 2\nc = 3\n';
    const bad = 'a = 1\nb = 0\nd = 4\nc = 3\n';
    const { difference } = await isolate(good, bad, text => text.includes('b = 0'));
    expect(difference).toEqual(['+b = 0\n']);
  });

  test('a search that is stopped keeps both sides as far as they came', async () => {
    const bad = Array.from({ length: 32 }, (_, i) => i);
    const fails = (list: readonly number[]) => list.includes(3) && list.includes(20);
    const { ended, passing, failing, difference } = await isolate([], bad, fails, { maxTests: 6 });
    expect([ended, fails(passing), fails(failing)]).toEqual(['budget', false, true]);
    expect(difference.length).toBeLessThan(bad.length);
    expect(passing.length).toBeGreaterThan(0);
  });

  test('two inputs that do not differ in outcome are said to be so', async () => {
    await expect(isolate(['a'], ['b'], () => true)).rejects.toThrow('The passing input fails');
    await expect(isolate(['a'], ['a'], () => true)).rejects.toThrow('the same');
  });
});

test('what is not an input, not a test or not an outcome is answered with a sentence', async () => {
  // Without types, a program passes anything.
  const [anyInput, anyPair] = [simplify, isolate] as unknown as ((...values: readonly unknown[]) => Promise<unknown>)[];
  const fails = () => true;
  const said = async (run: () => Promise<unknown> | undefined) => {
    const error = await Promise.resolve()
      .then(run)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UserError);
    return (error as UserError).message;
  };
  expect(await said(() => anyInput?.({ a: 1 }, fails))).toMatch(/an object, and not a text, a list or a circumstance/);
  expect(await said(() => anyInput?.(new Map(), fails))).toMatch(/The input is a Map,/);
  expect(await said(() => anyInput?.(undefined, fails))).toMatch(/The input is undefined,/);
  expect(await said(() => anyInput?.([1]))).toMatch(/The test is undefined, and not a function/);
  expect(await said(() => anyInput?.([1], 'fail'))).toMatch(/The test is a string, and not a function/);
  expect(await said(() => anyInput?.('abc', (text: string) => text.match(/b/)))).toMatch(/The test returned a list,/);
  expect(await said(() => anyInput?.([1], () => 'failed'))).toMatch(/The test returned "failed", which is no outcome/);
  expect(await said(() => anyPair?.({ a: 1 }, { a: 2 }, fails))).toMatch(/The input is an object,/);
  expect(await said(() => anyPair?.('a', ['a'], fails))).toMatch(/One input is a text and the other a list/);
});
