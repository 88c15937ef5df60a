/** The command line of `culprit isolate`. */
import { Command } from 'commander';
import { namesOf } from '../../strategies/registry.js';
import { describeStrategies, withAllOptions, withCommonOptions, withRuleOptions } from '../common.js';
import { readRequest, start } from '../request.js';

const example = 'culprit isolate works.json crashes.json -- node tool.js {}';

export function isolateCommand(): Command {
  const command = new Command('isolate')
    .description('the smallest difference between an input that passes and one that fails')
    .usage('<passing> <failing> [options] -- <command> [args...]')
    .argument('<passing>', 'a file or folder on which the command succeeds')
    .argument('<failing>', 'the one on which it fails')
    .allowExcessArguments(true)
    .option('--smallest', 'then simplify away what the two have in common, keeping one passing and the other failing');
  withRuleOptions(withCommonOptions(withAllOptions(command)));
  describeStrategies(command, namesOf('pair'));
  return command
    .addHelpText('after', `\nExample:\n  ${example}\n`)
    .action(() => start(readRequest(command, { example, inputs: { least: 2, most: 2, refuse } })));
}

const refuse = ({ length }: readonly string[]) =>
  `isolate compares two inputs, and there ${length === 1 ? 'is 1' : `are ${length}`} before \`--\`.`;
