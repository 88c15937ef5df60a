/** The command line of `culprit reduce`. */
import { Command } from 'commander';
import {
  describe,
  withCommonOptions,
  withInputOptions,
  withRuleOptions,
  withTextOptions,
  withWorkerOptions,
} from '../common.js';
import { collect, number } from '../parse.js';
import { readRequest, start } from '../request.js';

const example = 'culprit reduce bug.c -- gcc -O2 -c {}';

export function reduceCommand(): Command {
  const command = new Command('reduce')
    .description('reduce files or folders to the smallest input that still fails the same way')
    .usage('<path>... [options] -- <command> [args...]')
    .argument('<path...>', 'files or folders to reduce, or - for standard input; the originals are never changed');
  withTextOptions(command)
    .option('--grammar <file.wasm>', 'use your own tree-sitter grammar')
    .option('--no-rename', 'do not shorten names')
    .option('--no-values', 'do not replace code by what it computed in a run')
    .option('--no-format', 'do not format the result; keep the fewest bytes')
    .option('--no-unpack', 'reduce a zip, tar, gzip or PDF file by its bytes, not by what is in it')
    .option('--also <circumstance>', 'also reduce env or options (repeatable)', collect)
    .option('--others <n>', 'then look for up to n other causes of the same failure', number('--others'));
  withRuleOptions(withWorkerOptions(withCommonOptions(withInputOptions(command))));
  describe(command, '--output', 'where to write the result; - is standard output');
  return command
    .addHelpText(
      'after',
      `
{} in the command is replaced by the path of the input. Without {}, the input
is in the working directory of the command, under its own name. A command in
quotes ('sort {} | uniq') is run by the shell.

Examples:
  ${example}
  culprit reduce page.html --interesting -- ./crashes.sh
  culprit reduce input.json --match 'Assertion' --stdin -- jq .
  cat bug.c | culprit reduce - --language c -o - -- gcc -O2 -c {} > small.c
`,
    )
    .action(() => start(readRequest(command, { example, inputs: { least: 1, most: Infinity, refuse: noInput } })));
}

const noInput = () => 'No input. Put its path before `--`.';
