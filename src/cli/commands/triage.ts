/** The command line of `culprit triage`. */
import { Command } from 'commander';
import { describe, withCommonOptions, withTextOptions, withWorkerOptions } from '../common.js';
import { number } from '../parse.js';
import { readRequest, start } from '../request.js';

const example = 'culprit triage crashes/ -- ./target {}';

export function triageCommand(): Command {
  const command = new Command('triage')
    .description('group many failing inputs, and reduce one input of each group')
    .usage('<path>... [options] -- <command> [args...]')
    .argument('<path...>', 'folders of inputs, or files; they are never changed')
    .option('--out <folder>', 'where to write the result; a second run tests only new files (default: triage)')
    .option('--all', 'reduce every file, unless it contains a minimal form of its variant')
    .option('--reports <folder>', 'bug reports in Markdown: which of them contain a minimal form')
    .option('--max-tests-per-group <n>', 'reduce a group with at most n tests', number('--max-tests-per-group'))
    .option(
      '--max-time-per-group <s>',
      'reduce a group for at most s seconds',
      number('--max-time-per-group', { least: 0.01, whole: false }),
    );
  withWorkerOptions(
    withCommonOptions(withTextOptions(command), ['--output', '--no-cache', '--repeat', '--flaky', '--confidence']),
  );
  describe(command, '--timeout', 'timeout per test in seconds (default: 5; then 10× the slowest file that fails)');
  describe(command, '--force', 'test all files again, and replace the result of another command in --out');
  return command
    .addHelpText(
      'after',
      `
{} in the command is replaced by the path of a file. Files with the same
signature are one group; the variants of a group differ in their stacks.

Examples:
  ${example}
  culprit triage findings/default/crashes --out triage -- ./parse {}
  culprit triage crashes/ --reports bugs/ -- 'convert {} /dev/null'
`,
    )
    .action(() => start(readRequest(command, { example, inputs: { least: 1, most: Infinity, refuse } })));
}

const refuse = () => 'No inputs. Put a folder before `--`.';
