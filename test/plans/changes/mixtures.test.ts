/** Candidates that fail because they are mixtures of two versions. */
import { expect, test } from 'vitest';
import type { Artifact } from '../../../src/core/artifact.js';
import type { Verdict } from '../../../src/core/index.js';
import { unlessNamesAreMissing } from '../../../src/plans/changes/mixtures.js';

const named = (name: string): Artifact => ({
  files: new Map([['a', { kind: 'file', bytes: Buffer.from(name) }]]),
});
const [now, candidate, other] = [named('new'), named('candidate'), named('other')];
const { signal } = new AbortController();
const failing = (complaint?: string): Verdict => ({ outcome: 'fail', ...(complaint ? { complaint } : {}) });

/** The outcome of the candidate if new says this; and how often new was run. */
async function outcomeOf(verdict: Verdict, ofNew: Verdict) {
  let runs = 0;
  const judged = unlessNamesAreMissing(async artifact => {
    if (artifact !== now) return verdict;
    runs++;
    return ofNew;
  }, now);
  await judged(other, signal);
  const { outcome, reason } = await judged(candidate, signal);
  return { outcome, runs, reason };
}

test('what fails because it misses a name that new does not miss is unresolved, and says which', async () => {
  const found = await outcomeOf(failing('ReferenceError: limit is not defined'), failing());
  expect(found).toMatchObject({ outcome: 'unresolved', runs: 1 });
  expect(found.reason).toContain('limit is not defined');
});

test('the same error as that of new is the failure', async () => {
  const complaint = 'TypeError: a.close is not a function';
  expect(await outcomeOf(failing(complaint), failing(`x: ${complaint}`))).toMatchObject({ outcome: 'fail', runs: 1 });
});

test('new is not run again because of what fails without such an error, or does not fail', async () => {
  expect(await outcomeOf(failing(), failing())).toMatchObject({ outcome: 'fail', runs: 0 });
  const passing: Verdict = { outcome: 'pass' };
  expect(await outcomeOf(passing, failing())).toMatchObject({ outcome: 'pass', runs: 0 });
});

test('a question about new that was withdrawn is asked again', async () => {
  let isWithdrawn = true;
  const judged = unlessNamesAreMissing(async artifact => {
    if (artifact === now && isWithdrawn) throw new Error('withdrawn');
    return failing(artifact === now ? undefined : "NameError: name 'limit' is not defined");
  }, now);
  await expect(judged(candidate, signal)).rejects.toThrow('withdrawn');
  isWithdrawn = false;
  expect((await judged(candidate, signal)).outcome).toBe('unresolved');
});
