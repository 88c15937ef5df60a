/** Turns what a library user's test returns or throws into a verdict. */
import type { Outcome, Test, Verdict } from '../core/index.js';
import { checkTest, outcomeOf } from './check-input.js';

/**
 * What a library user's test may return for an artifact: an outcome; `true` if the failure is there and `false` if it is not;
 * nothing if all is well. Or it throws, and then the error *is* the failure. An error with another name or message than the
 * first one's is another failure, and unresolved; so is any error if the first failure was returned and not thrown.
 */
export type UserTest<Artifact> = (artifact: Artifact, signal: AbortSignal) => Said | Promise<Said>;

// biome-ignore lint/suspicious/noConfusingVoidType: a test that can only throw returns nothing.
type Said = Outcome | boolean | undefined | void;

export function verdicts<Artifact>(test: UserTest<Artifact>): Test<Artifact> {
  checkTest(test);
  /** How the first failure showed itself; `returned` if it was returned and not thrown. */
  let first: string | undefined;
  const returned = '';
  return async (artifact, signal): Promise<Verdict> => {
    let said: Said;
    try {
      said = await test(artifact, signal);
    } catch (error) {
      const signature = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      first ??= signature;
      return signature === first
        ? { outcome: 'fail', signature }
        : { outcome: 'unresolved', signature, reason: `another failure: ${signature}` };
    }
    const outcome = outcomeOf(said);
    if (outcome === 'fail') first ??= returned;
    return { outcome };
  };
}
