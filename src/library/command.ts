/** `commandTest` for library users: a command decides whether a text fails. */
import { type CommandTest, type CommandTestOptions, openCommandTest } from '../plans/command-test.js';

export type { CommandTest, CommandTestOptions } from '../plans/command-test.js';

/**
 * A command as a test. It is run once on the whole text; what counts from then on is the same failure, or what the options say,
 * as in `culprit reduce`. `{}` in the command is the path of a file with the text, in a private folder. Close it at the end.
 *
 * @example
 * ```ts
 * const text = 'one\ntwo\nBUG\nfour\n';
 * const test = await commandTest(text, ['grep', '-q', 'BUG', '{}'], { interesting: true });
 * const { value } = await simplify(text, test);
 * await test.close();
 * // value === 'BUG'
 * ```
 */
export function commandTest(
  text: string,
  command: readonly string[],
  options: CommandTestOptions = {},
): Promise<CommandTest> {
  return openCommandTest(text, command, options);
}
