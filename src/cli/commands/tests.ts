/** The command line of `culprit tests`. */
import { Command } from 'commander';
import { withCommonOptions, withWorkerOptions } from '../common.js';
import { number } from '../parse.js';
import { readRequest, start } from '../request.js';

const example = 'culprit tests -- npx vitest run';

export function testsCommand(): Command {
  const command = new Command('tests')
    .description('find the other tests, and their order, that make a test fail')
    .usage('[options] -- <test runner> [args...]')
    .option('--test <name>', 'the test, by a part of its name (default: the first that fails and passes alone)')
    .option('--shuffle <n>', 'if nothing depends on the order of the suite, try n others', number('--shuffle'))
    .allowExcessArguments(true);
  withWorkerOptions(withCommonOptions(command));
  return command
    .addHelpText(
      'after',
      `
The runners are vitest, jest, mocha, pytest, RSpec, go test and node --test.
They run in copies of this folder, one file at a time.

Examples:
  ${example}
  culprit tests --test 'clears the cart' -- npx mocha
  culprit tests --shuffle 20 -- pytest
`,
    )
    .action(() => start(readRequest(command, { example, inputs: { least: 0, most: 0, refuse } })));
}

const refuse = ([first]: readonly string[]) =>
  `tests takes no input, and there is ${first} before \`--\`: name a test with --test.`;
