/** Wraps a test: a timeout next to other tests is repeated alone before it counts. */
import type { Test, Verdict } from '../core/index.js';
import { ExclusiveLock } from './exclusive-lock.js';

export function retryAlone<Artifact>(
  test: Test<Artifact>,
  ranOutOfTime: (verdict: Verdict) => boolean,
): Test<Artifact> {
  const lock = new ExclusiveLock();
  const inside = async (alone: boolean, artifact: Artifact, signal: AbortSignal) => {
    await lock.enter(alone);
    const entries = lock.entries;
    const company = lock.inside > 1;
    try {
      signal.throwIfAborted();
      const verdict = await test(artifact, signal);
      return { verdict, beside: company || lock.entries > entries };
    } finally {
      lock.leave();
    }
  };
  return async (artifact, signal) => {
    const { verdict, beside } = await inside(false, artifact, signal);
    if (!beside || !ranOutOfTime(verdict)) return verdict;
    return (await inside(true, artifact, signal)).verdict;
  };
}
