/**
 * A problem that the user can fix. It prints as two sentences, without a stack; anything else is our own bug.
 *
 * @example
 * ```ts
 * const problem = new UserError('The input is empty.', 'Give an input that fails.', 1);
 * [problem.message, problem.advice, problem.exitCode]; // → ['The input is empty.', 'Give an input that fails.', 1]
 * ```
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  constructor(
    /** What happened, and what was expected. */
    message: string,
    /** What to do next. */
    readonly advice = '',
    /** 1: there is no failure to reduce; 2: the command line is wrong (../docs: exit codes). */
    readonly exitCode: 1 | 2 = 2,
  ) {
    super(message);
  }
}

/**
 * There is nothing more to try: a run that ends with this would end the same way if it were resumed.
 *
 * @example
 * ```ts
 * const end = new DeadEnd('The two runs have no place in common.', 'Give two inputs that are more alike.');
 * [end instanceof UserError, end.exitCode]; // → [true, 1]
 * ```
 */
export class DeadEnd extends UserError {
  constructor(message: string, advice = '') {
    super(message, advice, 1);
  }
}
