import fc from 'fast-check';
import { expect, test } from 'vitest';
import { characters, lines, tokens } from '../../src/circumstances/text.js';
import type { Verdict } from '../../src/core/index.js';
import { Counter, type Event, memoryOf } from '../../src/engine/index.js';
import type { Pass } from '../../src/plans/pass.js';
import { type SimplifyOptions, simplify } from '../../src/plans/simplify.js';
import { editing } from '../../src/reductions/edits.js';

const lexical: readonly Pass<string>[] = [
  { name: 'lines', proves: 'line', stable: true, over: lines },
  { name: 'tokens', proves: 'token', skipsRefused: 'always', over: tokens },
  { name: 'characters', proves: 'character', stable: true, over: characters },
];
const settings: SimplifyOptions<string> = { identify: text => text, measure: text => text.length };

async function run(
  text: string,
  passes: readonly Pass<string>[],
  fails: (text: string) => boolean,
  options: Partial<SimplifyOptions<string>> = {},
) {
  const events: Event[] = [];
  const ask = async (each: string): Promise<Verdict> => ({ outcome: fails(each) ? 'fail' : 'pass' });
  const steps = simplify(text, passes, ask, { ...settings, ...options });
  for (;;) {
    const step = await steps.next();
    if (step.done) return { events, ...step.value };
    events.push(step.value);
  }
}

