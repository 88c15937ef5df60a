/** Two deltas over another circumstance: what a few of its deltas need, and everything else. */
import { all, type Circumstance, type Configuration, has } from '../core/index.js';

/** The few, and the few with what they need, as configurations of the other circumstance. */
export interface Few {
  readonly alone: Configuration;
  readonly complete: Configuration;
  /** What the two deltas are, in words. */
  readonly described: readonly [string, string];
}

export function inTwoSteps<Artifact>(
  inner: Circumstance<Artifact>,
  { alone, complete, described }: Few,
): Circumstance<Artifact> {
  const whole = all(inner.count);
  const kept = (configuration: Configuration): Configuration =>
    has(configuration, 1) ? whole : has(configuration, 0) ? complete : alone;
  const { trace } = inner;
  return {
    name: inner.name,
    count: 2,
    build: configuration => inner.build(kept(configuration)),
    ...(trace ? { trace: configuration => trace(kept(configuration)) } : {}),
    describe: delta => described[delta]!,
  };
}
