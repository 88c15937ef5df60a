/** The command line of `culprit actions`. */
import { Command } from 'commander';
import { withCommonOptions } from '../common.js';
import { number } from '../parse.js';
import { readRequest, start } from '../request.js';

const example = 'culprit actions recording.json';

export function actionsCommand(): Command {
  const command = new Command('actions')
    .description('which user actions matter: a recorded session in a web page, replayed in a real browser')
    .usage('<recording> [options] [-- <command> [args...]]')
    .argument('<recording>', 'an export of the DevTools Recorder, of `culprit record`, or a Playwright test (.js, .ts)')
    .option('--fails-when <expression>', 'fail = this becomes true in the page: "document.querySelector(\'.error\')"')
    .option('--exception [regex]', 'fail = an uncaught exception (that matches)')
    .option('--console [regex]', 'fail = an error on the console (that matches)')
    .option('--request [regex]', 'fail = a request that gets no answer, or a status of 400 or more')
    .option('--dialog [regex]', 'fail = an alert, a confirmation or a prompt opens')
    .option('--crash', 'fail = the page crashes')
    .option('--hang', 'fail = the page (or the command) does not answer within --timeout')
    .option(
      '--patience <ms>',
      'how long an element may take to appear (default: learned)',
      number('--patience', { least: 0 }),
    )
    .option('--interesting', 'with a command: fail = it exits with 0')
    .option('--bisect', 'with a command: fail = exit 1–124, 126, 127; pass = 0; unresolved = 125 and 128 up')
    .option('--match <regex>', 'with a command: fail = its output matches')
    .option('--exit <n>', 'with a command: fail = that exit code', number('--exit', { least: 0 }))
    .option('--signal <name>', 'with a command: fail = that signal')
    .allowExcessArguments(true);
  withCommonOptions(command, ['--sandbox']);
  return command
    .addHelpText(
      'after',
      `
When nothing is said, the failure is the worst thing that the recording does: a crash, a hang, an uncaught exception, an error
on the console, a failed request. A command after -- runs in this folder after each replay, and decides; {} is the recording.

Examples:
  ${example}
  culprit actions recording.json --fails-when "document.querySelector('.error')"
  culprit actions login.spec.ts -- ./check-database.sh
`,
    )
    .action(() => start(readRequest(command, { example, command: 'optional', inputs: { least: 1, most: 1, refuse } })));
}

const refuse = (given: readonly string[]) =>
  given.length === 0
    ? 'There is no recording: put its path first. To make one: culprit record <url>'
    : `actions reads one recording, and there are ${given.length}: ${given.join(', ')}.`;
