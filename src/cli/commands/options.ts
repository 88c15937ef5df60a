/** The command line of `culprit options`. */
import { Command } from 'commander';
import { placeholder } from '../../circumstances/options/prevent.js';
import { withAllOptions, withCommonOptions, withRuleOptions, withWorkerOptions } from '../common.js';
import { collect } from '../parse.js';
import { readRequest, start } from '../request.js';

const example = "culprit options --match 'internal error' -- gcc -O3 -g @build.rsp -c bug.c";
const preventExample = 'culprit options --prevent --try -fno-gcse -fno-inline -Os -- gcc -O2 -c bug.c';

/**
 * `--try -a -b --`: the words after it are options of the command, until one of culprit's own or `--`. For an option that
 * culprit also has, write `--try=`: `--try=--timeout`.
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
    .description('find the arguments that a failure needs, or options that prevent it')
    .usage('[options] -- <command> [args...]')
    .option('--prevent', 'find options that make the failure go away')
    .option(
      '--try <options...>',
      'options to try with --prevent; quote an option with its value, and write --try=<option> if culprit has that option too',
    )
    .option('--try-file <file>', 'options to try, from a file with one per line', collect)
    .option('--try-help <command>', "options to try, from a tool's help: 'gcc -O2 -Q --help=optimizers'", collect)
    .option('--try-only <regex>', "of the tool's help, only options that match")
    .option('--values-from <command>', "learn from this help which options take a value: 'tool --help'")
    .option('--keep <regex>', 'never remove arguments that match')
    .allowExcessArguments(true);
  withRuleOptions(withWorkerOptions(withCommonOptions(withAllOptions(command))));
  return command
    .addHelpText(
      'after',
      `
An option and its value are removed together. Response files (@file) are
expanded. The command runs in copies of this folder. With --prevent, options
are inserted at ${placeholder}; without it, before --, or else at the end.

Examples:
  ${example}
  ${preventExample}
  culprit options --all -- gcc -O3 -ffast-math -funroll-loops -c bug.c
`,
    )
    .action(() => start(readRequest(command, { example, inputs: { least: 0, most: 0, refuse } })));
}

const refuse = ([first]: readonly string[]) =>
  `options takes no input, but there is ${first} before \`--\`. Put the command and its arguments after \`--\`.`;
