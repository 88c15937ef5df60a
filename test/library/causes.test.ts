import { expect, test } from 'vitest';
import { causes, type Event } from '../../src/index.js';

const letters = [...'abcdefghij'];
/** `a` and `d` fail together, and so does `g`. */
const fails = (list: readonly string[]) => (list.includes('a') && list.includes('d')) || list.includes('g');

test('finds every cause and every way to avoid the failure, the same on any number of workers', async () => {
  const found = await causes(letters, fails);
  expect(found).toMatchObject({ complete: true, ended: 'done', unknown: [], needed: [] });
  expect(found.causes).toEqual([['a', 'd'], ['g']]);
  expect(found.avoid).toEqual([
    ['a', 'g'],
    ['d', 'g'],
  ]);
  for (const workers of [2, 8]) {
    const { executed: _, ...same } = await causes(letters, fails, { workers });
    const { executed: __, ...one } = found;
    expect(same).toEqual(one);
  }
});

test('each cause is an event as soon as it is found', async () => {
  const events: Event[] = [];
  for await (const event of causes(letters, fails)) events.push(event);
  const notices = events.filter(event => event.type === 'noticed');
  expect(notices.map(({ text }) => text)).toEqual(['cause 1: a and d', 'cause 2: g']);
  expect(events.indexOf(notices[0]!)).toBeLessThan(events.length - 3);
});

test('a cause that does not fail again at the end is not listed, and nothing is called complete', async () => {
  let alone = 0;
  const found = await causes(letters, list => (list.join('') === 'g' ? ++alone === 1 : fails(list)));
  expect(found).toMatchObject({ causes: [['a', 'd']], complete: false });
});

test('says that it stopped at the limit only if there is more', async () => {
  const one = await causes(letters, fails, { limit: 1 });
  expect(one).toMatchObject({ complete: false, causes: [['a', 'd']] });
  expect(one.sentence).toBe('At least 1 cause; stopped at the limit.');
  expect(await causes(letters, fails, { limit: 3 })).toMatchObject({ complete: true });
});

test('a limit that leaves nothing to find, a test that never fails and one that always does are refused', async () => {
  expect(() => causes(letters, fails, { limit: 0 })).toThrow('A limit of 0 leaves nothing to find.');
  await expect(causes(letters, () => false)).rejects.toThrow('passes on the whole input');
  await expect(causes(letters, () => true)).rejects.toThrow('fails on the empty input too');
  await expect(causes([], () => true)).rejects.toThrow('the input is empty');
});

test('what is always needed is named, and is part of no cause', async () => {
  const found = await causes(letters, list => (list.includes('j') ? fails(list) : 'unresolved'));
  expect(found).toMatchObject({ complete: true, needed: ['j'], causes: [['a', 'd'], ['g']] });
  expect(found.avoid).toContainEqual(['d', 'g']);
});

test('a combination that cannot be judged is listed, and nothing is called complete', async () => {
  const found = await causes(letters, list => (list.includes('d') || !list.includes('e') ? fails(list) : 'unresolved'));
  expect(found.complete).toBe(false);
  expect(found.unknown).toEqual([['d', 'g']]);
  expect(found.sentence).toBe('At least 2 causes; 1 combination could not be judged, and may hide more.');
  for (const set of found.avoid) expect(fails(letters.filter(each => !set.includes(each)))).toBe(false);
});

test('a test that is not monotone is noticed, and what still holds is said', async () => {
  const found = await causes([...'01234567'], list => {
    const has = (digit: string) => list.includes(digit);
    return has('2') && (has('6') || !has('0'));
  });
  expect(found.complete).toBe(false);
  expect(found.sentence).toMatch(/^At least 1 cause; .*The test is not monotone: 2 fails, but passes together with /);
});

test('a budget stops it with what was found', async () => {
  const found = await causes(letters, fails, { maxTests: 14 });
  expect(found).toMatchObject({ ended: 'budget', complete: false });
  expect(found.sentence).toMatch(/budget/);
});

test('a text is taken by lines, or finer', async () => {
  const text = 'let a = 1;\nthrow a;\nlet b = 2;\ncrash();\n';
  const found = await causes(text, each => /throw|crash/.test(each));
  expect(found.causes).toEqual([['throw a;\n'], ['crash();\n']]);
  expect((await causes('a throw b crash', each => /throw|crash/.test(each), { by: 'token' })).causes.flat()).toEqual([
    'throw',
    'crash',
  ]);
});
