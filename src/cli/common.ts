import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { UserError } from '../core/index.js';
import type { AskedOptions } from '../oracle/rules.js';
import { number } from './parse.js';

/** Options that every job has. */
export interface CommonOptions {
  readonly jobs?: number;
  readonly timeout?: number;
  readonly memory?: number;
  readonly maxTests?: number;
  readonly maxTime?: number;
  readonly output?: string;
  readonly run?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly repeat?: number;
  readonly sandbox?: boolean;
  readonly strategy?: string;
  readonly cache?: boolean;
  readonly force?: boolean;
}

export const jobsOf = (options: CommonOptions): number => options.jobs ?? availableParallelism();

/** How candidates are run, for the oracle of any job. */
export const runningOf = (options: CommonOptions & Pick<RuleOptions, 'differs'>) => ({
  jobs: jobsOf(options),
  ...(options.differs === undefined ? {} : { differs: options.differs }),
  ...(options.memory ? { memory: options.memory } : {}),
  ...(options.sandbox ? { sandbox: true } : {}),
});

/** `refused`: options that make no sense for this job; they are answered with a sentence, and not listed in its help. */
export function withCommonOptions(command: Command, refused: readonly string[] = []): Command {
  command
    .option(
      '-j, --jobs <n>',
      'how many tests run at a time (default: cores; never changes the result)',
      number('--jobs'),
    )
    .option(
      '--timeout <s>',
      'how long a test may take (default: ten times the first run, at least 1 s)',
      number('--timeout', { least: 0.01, whole: false }),
    )
    .option('--memory <MB>', 'how much memory a process of a test may take', number('--memory'))
    .option('--max-tests <n>', 'stop after so many tests, with the best so far', number('--max-tests'))
    .option(
      '--max-time <s>',
      'stop after so many seconds, with the best so far',
      number('--max-time', { least: 0.01, whole: false }),
    )
    .option('-o, --output <path>', 'where the result goes')
    .option('--run <dir>', "the run's folder (default .culprit/<name>-<n>)")
    .option('--json', 'one line of JSON on stdout at the end; everything else goes to stderr')
    .option('--quiet', 'print the result only')
    .option('--verbose', 'print every test')
    .option(
      '--repeat <n>',
      'look for the failure up to n times in each test, where it shows only sometimes',
      number('--repeat'),
    )
    .option('--sandbox', 'run the tests without network and without write access outside their folder')
    .option('--strategy <name>', 'the algorithm: sweep, ddmin, ddmin-complements, ddlin')
    .option('--no-cache', 'test again what was tested before')
    .option('--force', 'continue despite a safety check');
  for (const option of command.options) if (refused.includes(option.long ?? '')) option.hideHelp();
  return command;
}

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

export type RuleOptions = AskedOptions;

/** The words after `--`. Commander hands them over as the last arguments; which is which only the command line itself says. */
export function commandAfterDashes(argv: readonly string[]): {
  readonly before: readonly string[];
  readonly command: readonly string[];
} {
  const at = argv.indexOf('--');
  return at < 0 ? { before: argv, command: [] } : { before: argv.slice(0, at), command: argv.slice(at + 1) };
}

export function demandCommand(command: readonly string[], example: string): void {
  if (command.length === 0 || command[0] === '')
    throw new UserError('There is no command to run: it stands after `--`.', `For example: ${example}`);
}
