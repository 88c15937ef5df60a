/** The options that all jobs share, for the command line. */

import { type Command, Option } from 'commander';
import { defaultLimit } from '../plans/causes/options.js';
import { outputFormats } from '../report/output-formats.js';
import { namesOf } from '../strategies/registry.js';
import { collect, confidence, flakiness, jobs, number } from './parse.js';

/** How much work to do at a time and in total. `resume` takes these too. */
export function withBudgetOptions(command: Command): Command {
  return command
    .optionsGroup('Budget:')
    .option('-j, --jobs <n>', 'run n tests in parallel (default: all cores; never changes the result)', jobs(0))
    .option('--max-tests <n>', 'stop after n tests and keep the best result so far', number('--max-tests'))
    .option(
      '--max-time <s>',
      'stop after s seconds and keep the best result so far',
      number('--max-time', { least: 0.01, whole: false }),
    );
}

/** `refused`: options that make no sense for this job. They are rejected with a message, and are not listed in its help. */
export function withCommonOptions(command: Command, refused: readonly string[] = []): Command {
  withBudgetOptions(command)
    .optionsGroup('How tests run:')
    .option(
      '--timeout <s>',
      'timeout per test in seconds (default: 10× the first run, at least 1)',
      number('--timeout', { least: 0.01, whole: false }),
    )
    .option(
      '--memory <MB>',
      "memory limit per process (default: all processes of a test share half of the machine's memory)",
      number('--memory'),
    )
    .option(
      '--processes <n>',
      'limit on the processes of one test (default: 4096)',
      number('--processes', { least: 2 }),
    )
    .option(
      '--flaky <how>',
      'whether the failure shows only sometimes: auto (default: look), off, or its rate, such as 0.7',
      flakiness,
    )
    .option('--confidence <p>', 'how sure each verdict on a flaky failure must be (default 0.999)', confidence)
    .option(
      '--repeat <n>',
      'same as --flaky auto, with n runs for the first look (1: the same as --flaky off)',
      number('--repeat'),
    )
    .option('--sandbox', 'run tests without network and without write access outside their folder')
    .option('--strategy <name>', `search algorithm: ${namesOf('list').join(', ')}`)
    .option('--no-cache', 'run a test again even if its result is known')
    .optionsGroup('Output:')
    .option('-o, --output <path>', 'where to write the result')
    .option('--force', 'continue despite a safety check; overwrite the file named by --output')
    .option('--run <dir>', 'run folder (default: .culprit/<name>-<n>)')
    .option('--json', 'print one line of JSON to stdout at the end; everything else goes to stderr')
    .option('--events', 'print one line of JSON per event to stdout; the last one is the line of --json')
    .option('--quiet', 'print only the result')
    .option('--verbose', 'print every test');
  for (const { name, description, jobs } of outputFormats)
    if (jobs.includes(command.name())) command.option(`--${name} <file>`, description);
  for (const option of command.options) if (refused.includes(option.long ?? '')) option.hideHelp();
  return command;
}

/** For jobs that read files or folders. */
export const withInputOptions = (command: Command): Command =>
  command
    .optionsGroup('Input:')
    .option('--stdin', 'the command reads the input from its standard input')
    .option('--exclude <glob>', 'leave these files out of a folder, as in .gitignore (repeatable)', collect)
    .option('--include <glob>', 'keep these, although .gitignore names them or they are in node_modules', collect);

/** For jobs that remove pieces of a text. */
export const withTextOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--level <level>', 'how much knowledge of the language to use (default: as much as there is)').choices(
        ['lexical', 'syntactic', 'semantic'],
      ),
    )
    .addOption(
      new Option('--by <unit>', 'remove only this kind of piece').choices(['line', 'token', 'char', 'byte', 'node']),
    )
    .option('--language <name>', 'the language, if the file name does not tell')
    .option('--keep <regex>', 'never change text that matches');

/** Tests on other machines, for jobs whose tests are runs of a command. */
export const withWorkerOptions = (command: Command): Command =>
  command
    .optionsGroup('Other machines:')
    .option('--workers <redis-url>', 'also run tests on the workers of this Redis (see `culprit worker --help`)')
    .option('--key <file>', 'private key that signs what workers run (default: $CULPRIT_KEY)')
    .option('--trust-workers <file.pub>', 'accept answers only from workers with this key (repeatable)', collect)
    .option('--send-env <name>', 'give this environment variable to tests on workers, or `all` (repeatable)', collect);

/** For jobs whose tests can't run on other machines: they say why. */
export const withoutWorkerOptions = (command: Command): Command =>
  command.addOption(new Option('--workers <redis-url>').hideHelp());

/** `--all`, for jobs that can list all causes. */
export const withAllOptions = (command: Command): Command =>
  command
    .option('--all', 'find all causes of the failure, and all ways to avoid it')
    .option(
      '--limit <n>',
      `with --all: at most this many causes, and this many ways to avoid them (default ${defaultLimit})`,
      number('--limit'),
    );

/** What counts as the failure. */
export function withRuleOptions(command: Command): Command {
  return command
    .optionsGroup('What counts as the failure (default: the failure of the first run):')
    .option('--interesting', 'exit 0 (as in C-Reduce, shrinkray, picire)')
    .option('--bisect', 'exit 1–124, 126 or 127; 0 passes, 125 and 128 or more are unresolved (git bisect run)')
    .option('--match <regex>', 'the output matches')
    .option('--exit <n>', 'this exit code', number('--exit', { least: 0 }))
    .option('--signal <name>', 'this signal, for example SIGSEGV')
    .option('--hang', 'the command does not finish within --timeout')
    .addOption(new Option('--differs <command>', 'the output differs from the output of this other command'))
    .optionsGroup('Options:');
}

/** Lists in the help the algorithms of this command, if they differ from the default list. `withAll`: those for --all. */
export function describeStrategies(command: Command, names: readonly string[], withAll: readonly string[] = []): void {
  const more = withAll.length > 0 ? `; with --all: ${withAll.join(', ')}` : '';
  describe(command, '--strategy', `search algorithm: ${names.join(', ')}${more}`);
}

/** Explains what a shared option means for this command. */
export function describe(command: Command, long: string, description: string): void {
  const option = command.options.find(each => each.long === long);
  if (option) option.description = description;
}
