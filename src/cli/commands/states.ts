/** The command line of `culprit states`. */
import { Command } from 'commander';
import { withCommonOptions, withRuleOptions, withWorkerOptions } from '../common.js';
import { collect, number } from '../parse.js';
import { readRequest, start } from '../request.js';

const example = 'culprit states --passing works.json --failing crashes.json -- node app.js {}';

export function statesCommand(): Command {
  const command = new Command('states')
    .description(
      'find how a failure comes about: the variables that carry it, and the lines where one turns into the next',
    )
    .usage('--passing <path> --failing <path> [options] -- <command>\n       culprit states <run> [options]')
    .argument('[run]', 'a run of isolate or reduce: its result is the pair to compare')
    .option('--passing <path>', 'an input on which the command succeeds')
    .option('--failing <path>', 'one on which it fails, as similar as possible')
    .option(
      '--in <glob>',
      "source files to look at, for example 'src/**' (default: all that the program loads)",
      collect,
    )
    .option('--with <debugger>', 'node, python or gdb (default: what the command says)')
    .option('--places <n>', 'how many places to look at (default 13)', number('--places'))
    .allowExcessArguments(true);
  withWorkerOptions(
    withCommonOptions(withRuleOptions(command), [
      '--strategy',
      '--hang',
      '--differs',
      '--repeat',
      '--flaky',
      '--confidence',
    ]),
  );
  return command
    .addHelpText('after', `\nExamples:\n  ${example}\n  culprit states .culprit/crashes-1\n`)
    .action(() => start(readRequest(command, { example, inputs: { least: 0, most: 1, refuse }, command: 'optional' })));
}

const refuse = () => 'Give either one run, or two inputs with --passing and --failing.';
