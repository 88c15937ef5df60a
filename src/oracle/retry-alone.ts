/** Wraps a test: a timeout that happened beside other tests is repeated alone. */
import type { Test, Verdict } from '../core/index.js';
import { Gate } from './exclusive-lock.js';

/** Wraps a test: a timeout next to other tests is repeated alone before it counts. */
export function againAlone<Artifact>(
  test: Test<Artifact>,
  ranOutOfTime: (verdict: Verdict) => boolean,
): Test<Artifact> {
  const gate = new Gate();
  const inside = async (alone: boolean, artifact: Artifact, signal: AbortSignal) => {
    await gate.enter(alone);
    const entries = gate.entries;
    const company = gate.inside > 1;
    try {
      signal.throwIfAborted();
      const verdict = await test(artifact, signal);
      return { verdict, beside: company || gate.entries > entries };
    } finally {
      gate.leave();
    }
  };
  return async (artifact, signal) => {
    const { verdict, beside } = await inside(false, artifact, signal);
    if (!beside || !ranOutOfTime(verdict)) return verdict;
    return (await inside(true, artifact, signal)).verdict;
  };
}
