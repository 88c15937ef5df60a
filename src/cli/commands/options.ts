/** The command line of `culprit options`. */
import { Command } from 'commander';
import { placeholder } from '../../circumstances/options/prevent.js';
import { withAllOptions, withCommonOptions, withRuleOptions } from '../common.js';
import { collect } from '../parse.js';
import { readRequest, start } from '../request.js';

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

export function optionsCommand(): Command {
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
    .action(() => start(readRequest(command, { example, inputs: { least: 0, most: 0, refuse } })));
}

const refuse = ([first]: readonly string[]) =>
  `options takes no input, and there is ${first} before \`--\`: put the command and its arguments after it.`;
