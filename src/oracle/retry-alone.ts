/** Wraps a test: a timeout next to other tests is repeated alone before it counts. */
import type { Test, Verdict } from '../core/index.js';
import { ExclusiveLock } from './exclusive-lock.js';

export function retryAlone<Artifact>(
  test: Test<Artifact>,
  ranOutOfTime: (verdict: Verdict) => boolean,
): Test<Artifact> {
  const lock = new ExclusiveLock();
  return async (artifact, signal) => {
    const run = async () => {
      signal.throwIfAborted();
      return test(artifact, signal);
    };
    return lock.share(run, ranOutOfTime);
  };
}