test('what is called minimal by line, token and character is so', async () => {
  const words = fc.array(fc.constantFrom('a', 'bb', 'ccc', '(', ')', '\n', ' ', 'd\n'), {
    minLength: 1,
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(
      words,
      fc.constantFrom('a', 'bb', '(', 'c', 'd'),
      fc.constantFrom(')', 'a', '\n', 'b'),
      async (list, x, y) => {
        const text = list.join('');
        const fails = (each: string) => each.includes(x) && each.lastIndexOf(y) > each.indexOf(x);
        fc.pre(fails(text));
        const { artifact, minimal, ended } = await run(text, lexical, fails);
        expect([ended, minimal]).toEqual(['done', ['line', 'token', 'character']]);
        for (const cut of [lines, tokens, characters]) {
          const { count, build } = cut(artifact);
          for (let delta = 0; delta < count; delta++) {
            const without = build([...(delta > 0 ? [0, delta] : []), ...(delta + 1 < count ? [delta + 1, count] : [])]);
            expect(fails(without!)).toBe(false);
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('a pass that was fruitless on this very artifact is not run on it again', async () => {
  let asked = 0;
  const idle: Pass<string> = {
    name: 'idle',
    over(text) {
      asked++;
      return editing('idle', text, [{ spans: [{ start: 0, end: text.length, text: '' }] }]);
    },
  };
  await run('abc', [idle, ...lexical], text => text === 'abc');
  // Once in a quick round and once in a thorough one: nothing changed in between.
  expect(asked).toBe(2);
});

test('two passes that undo each other come to an end, and never to something larger', async () => {
  const swap = (from: string, to: string): Pass<string> => ({
    name: `${from} to ${to}`,
    over: text =>
      text.includes(from)
        ? editing('swap', text, [
            { spans: [{ start: text.indexOf(from), end: text.indexOf(from) + from.length, text: to }] },
          ])
        : undefined,
  });
  const { artifact, ended } = await run('xa', [swap('a', 'b'), swap('b', 'a'), swap('x', 'xyz')], text =>
    /^x/.test(text),
  );
  expect(ended).toBe('done');
  expect(artifact.length).toBeLessThanOrEqual(2);
});

test('the transcript is the same on any number of workers', async () => {
  const text = Array.from({ length: 60 }, (_, i) => `line ${i} (${i * 7})`).join('\n');
  const fails = (each: string) => each.includes('7') && each.includes('(') && each.split('\n').length > 3;
  const [one, ...others] = await Promise.all(
    [1, 3, 8].map(workers => run(text, lexical, fails, { workers, counter: new Counter() })),
  );
  for (const other of others) expect(other).toEqual(one);
});

test('of a large artifact large parts are asked for first only where the small ones are needed for the moment', async () => {
  const text = Array.from({ length: 400 }, (_, i) => `line ${i}: ${'x'.repeat(20)}\n`).join('');
  const rough: boolean[] = [];
  const pass: Pass<string> = {
    name: 'lines',
    proves: 'line',
    rough: 1_000,
    over(each, isRough) {
      rough.push(isRough === true);
      return lines(each);
    },
  };
  // One line of many: the first questions take most of the text away, and nothing has to be rough.
  const small = await run(text, [pass], each => each.includes('line 77:'));
  expect(small.artifact).toMatch(/^line 77:.*\n$/);
  expect(rough.slice(0, 2)).not.toContain(true);

  // Two lines of three: whatever takes little away waits until large parts were tried.
  rough.length = 0;
  const needed = text.split('\n').filter((_, i) => i % 3 !== 0);
  const dense = await run(text, [pass], each => needed.every(line => each.includes(line)));
  expect(dense.artifact.trim().split('\n')).toHaveLength(needed.filter(Boolean).length);
  expect(rough.slice(0, 2)).toEqual([false, true]);
  expect(dense.minimal).toEqual(['line']);
});

test('a pass that is blind to blank space looks again only for the proof where nothing else went', async () => {
  const looks: string[] = [];
  const blind: Pass<string> = {
    name: 'blind',
    ignoresWhitespace: true,
    over(text) {
      looks.push(text);
      return editing('blind', text, [{ spans: [{ start: 0, end: text.length, text: '' }] }]);
    },
  };
  const gist = (text: string): string => text.replaceAll(' ', '');
  const fails = (text: string): boolean => gist(text) === 'abc';
  const { artifact } = await run('a  b  c', [blind, ...lexical], fails, { identifyIgnoringWhitespace: gist });
  expect(artifact).toBe('abc');
  expect(looks).toEqual(['a  b  c', 'abc']);
});

test('a pass that makes room looks again at once where it took half away, and not in later stages', async () => {
  const looks: number[] = [];
  const early: Pass<string> = {
    name: 'early',
    early: true,
    over(text) {
      looks.push(text.length);
      return text.length < 2
        ? undefined
        : editing('half', text, [{ spans: [{ start: 0, end: text.length >> 1, text: '' }] }]);
    },
  };
  await run('abcdefgh', [early, ...lexical], text => text.endsWith('gh'));
  expect(looks).toEqual([8, 4, 2]);
});

test('workers that look beyond the end of a pass change nothing but the time', async () => {
  const text = Array.from({ length: 24 }, (_, i) => `line${i} (word${i % 5} x)`).join('\n');
  const fails = (each: string) => /line3\b/.test(each) && /word2/.test(each) && each.includes('(');
  const searched = async (workers: number, seed: number) => {
    let state = seed;
    const begun = { most: 0, now: 0 };
    const events: Event[] = [];
    const ask = async (each: string): Promise<Verdict> => {
      begun.most = Math.max(begun.most, ++begun.now);
      state = (state * 1103515245 + 12345) % 2147483648;
      for (let turns = state % 7; turns > 0; turns--) await new Promise(resolve => setImmediate(resolve));
      begun.now--;
      return { outcome: fails(each) ? 'fail' : 'pass' };
    };
    const steps = simplify(text, lexical, ask, { ...settings, workers, memory: memoryOf(), confirm: 2 });
    for (;;) {
      const step = await steps.next();
      if (step.done) return { events, end: step.value, most: begun.most };
      events.push(step.value);
    }
  };
  const alone = await searched(1, 1);
  for (const [workers, seed] of [
    [4, 2],
    [16, 3],
    [64, 4],
  ] as const) {
    const many = await searched(workers, seed);
    expect(many.events).toEqual(alone.events);
    expect(many.end).toEqual(alone.end);
    expect(many.most).toBeGreaterThan(1);
  }
});
