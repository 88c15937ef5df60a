/** The command line of `culprit env`. */
import { Command } from 'commander';
import { withAllOptions, withCommonOptions, withRuleOptions, withWorkerOptions } from '../common.js';
import { collect } from '../parse.js';
import { readRequest, start } from '../request.js';

const example = 'culprit env --passing shell.env --failing ci.env -- npm test';

export function envCommand(): Command {
  const command = new Command('env')
    .description('find the environment variables that a failure needs')
    .usage('[options] -- <command> [args...]')
    .option('--failing <file>', 'environment in which the command fails (default: the current one)')
    .option('--passing <file>', 'environment in which it succeeds: find the smallest difference')
    .option('--prevent', 'find variables that make the failure go away')
    .option('--try <NAME=value>', 'a variable to try with --prevent', collect)
    .option('--try-file <file>', 'variables to try, from an environment file')
    .option('--names-only', 'find the variables, but do not shorten their values')
    .allowExcessArguments(true);
  withRuleOptions(withWorkerOptions(withCommonOptions(withAllOptions(command))));
  return command
    .addHelpText(
      'after',
      `
An environment file is the output of env, env -0 or export -p, a .env file, or
JSON. The values of variables that look like secrets are never shown, shortened
or written to disk. The command runs in copies of this folder.

Examples:
  culprit env -- npm test
  culprit env --all -- npm test
  ${example}
  culprit env --prevent --try LANG=C.UTF-8 --try TZ=UTC -- npm test
`,
    )
    .action(() => start(readRequest(command, { example, inputs: { least: 0, most: 0, refuse } })));
}

const refuse = ([first]: readonly string[]) =>
  `env takes no input, but there is ${first} before \`--\`. Pass environments with --passing and --failing.`;
