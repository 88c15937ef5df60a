/** A large input is read while its first run is under way. */
import { expect, test } from 'vitest';
import type { Artifact } from '../../src/core/artifact.js';
import type { Pass } from '../../src/plans/pass.js';
import { beginEarly } from '../../src/plans/reduce/begin-early.js';
import { reducePasses } from '../../src/plans/reduce/passes.js';

const artifactOf = (text: string): Artifact => ({
  files: new Map([['a.c', { kind: 'file', bytes: Buffer.from(text) }]]),
});
const original = artifactOf(Array.from({ length: 900 }, (_, i) => `int f${i}() { return ${i}; }\n`).join(''));

test('what the first pass offers is computed at once, and only once; nothing is offered that it would not offer', async () => {
  const passes = await reducePasses(original, {});
  const asked: string[] = [];
  const counted = passes.map(
    (pass): Pass<Artifact> => ({
      ...pass,
      over(artifact, rough, place) {
        asked.push(pass.name);
        return pass.over(artifact, rough, place);
      },
    }),
  );
  const { passes: begun, begin } = beginEarly(counted, original);
  begin();
  const first = begun.findIndex(({ name }) => name === 'halves');
  const offered = (await begun[first]!.over(original))!;
  const expected = (await passes[first]!.over(original))!;
  expect(offered.count).toBe(expected.count);
  expect(offered.build([0, 2])).toEqual(expected.build([0, 2]));
  expect(asked.filter(name => name === 'halves')).toHaveLength(1);
  // Passes after the first that offers something are not begun.
  expect(asked).not.toContain('slices');
  const smaller = offered.build([0, 9])!;
  await begun[first]!.over(smaller);
  expect(asked.filter(name => name === 'halves')).toHaveLength(2);
});

test('an error while it is read is the error of the search, and of nobody else', async () => {
  const broken: Pass<Artifact> = { name: 'broken', early: true, over: () => Promise.reject(new Error('too deep')) };
  const {
    passes: [pass],
    begin,
  } = beginEarly([broken], original);
  begin();
  await new Promise(resolve => setImmediate(resolve));
  await expect(pass!.over(original)).rejects.toThrow('too deep');
});
