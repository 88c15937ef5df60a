/** The command line of `culprit isolate`. */
import { Command } from 'commander';
import { namesOf } from '../../strategies/registry.js';
import {
  describeStrategies,
  withAllOptions,
  withCommonOptions,
  withInputOptions,
  withRuleOptions,
  withWorkerOptions,
} from '../common.js';
import { readRequest, start } from '../request.js';

const example = 'culprit isolate works.json crashes.json -- node tool.js {}';

export function isolateCommand(): Command {
  const command = new Command('isolate')
    .description('find the smallest difference between a passing and a failing input')
    .usage('<passing> <failing> [options] -- <command> [args...]')
    .argument('<passing>', 'file or folder on which the command succeeds')
    .argument('<failing>', 'file or folder on which it fails')
    .allowExcessArguments(true)
    .option('--no-unpack', 'compare zip, tar, gzip or PDF files by their bytes, not by what is in them')
    .option('--smallest', 'then also remove what both have in common, as long as one passes and the other fails');
  withRuleOptions(withWorkerOptions(withCommonOptions(withInputOptions(withAllOptions(command)))));
  describeStrategies(command, namesOf('pair'), namesOf('list'));
  return command
    .addHelpText('after', `\nExample:\n  ${example}\n`)
    .action(() => start(readRequest(command, { example, inputs: { least: 2, most: 2, refuse } })));
}

const refuse = ({ length }: readonly string[]) =>
  `isolate compares two inputs, but there ${length === 1 ? 'is 1' : `are ${length}`} before \`--\`.`;
