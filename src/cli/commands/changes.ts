/** The command line of `culprit changes`. */
import { Command, Option } from 'commander';
import { plainStrategies } from '../../plans/changes/plain.js';
import {
  describeStrategies,
  withAllOptions,
  withCommonOptions,
  withRuleOptions,
  withWorkerOptions,
} from '../common.js';
import { readRequest, start } from '../request.js';

const example = 'culprit changes v1.2 v1.3 -- npm test';

export function changesCommand(): Command {
  const command = new Command('changes')
    .description('find the lines changed between two versions that broke something')
    .usage('<old> <new> [options] -- <command> [args...]')
    .argument(
      '<version...>',
      'two folders, git revisions (or old..new), npm:<package>@<version>, or package-lock.json files',
    )
    .addOption(
      new Option('--coverage <kind>', 'how to measure which changed lines the test executes')
        .choices(['auto', 'v8', 'gcov', 'python', 'ruby', 'perl', 'none'])
        .default('auto'),
    )
    .addOption(
      new Option('--granularity <unit>', 'the smallest unit of change (default: line)').choices([
        'commit',
        'file',
        'hunk',
        'line',
      ]),
    )
    .option('--prevent', 'the old version fails and the new one works: find the changes that prevent the failure')
    .option('--into', 'with lockfiles: go on inside the package that is to blame, first its versions, then its lines')
    .option('--build <command>', 'build each candidate first; a candidate that does not build is unresolved');
  withRuleOptions(withWorkerOptions(withCommonOptions(withAllOptions(command))));
  describeStrategies(command, plainStrategies);
  return command
    .addHelpText(
      'after',
      `
The command runs in a copy of the version, and {} is replaced by its path. Your
repository and folders are never changed.

Examples:
  ${example}
  culprit changes v1.2 v1.3 --all -- npm test
  culprit changes v1.3 v1.4 --prevent -- npm test
  culprit changes app-1.2 app-1.3 --build make -- ./check.sh
  culprit changes npm:marked@0.6.1 npm:marked@0.6.2 -- node $PWD/breaks.js {}
  culprit changes a/package-lock.json b/package-lock.json --into -- npm test
`,
    )
    .action(() => start(readRequest(command, { example, inputs: { least: 1, most: Infinity, refuse } })));
}

const refuse = () => 'No versions to compare. Put two before `--`.';
