/** The command line of `culprit actions`. */
import { Command } from 'commander';
import { withCommonOptions, withoutWorkerOptions } from '../common.js';
import { number } from '../parse.js';
import { readRequest, start } from '../request.js';

const example = 'culprit actions recording.json';

export function actionsCommand(): Command {
  const command = new Command('actions')
    .description('find the user actions that break a web page, from a recording')
    .usage('<recording> [options] [-- <command> [args...]]')
    .argument('<recording>', 'from the DevTools Recorder (JSON), `culprit record`, or a Playwright test (.js, .ts)')
    .option(
      '--patience <ms>',
      'how long to wait for an element (default: learned from the first replay)',
      number('--patience', { least: 0 }),
    )
    .optionsGroup('What counts as the failure (default: the worst that happens):')
    .option('--fails-when <expression>', 'this becomes true: "document.querySelector(\'.error\')"')
    .option('--exception [regex]', 'an uncaught exception (that matches)')
    .option('--console [regex]', 'a console error (that matches)')
    .option('--request [regex]', 'a request with no response, or with status 400 or more')
    .option('--dialog [regex]', 'an alert, a confirmation or a prompt opens')
    .option('--crash', 'the page crashes')
    .option('--hang', 'the page (or the command) does not respond within --timeout')
    .option('--interesting', 'with a command: exit 0')
    .option('--bisect', 'with a command: exit 1–124, 126 or 127; 0 passes, 125 and 128 or more are unresolved')
    .option('--match <regex>', 'with a command: its output matches')
    .option('--exit <n>', 'with a command: this exit code', number('--exit', { least: 0 }))
    .option('--signal <name>', 'with a command: this signal')
    .allowExcessArguments(true);
  withoutWorkerOptions(withCommonOptions(command, ['--sandbox']));
  return command
    .addHelpText(
      'after',
      `
By default the failure is the worst thing that happens in the recording: a
crash, a hang, an uncaught exception, a console error, or a failed request.
If there is a command after --, it runs in this folder after each replay and
decides. {} is replaced by the path of the recording.

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
    ? 'No recording. Put its path first. To make one: culprit record <url>'
    : `actions reads one recording, but there are ${given.length}: ${given.join(', ')}.`;
