/** A long member that only one of two JSON texts has is taken apart. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { all, deltasOf, empty, of } from '../../../src/core/index.js';
import { differencesAt } from '../../../src/plans/isolate/differences.js';
import { segmentsDiffering } from '../../../src/plans/isolate/segments.js';

const written = (value: unknown): string => JSON.stringify(value, null, 2);
const artifactOf = (text: string) => ({
  files: new Map([['a.json', { kind: 'file' as const, bytes: Buffer.from(text) }]]),
});
const field = (name: string) => ({ type: 'string', description: `${name} of an order, as a customer sees it` });
const schema = Object.fromEntries(['id', 'name', 'price', 'count', 'state', 'owner'].map(name => [name, field(name)]));
const passing = written({ kind: 'api', schemas: { User: { id: 1 } } });
const failing = written({ kind: 'api', schemas: { User: { id: 1 }, Order: { properties: schema } } });

test('each of its members is a delta, and it is there as long as one of them is', () => {
  const opened = segmentsDiffering('a.json', passing, failing, true)!;
  expect(segmentsDiffering('a.json', passing, failing)!.count).toBe(1);
  expect(opened.count).toBe(6);
  expect(opened.build(empty)).toBe(passing);
  expect(opened.build(all(6))).toBe(failing);
  expect(JSON.parse(opened.build(of([2]))!)).toEqual({
    kind: 'api',
    schemas: { User: { id: 1 }, Order: { properties: { price: field('price') } } },
  });
  expect(opened.describe!(2)).toContain('"price"');
});

test('the same holds for what only the passing text has', () => {
  const opened = segmentsDiffering('a.json', failing, passing, true)!;
  expect(opened.build(empty)).toBe(failing);
  expect(opened.build(all(6))).toBe(passing);
  expect(JSON.parse(opened.build(of([0, 1, 3, 4, 5]))!).schemas.Order).toEqual({
    properties: { price: field('price') },
  });
});

test('a short member, and a row of a table, stay whole', () => {
  const [old, now] = [written({ a: 1 }), written({ a: 1, b: { c: 1, d: 2 } })];
  expect(segmentsDiffering('a.json', old, now, true)!.count).toBe(1);
  const cells = Array.from({ length: 90 }, (_, i) => `cell ${i}`).join(',');
  expect(segmentsDiffering('a.csv', `${cells}\n`, `${cells}\n${cells.replaceAll('cell', 'more')}\n`, true)!.count).toBe(
    1,
  );
});

test('a member that only moved stays one delta', () => {
  const order = { Order: { properties: schema } };
  const [old, now] = [written({ ...order, a: 1 }), written({ a: 1, ...order })];
  const opened = segmentsDiffering('a.json', old, now, true)!;
  expect(opened.build(empty)).toBe(old);
  expect(opened.build(all(opened.count))).toBe(now);
  for (const delta of deltasOf(all(opened.count))) expect(() => JSON.parse(opened.build(of([delta]))!)).not.toThrow();
});

test('members that are nested deeply, and many of them, take no longer than others', () => {
  let deep: unknown = field('last');
  for (let i = 0; i < 180; i++) deep = { a: deep };
  const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, i]));
  for (const added of [{ deep }, many, { many }]) {
    const [old, now] = [JSON.stringify({ kept: 1 }), JSON.stringify({ kept: 1, ...added })];
    const opened = segmentsDiffering('a.json', old, now, true)!;
    expect(opened.build(empty)).toBe(old);
    expect(opened.build(all(opened.count))).toBe(now);
  }
});

test('if there is nothing to take apart, the level has no deltas', async () => {
  const pair = { passing: artifactOf(written({ a: 1 })), failing: artifactOf(written({ a: 2, b: 3 })) };
  expect((await differencesAt('member', pair)).count).toBe(2);
  expect((await differencesAt('inner member', pair)).count).toBe(0);
});

test('none of the deltas is the passing text, all are the failing one, and every mix is JSON', () => {
  const { value } = fc.letrec(tie => ({
    value: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.string({ maxLength: 60 }), tie('list'), tie('object')),
    list: fc.array(tie('value'), { maxLength: 4 }),
    object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), tie('value')),
  }));
  const object = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), value);
  fc.assert(
    fc.property(object, object, fc.infiniteStream(fc.boolean()), (a, b, choice) => {
      const opened = segmentsDiffering('a.json', written(a), written(b), true);
      if (!opened) return;
      expect(opened.build(empty)).toBe(written(a));
      expect(opened.build(all(opened.count))).toBe(written(b));
      const some = of([...deltasOf(all(opened.count))].filter(() => choice.next().value));
      expect(() => JSON.parse(opened.build(some)!)).not.toThrow();
    }),
  );
});
