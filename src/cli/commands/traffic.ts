/** The command line of `culprit traffic`. */
import { Command, Option } from 'commander';
import { withCommonOptions, withoutWorkerOptions } from '../common.js';
import { collect, number } from '../parse.js';
import { readRequest, start } from '../request.js';

const example = 'culprit traffic log.har --send http://127.0.0.1:{port} -- node app.js {port}';

export function trafficCommand(): Command {
  const command = new Command('traffic')
    .description('find the recorded requests or responses that break a server or a client')
    .usage('<har> [options] -- <command> [args...]')
    .argument('<har>', 'HAR 1.2 file, as exported by browsers and proxies')
    .option('--send [url]', 'send the requests to the server that the command starts; {port} is a free port')
    .option('--serve', 'serve the recorded responses to the command; {} is the address')
    .addOption(
      new Option('--missing <how>', 'with --serve: what happens to requests that were removed').choices([
        '404',
        'refuse',
      ]),
    )
    .option('--allow-host <name>', 'allow requests to this host (default: only to this machine)', collect)
    .optionsGroup('What counts as the failure (default: the failure of the first run):')
    .option('--crash', 'the server or program crashes')
    .option('--status <n>', 'a response has this status', number('--status', { least: 100 }))
    .option('--body <regex>', "a response body (with --serve: the program's output) matches")
    .option('--stderr <regex>', 'the output on stderr matches')
    .allowExcessArguments(true);
  withoutWorkerOptions(withCommonOptions(command, ['--sandbox', '--memory']));
  return command
    .addHelpText(
      'after',
      `
The command runs in copies of this folder, one per test. It gets its port as
{port} and PORT, and the address of the recording as {} and CULPRIT_URL.
Credentials are masked on screen; the resulting HAR keeps those it needs.

Examples:
  ${example}
  culprit traffic log.har --serve -- node client.js {}
`,
    )
    .action(() => start(readRequest(command, { example, inputs: { least: 1, most: 1, refuse } })));
}

const refuse = (given: readonly string[]) =>
  given.length === 0
    ? 'No recording. Put the path of a HAR file before `--`.'
    : `traffic reads one recording, but there are ${given.length} before \`--\`: ${given.join(', ')}.`;
