/**
 * One run gives one observation, whichever failure is searched for: every failure is recorded with its signature, and what
 * counts as `fail` in the search for one variant is read from that. So no content is run twice, however many variants meet it.
 */
import type { Artifact } from '../../core/artifact.js';
import type { Test, Verdict } from '../../core/index.js';
import type { Memory } from '../../engine/index.js';
import type { Attempt } from '../../oracle/command/attempt.js';
import type { CommandOracle } from '../../oracle/command/command.js';
import { describeExceeded } from '../../oracle/command/rules.js';
import { type Failure, readFailure, withStack } from '../../oracle/signature/index.js';
import { signatureOf } from './model.js';

/**
 * Runs an artifact. `timeout`: seconds, read before each test. Any failure is a `fail` with its signature, and its
 * description as the excerpt.
 */
export function observing(oracle: CommandOracle, timeout: () => number): Test<Artifact> {
  // Quoted words in a message differ from file to file, and a key must not: next to a stack, they never count.
  const context = { ...oracle.context, input: () => true };
  const failureOf = ({ run }: Attempt) => readFailure(run, context);
  // The stack of a silent crash is read here, so it is not part of what a worker is compared by.
  const run = oracle.trials(attempt => meaningOf(attempt, failureOf(attempt)));
  const test: Test<Artifact> = async (artifact, signal) => {
    const seconds = timeout();
    const attempt = await run({ artifact, timeout: seconds, anew: false }, signal);
    const { exceeded, timedOut, seconds: took } = attempt.run;
    if (exceeded) return { outcome: 'unresolved', reason: describeExceeded(exceeded), seconds: took };
    if (timedOut) return { outcome: 'unresolved', reason: 'timeout', seconds: took };
    const failure = failureOf(attempt);
    if (!failure) return { outcome: 'pass', seconds: took };
    const { key, stack, text } = failure.silent ? await debugged(failure, artifact, seconds, signal) : failure;
    return { outcome: 'fail', signature: signatureOf(key, stack), excerpt: text, seconds: took };
  };
  /** On a busy machine gdb may run out of time; a failure without its stack would form a separate group. */
  async function debugged(
    failure: Failure,
    artifact: Artifact,
    seconds: number,
    signal: AbortSignal,
  ): Promise<Failure> {
    const names =
      (await oracle.backtrace(artifact, seconds, signal, true)) ??
      (await oracle.backtrace(artifact, seconds, signal, true));
    return names ? withStack(failure, names) : failure;
  }
  return test;
}

/** What an attempt shows, without what differs from run to run. */
const meaningOf = ({ run: { exceeded, timedOut } }: Attempt, failure: Failure | undefined): string =>
  exceeded ?? (timedOut ? 'timeout' : failure ? `fail ${signatureOf(failure.key, failure.stack)}` : 'pass');

/** Which failures a search is about. */
export type IsSought = (signature: string) => boolean;

/** What an observation means to a search: a failure that it is not about is unresolved. */
export const judgeFor = (verdict: Verdict, isSought: IsSought): Verdict =>
  verdict.signature === undefined || isSought(verdict.signature)
    ? verdict
    : { ...verdict, outcome: 'unresolved', reason: `another failure: ${verdict.excerpt ?? verdict.signature}` };

/** The observation behind a judged verdict. */
export function observation(verdict: Verdict): Verdict {
  if (verdict.signature === undefined) return verdict;
  const { reason: _, ...seen } = verdict;
  return { ...seen, outcome: 'fail' };
}

export const testFor =
  (test: Test<Artifact>, isSought: IsSought): Test<Artifact> =>
  async (artifact, signal) =>
    judgeFor(await test(artifact, signal), isSought);

/** The memory of a search: it stores observations, and returns what they mean here. */
export const memoryFor = (memory: Memory, isSought: IsSought): Memory => ({
  recall: identity => {
    const seen = memory.recall(identity);
    return seen && judgeFor(seen, isSought);
  },
  record: (identity, verdict) => memory.record(identity, observation(verdict)),
});
