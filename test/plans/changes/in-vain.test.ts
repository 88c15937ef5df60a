import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import { notRunBy, type ScriptsRun } from '../../../src/oracle/coverage/index.js';
import { unlessInVain } from '../../../src/plans/changes/answer/in-vain.js';
import { pairOf } from '../../../src/plans/changes/pair.js';

const artifactOf = (text: string): Artifact => ({
  files: new Map([['a.js', { kind: 'file', executable: false, bytes: Buffer.from(text) }]]),
});
const ran = (units: string): ScriptsRun => new Map([['/test.js', Uint8Array.from(units, Number)]]);

const [old, now, short, long] = ['old', 'now', 'short', 'long'].map(artifactOf) as [
  Artifact,
  Artifact,
  Artifact,
  Artifact,
];
const runs = new Map([
  [old, ran('1101')],
  [now, ran('1110')],
  [short, ran('1001')],
  [long, ran('1100')],
]);
const passing = async () => ({ outcome: 'pass' as const });
const { signal } = new AbortController();

test('what passes without something of the test that both versions run is unresolved', async () => {
  const careful = unlessInVain(passing, pairOf(old, now, ['old', 'new']), async artifact => runs.get(artifact));
  expect(await careful(short, signal)).toMatchObject({
    outcome: 'unresolved',
    reason: 'it passes, but leaves out a part of test.js that both versions run',
  });
  expect((await careful(long, signal)).outcome).toBe('pass');
  expect((await careful(old, signal)).outcome).toBe('pass');
});

test('what is known of no run of a version, or of no script, says nothing about a mixture', async () => {
  for (const blind of [undefined, new Map()]) {
    const watch = async (artifact: Artifact) => (artifact === now ? blind : runs.get(artifact));
    const careful = unlessInVain(passing, pairOf(old, now, ['old', 'new']), watch);
    expect((await careful(short, signal)).outcome).toBe('pass');
  }
});

test('a question that was withdrawn is asked again, and only what passes is run once more', async () => {
  const asked: Artifact[] = [];
  let isWithdrawn = true;
  let outcome: 'pass' | 'fail' = 'pass';
  const careful = unlessInVain(
    async () => ({ outcome }),
    pairOf(old, now, ['old', 'new']),
    async artifact => {
      if (isWithdrawn) throw new Error('withdrawn');
      asked.push(artifact);
      return runs.get(artifact);
    },
  );
  await expect(careful(short, signal)).rejects.toThrow('withdrawn');
  isWithdrawn = false;
  expect((await careful(short, signal)).outcome).toBe('unresolved');
  outcome = 'fail';
  expect((await careful(long, signal)).outcome).toBe('fail');
  expect(asked).toEqual([old, now, short]);
});

test('a script that a run did not load at all is left out as a whole', () => {
  expect(notRunBy(new Map(), [ran('01'), ran('11')])).toEqual({ path: '/test.js', at: 1 });
  expect(notRunBy(ran('01'), [ran('01'), ran('10')])).toBeUndefined();
});
