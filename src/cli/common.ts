/** The options that all jobs share, for the command line. */

import { type Command, Option } from 'commander';
import { defaultLimit } from '../plans/causes/options.js';
import { namesOf } from '../strategies/registry.js';
import { number } from './parse.js';

/** How much work there may be at a time and in all: what `resume` takes too. */
export function withBudgetOptions(command: Command): Command {
  return command
    .option(
      '-j, --jobs <n>',
      'how many tests run at a time (default: cores; never changes the result)',
      number('--jobs'),
    )
    .option('--max-tests <n>', 'stop after so many tests, with the best so far', number('--max-tests'))
    .option(
      '--max-time <s>',
      'stop after so many seconds, with the best so far',
      number('--max-time', { least: 0.01, whole: false }),
    );
}

/** `refused`: options that make no sense for this job; they are answered with a sentence, and not listed in its help. */
export function withCommonOptions(command: Command, refused: readonly string[] = []): Command {
  withBudgetOptions(command)
    .option(
      '--timeout <s>',
      'how long a test may take (default: ten times the first run, at least 1 s)',
      number('--timeout', { least: 0.01, whole: false }),
    )
    .option(
      '--memory <MB>',
      "how much memory each process of a test may allocate (default: half of the machine's for all of them together)",
      number('--memory'),
    )
    .option(
      '--processes <n>',
      'how many processes a test may have at a time (default: 4096)',
      number('--processes', { least: 2 }),
    )
    .option('-o, --output <path>', 'where the result goes')
    .option('--force', 'continue despite a safety check; replace the file that --output names')
    .option('--run <dir>', "the run's folder (default .culprit/<name>-<n>)")
    .option('--json', 'one line of JSON on stdout at the end; everything else goes to stderr')
    .option('--events', 'one line of JSON on stdout for each event; the last one is the line of --json')
    .option('--quiet', 'print the result only')
    .option('--verbose', 'print every test')
    .option(
      '--repeat <n>',
      'look for the failure up to n times in each test, where it shows only sometimes',
      number('--repeat'),
    )
    .option('--sandbox', 'run the tests without network and without write access outside their folder')
    .option('--strategy <name>', `the algorithm: ${namesOf('list').join(', ')}`)
    .option('--no-cache', 'test again what was tested before');
  for (const option of command.options) if (refused.includes(option.long ?? '')) option.hideHelp();
  return command;
}

/** `--all`, for jobs that can list all causes. */
export const withAllOptions = (command: Command): Command =>
  command
    .option('--all', 'find all causes of the failure, and all ways to avoid it')
    .option(
      '--limit <n>',
      `with --all: at most so many causes, and so many ways to avoid them (default ${defaultLimit})`,
      number('--limit'),
    );

/** What counts as the failure. */
export function withRuleOptions(command: Command): Command {
  return command
    .option('--interesting', 'fail = the command exits with 0 (C-Reduce, shrinkray, picire)')
    .option('--bisect', 'fail = exit 1–124, 126, 127; pass = 0; unresolved = 125 and 128 up (git bisect run)')
    .option('--match <regex>', 'fail = the output matches')
    .option('--exit <n>', 'fail = that exit code', number('--exit', { least: 0 }))
    .option('--signal <name>', 'fail = that signal, for example SIGSEGV')
    .option('--hang', 'fail = not done within --timeout')
    .addOption(new Option('--differs <command>', "fail = the command's output differs from that of this one"));
}

/** Says in the help which algorithms this command knows, if they are not those of a list. */
export function describeStrategies(command: Command, names: readonly string[]): void {
  const strategy = command.options.find(option => option.long === '--strategy');
  if (strategy) strategy.description = `the algorithm: ${names.join(', ')}`;
}
