/** The program: all commands, the help, and what happens if the command line is wrong. */
import { readFileSync } from 'node:fs';
import { Command, type CommanderError, type Option } from 'commander';
import { UserError } from '../core/index.js';
import { actionsCommand } from './commands/actions.js';
import { changesCommand } from './commands/changes.js';
import { completionCommand } from './commands/completion.js';
import { envCommand } from './commands/env.js';
import { explainCommand } from './commands/explain.js';
import { isolateCommand } from './commands/isolate.js';
import { optionsCommand } from './commands/options.js';
import { recordCommand } from './commands/record.js';
import { reduceCommand } from './commands/reduce.js';
import { reportCommand } from './commands/report.js';
import { resumeCommand } from './commands/resume.js';
import { schedulesCommand } from './commands/schedules.js';
import { statesCommand } from './commands/states.js';
import { testsCommand } from './commands/tests.js';
import { trafficCommand } from './commands/traffic.js';
import { triageCommand } from './commands/triage.js';
import { verifyCommand } from './commands/verify.js';
import { workerCommand } from './commands/worker.js';
import { printFailure } from './failure.js';
import { typedArguments } from './request.js';

export function program(): Command {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const culprit = new Command('culprit')
    .description(
      'Find the smallest part that makes a program fail: of its input, options, environment, user actions, network traffic or changes.',
    )
    .helpOption('-h, --help', 'show this help')
    .version(version, '-V, --version', 'show the version')
    .addHelpText('after', overview)
    .enablePositionalOptions()
    .hook('preAction', () => {
      demandFolder();
      demandWords(typedArguments());
    })
    .showHelpAfterError('Run `culprit <command> --help` for an example.');
  const groups: Readonly<Record<string, readonly Command[]>> = {
    'Find what matters:': [
      reduceCommand(),
      isolateCommand(),
      changesCommand(),
      optionsCommand(),
      envCommand(),
      actionsCommand(),
      trafficCommand(),
      testsCommand(),
      schedulesCommand(),
      statesCommand(),
      triageCommand(),
    ],
    'Runs:': [resumeCommand(), reportCommand(), verifyCommand()],
    'More:': [recordCommand(), explainCommand(), completionCommand(), workerCommand()],
  };
  culprit.commandsGroup('More:');
  for (const [heading, commands] of Object.entries(groups))
    for (const command of commands)
      culprit.addCommand(
        command.helpGroup(heading).showHelpAfterError(`Run \`culprit ${command.name()} --help\` for an example.`),
      );
  for (const command of [culprit, ...culprit.commands]) command.configureHelp(eightyColumns);
  for (const command of [culprit, ...culprit.commands]) command.exitOverride(refuse);
  for (const command of culprit.commands) for (const option of command.options) demandValue(option);
  return culprit;
}

/** Wider lines are hard to read, and a help text must not depend on the window it is read in. */
const eightyColumns = { helpWidth: 80, subcommandTerm: (command: Command) => command.name() };

/** Rejects `-o -- ./t.sh`, which would read `--` as the path and the command as inputs. */
function demandValue(option: Option): void {
  if (!option.required || option.variadic) return;
  const { parseArg = (value: string) => value, long, short } = option;
  option.argParser<unknown>((value: string, before: unknown) => {
    if (value === '--')
      throw new UserError(
        `${long ?? short} has no value: \`--\` comes right after it.`,
        `Write the value before \`--\`: ${option.flags.replace(/^-\w, /, '')} -- <command>`,
      );
    if (value === '') throw new UserError(`${long ?? short} has no value: it is empty.`, unset);
    return parseArg(value, before as never);
  });
}

/** An empty path would mean the folder that culprit was started in, and no more be what the user named. */
function demandWords(words: readonly string[]): void {
  const end = words.indexOf('--');
  if ((end < 0 ? words : words.slice(0, end)).includes('')) throw new UserError('An argument is empty.', unset);
}

/** A shell may stand in a folder that was deleted, or made again since then. */
function demandFolder(): void {
  try {
    process.cwd();
  } catch {
    throw new UserError(
      'The folder that you are in no longer exists.',
      'Go to another one, or to this one again: cd .',
    );
  }
}

const unset = 'If it comes from a variable of your shell, check that the variable is set.';

const overview = `
Example: reduce bug.c to the few lines that still crash the compiler.
  culprit reduce bug.c -- gcc -O2 -c {}

Run \`culprit <command> --help\` for the options of a command.
`;

/** Commander has printed what is wrong; the exit code for a wrong command line is 2. */
function refuse(error: CommanderError): never {
  if (error.exitCode === 0) process.exit(0);
  printFailure({
    message: error.message.replace(/^error: /, '').replaceAll('\n', ' '),
    advice: 'Run `culprit <command> --help` for an example.',
  });
  process.exit(2);
}
