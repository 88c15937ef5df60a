/**
 * The three outcomes of a test (Hildebrandt and Zeller 2000, Definition 3; POSIX 1003.3).
 * `fail` is *the* expected failure, and no other; anything that can't be judged is `unresolved` and never blamed.
 */
export type Outcome = 'pass' | 'fail' | 'unresolved';

/** The papers' signs: ✓ ✗ ? */
export const signs: Readonly<Record<Outcome, string>> = { pass: '✓', fail: '✗', unresolved: '?' };

/**
 * Swaps pass and fail, for a search that looks for the absence of the failure.
 *
 * @example
 * ```ts
 * invert('pass'); // → 'fail'
 * invert('unresolved'); // → 'unresolved'
 * ```
 */
export const invert = (outcome: Outcome): Outcome =>
  outcome === 'pass' ? 'fail' : outcome === 'fail' ? 'pass' : 'unresolved';

/** An outcome and its evidence. Plain data: it is journalled as it is. */
export interface Verdict {
  readonly outcome: Outcome;
  /** The identity of the failure that was seen, even if it is not the expected one. */
  readonly signature?: string;
  readonly exit?: number;
  readonly signal?: string;
  readonly seconds?: number;
  /** A short piece of the output, for people. */
  readonly excerpt?: string;
  /** The command passed, and wrote something to its standard output. */
  readonly prints?: true;
  /** It failed by its exit code, and this is what it says about names that are not there. */
  readonly complaint?: string;
  /** Why it is neither a pass nor a fail: `timeout`, `does not apply`, `another failure` … */
  readonly reason?: string;
}

/** Artifact → verdict. The signal aborts if the verdict is no longer needed. */
export type Test<Artifact> = (artifact: Artifact, signal: AbortSignal) => Promise<Verdict>;
