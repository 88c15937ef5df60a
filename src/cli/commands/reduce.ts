/** The command line of `culprit reduce`. */
import { Command, Option } from 'commander';
import { withCommonOptions, withRuleOptions } from '../common.js';
import { collect, number } from '../parse.js';
import { readRequest, start } from '../request.js';

const example = 'culprit reduce bug.c -- gcc -O2 -c {}';

export function reduceCommand(): Command {
  const command = new Command('reduce')
    .description('simplify an input: the smallest file or folder that still makes the command fail in the same way')
    .usage('<path>... [options] -- <command> [args...]')
    .argument('<path...>', 'files or folders; the originals are never written to')
    .addOption(
      new Option('--level <level>', 'how much to know about the language (default: as far as it goes)').choices([
        'lexical',
        'syntactic',
        'semantic',
      ]),
    )
    .addOption(new Option('--by <unit>', 'only one kind of piece').choices(['line', 'token', 'char', 'byte', 'node']))
    .option('--language <name>', 'the language, where the file name does not say')
    .option('--grammar <file.wasm>', 'a tree-sitter grammar of your own')
    .option('--keep <regex>', 'what matches stays as it is')
    .option('--no-rename', 'keep names as they are')
    .option('--no-format', 'keep the smallest bytes, do not make the result readable')
    .option('--also <circumstance>', 'vary this too: env, options (may be repeated)', collect)
    .option('--others <n>', 'then look for up to n other causes of the same failure in the input', number('--others'));
  withRuleOptions(withCommonOptions(command));
  return command
    .addHelpText(
      'after',
      `
{} in the command stands for the artifact's path; without it, the artifact lies under its own name in the folder that the
command starts in. A command given as one word with spaces in it is a shell line.

Examples:
  ${example}
  culprit reduce page.html --interesting -- ./crashes.sh
  culprit reduce input.json --match 'Assertion' -- 'jq . < {}'
`,
    )
    .action(() => start(readRequest(command, { example, inputs: { least: 1, most: Infinity, refuse: noInput } })));
}

const noInput = () => 'There is no input: put its path before `--`.';
