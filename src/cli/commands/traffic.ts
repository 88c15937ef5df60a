/** The command line of `culprit traffic`. */
import { Command, Option } from 'commander';
import { withCommonOptions } from '../common.js';
import { collect, number } from '../parse.js';
import { readRequest, start } from '../request.js';

const example = 'culprit traffic session.har --send http://127.0.0.1:{port} -- node server.js {port}';

export function trafficCommand(): Command {
  const command = new Command('traffic')
    .description(
      'which recorded exchanges matter, and what in them: requests that break a server, answers that break a program',
    )
    .usage('<har> [options] -- <command> [args...]')
    .argument('<har>', 'a recording in HAR 1.2, as browsers and proxies export it')
    .option('--send [url]', 'send the requests to a server that the command starts; {port} is a free port')
    .option('--serve', 'answer from the recording what the command asks for; {} is the address')
    .addOption(new Option('--missing <how>', 'with --serve, what is left out gets').choices(['404', 'refuse']))
    .option('--allow-host <name>', 'another host than this machine that requests may go to', collect)
    .option('--crash', 'fail = the server or program crashes')
    .option('--status <n>', 'fail = an answer has this status', number('--status', { least: 100 }))
    .option('--body <regex>', "fail = the body of an answer (with --serve: the program's output) matches")
    .option('--stderr <regex>', 'fail = what is printed to stderr matches')
    .allowExcessArguments(true);
  withCommonOptions(command, ['--sandbox', '--memory']);
  return command
    .addHelpText(
      'after',
      `
The command runs in copies of this folder, one for each test. Its port is told through {port} and PORT, the address of the
recording through {} and CULPRIT_URL. Credentials are masked in all that is shown; the resulting HAR holds what is needed.

Examples:
  ${example}
  culprit traffic session.har --serve -- node client.js {}
`,
    )
    .action(() => start(readRequest(command, { example, inputs: { least: 1, most: 1, refuse } })));
}

const refuse = (given: readonly string[]) =>
  given.length === 0
    ? 'There is no recording: put the path of a HAR file before `--`.'
    : `traffic reads one recording, and there are ${given.length} before \`--\`: ${given.join(', ')}.`;
