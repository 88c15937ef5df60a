/** The command line of `culprit changes`. */
import { Command, Option } from 'commander';
import { plainStrategies } from '../../plans/changes/plain.js';
import { describeStrategies, withAllOptions, withCommonOptions, withRuleOptions } from '../common.js';
import { readRequest, start } from '../request.js';

const example = 'culprit changes v1.2 v1.3 -- npm test';

export function changesCommand(): Command {
  const command = new Command('changes')
    .description('which change between a version that works and one that does not is to blame')
    .usage('<old> <new> [options] -- <command> [args...]')
    .argument('<version...>', 'folders, git revisions (old..new), npm:<package>@<version>, or two package-lock.json')
    .addOption(
      new Option('--coverage <kind>', 'how to see which changes the test runs')
        .choices(['auto', 'v8', 'gcov', 'none'])
        .default('auto'),
    )
    .addOption(
      new Option('--granularity <unit>', 'the finest change that is looked at (default: line)').choices([
        'commit',
        'file',
        'hunk',
        'line',
      ]),
    )
    .option('--sarif <file>', 'write the lines to blame as SARIF too, for code-scanning views')
    .option('--build <command>', 'builds a candidate before it is tested; what does not build is never blamed');
  withRuleOptions(withCommonOptions(withAllOptions(command)));
  describeStrategies(command, plainStrategies);
  return command
    .addHelpText(
      'after',
      `
The command runs in the version's own folder, and {} stands for it. Nothing of yours is changed: candidates are put together
in folders of culprit's own.

Examples:
  ${example}
  culprit changes v1.2 v1.3 --all -- npm test
  culprit changes app-1.2 app-1.3 --build make -- ./check.sh
  culprit changes npm:marked@0.6.1 npm:marked@0.6.2 -- node $PWD/breaks.js {}
  culprit changes main/package-lock.json mine/package-lock.json -- node $PWD/page.js {}
`,
    )
    .action(() => start(readRequest(command, { example, inputs: { least: 1, most: Infinity, refuse } })));
}

const refuse = () => 'There are no versions to compare: put two before `--`.';
