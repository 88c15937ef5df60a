import { basename } from 'node:path';
import { Command } from 'commander';
import { placeholder } from '../../circumstances/options/index.js';
import { UserError } from '../../core/index.js';
import { checkAll, withAllOptions } from '../causes.js';
import { commandAfterDashes, demandCommand, withCommonOptions, withRuleOptions } from '../common.js';
import { ownArguments, type Resuming, readRegex, runJob } from '../job.js';
import { allOptions } from '../options/all.js';
import { leaveOut } from '../options/leave-out.js';
import { lineOf, type OptionsOptions } from '../options/line.js';
import { preventFailure } from '../options/prevent.js';
import { type Output, outputFor } from '../output.js';
import { collect } from '../parse.js';
import { listStrategy } from '../strategies.js';

const example = "culprit options --match 'internal compiler error' -- gcc -O3 -g -ffast-math @build.rsp -c bug.c";
const preventExample = 'culprit options --prevent --try -fno-gcse -fno-inline -Os -- gcc -O2 -c bug.c';

/**
 * `--try -a -b --`: the words after it are options of the command, until one of culprit's own or `--`. An option that culprit
 * has too is said to be the command's by `--try=`: `--try=--timeout`.
 */
class OptionsCommand extends Command {
  override parseOptions(argv: string[]) {
    const own = new Set(this.options.flatMap(({ long = [], short = [] }) => [long, short].flat()));
    const isOwn = (word: string) => own.has(word.replace(/=.*$/s, '')) || /^-j\d+$/.test(word);
    const end = argv.indexOf('--');
    const rest: string[] = [];
    const tried: string[] = [];
    let trying = false;
    for (const [i, word] of argv.entries()) {
      const inside = end < 0 || i < end;
      const given = inside ? /^--try(?:=(.*))?$/s.exec(word) : null;
      if (given) {
        trying = true;
        if (given[1]) tried.push(given[1]);
        continue;
      }
      if (!inside || isOwn(word)) trying = false;
      (trying ? tried : rest).push(word);
    }
    if (tried.length > 0) this.setOptionValue('tries', tried);
    return super.parseOptions(rest);
  }
}

export function optionsCommand(resuming?: Resuming): Command {
  const command = new OptionsCommand('options')
    .description('which arguments of a command matter for its failure; or, with --prevent, which options would help')
    .usage('[options] -- <command> [args...]')
    .option('--prevent', 'turn the question round: which options make the failure go away')
    .option(
      '--try <options...>',
      'options that may prevent it, up to the next option of culprit or --; quote one with its value; --try=<option> for one that culprit has too',
    )
    .option('--try-file <file>', 'the same from a file, one option per line', collect)
    .option('--try-help <command>', "the same from a tool's help: 'gcc -O2 -Q --help=optimizers'", collect)
    .option('--try-only <regex>', "of the options in the tool's help, only those that match")
    .option('--values-from <command>', "a tool's help that says which options take a value: 'tool --help'")
    .option('--keep <regex>', 'arguments that match stay')
    .allowExcessArguments(true);
  withRuleOptions(withCommonOptions(withAllOptions(command)));
  return command
    .addHelpText(
      'after',
      `
An option and its value are one; response files (@file) are opened. The command runs in copies of this folder.
With --prevent, the options are added where the command says ${placeholder}, else before --, else at the end.

Examples:
  ${example}
  ${preventExample}
  culprit options --all -- gcc -O3 -ffast-math -funroll-loops -c bug.c
`,
    )
    .action(async () => {
      const argv = resuming?.folder.journal.header.argv ?? ownArguments();
      const { command: words } = commandAfterDashes(argv);
      const options = command.opts<OptionsOptions>();
      demandCommand(words, example);
      if (command.args.length > words.length)
        throw new UserError(
          `options takes no input, and there is ${command.args[0]} before \`--\`.`,
          `The command and its arguments stand after it. For example: ${example}`,
        );
      checkAsked(words, options);
      checkAll(options, { '--prevent': options.prevent });
      if (options.strategy) listStrategy(options.strategy);
      const output = outputOf(options, resuming);
      const name = `${basename(words[0]!)}-options`;
      await runJob('options', name, options, argv, resuming, context => {
        const line = lineOf(words, options, context);
        if (options.prevent) return preventFailure(line, output, options, context);
        return (options.all ? allOptions : leaveOut)(line, output, options, context);
      });
    });
}

/** Without --output, the result is in the run's folder only: there is no original that it could lie beside. */
const outputOf = ({ output }: OptionsOptions, resuming: Resuming | undefined): Output | undefined =>
  output === undefined
    ? undefined
    : outputFor(output, [{ path: '/dev/null', name: 'command', folder: false }], !!resuming);

function checkAsked(words: readonly string[], options: OptionsOptions): void {
  const tries = options.tries ?? options.tryFile ?? options.tryHelp;
  if (words.length === 1 && /\s/.test(words[0]!))
    throw new UserError(
      'The command is a shell line, and its options can only be told apart word by word.',
      `Give its words one by one after \`--\`, or put the rest into a script. For example: ${example}`,
    );
  if (options.prevent && !tries)
    throw new UserError(
      'There is nothing to try: --prevent needs options that may prevent the failure.',
      `Give them with --try, --try-file or --try-help. For example: ${preventExample}`,
    );
  if (!options.prevent && tries)
    throw new UserError('Options to try are given, but not what for.', 'Add --prevent to find those that help.');
  if (!options.prevent && words.length === 1)
    throw new UserError(`${words[0]} has no arguments that could be left out.`, `For example: ${example}`);
  for (const name of ['keep', 'tryOnly'] as const)
    if (options[name] !== undefined) readRegex(options[name], name === 'keep' ? '--keep' : '--try-only');
}
