/** The command line of `culprit env`. */
import { Command } from 'commander';
import { withAllOptions, withCommonOptions, withRuleOptions } from '../common.js';
import { readRequest, start } from '../request.js';

const example = 'culprit env --passing shell.env --failing ci.env -- npm test';

export function envCommand(): Command {
  const command = new Command('env')
    .description('which environment variables matter for a failure, or which one makes the difference between two')
    .usage('[options] -- <command> [args...]')
    .option('--failing <file>', 'an environment in which the command fails (default: the current one)')
    .option('--passing <file>', 'one in which it succeeds: the smallest difference between the two is looked for')
    .option('--names-only', 'find the variables, and leave their values as they are')
    .allowExcessArguments(true);
  withRuleOptions(withCommonOptions(withAllOptions(command)));
  return command
    .addHelpText(
      'after',
      `
A file holds what env, env -0 or export -p printed, a .env file, or JSON. Variables that look like secrets are not shown,
not taken apart and not written anywhere. The command runs in copies of this folder.

Examples:
  culprit env -- npm test
  culprit env --all -- npm test
  ${example}
`,
    )
    .action(() => start(readRequest(command, { example, inputs: { least: 0, most: 0, refuse } })));
}

const refuse = ([first]: readonly string[]) =>
  `env takes no input, and there is ${first} before \`--\`: environments are given with --passing and --failing.`;
