/** What counts as a failure under recorded traffic, and how the recording is used. */
import { UserError } from '../../core/index.js';
import { readRegex } from '../../core/regex.js';
import type { TrafficFailure } from '../../oracle/http/judge.js';
import type { JobOptions } from '../job.js';

const example = 'culprit traffic session.har --send http://127.0.0.1:{port} -- node server.js {port}';

export interface TrafficOptions extends JobOptions {
  readonly send?: string | true;
  readonly serve?: boolean;
  readonly missing?: '404' | 'refuse';
  readonly allowHost?: readonly string[];
  readonly crash?: boolean;
  readonly status?: number;
  readonly body?: string;
  readonly stderr?: string;
}

export function failureOf(options: TrafficOptions): TrafficFailure {
  const asked: TrafficFailure[] = [];
  if (options.crash) asked.push({ kind: 'crash' });
  if (options.status !== undefined) asked.push({ kind: 'status', status: options.status });
  if (options.body !== undefined) asked.push({ kind: 'body', pattern: readRegex(options.body, '--body') });
  if (options.stderr !== undefined) asked.push({ kind: 'stderr', pattern: readRegex(options.stderr, '--stderr') });
  if (asked.length > 1)
    throw new UserError(
      `--${asked[0]!.kind} and --${asked[1]!.kind} each say what counts as the failure, and only one rule can be in force.`,
      'Leave one of them out.',
    );
  return asked[0] ?? { kind: 'as first' };
}

export function modeOf(options: TrafficOptions): 'send' | 'serve' {
  if ((options.send !== undefined) === (options.serve === true))
    throw new UserError(
      options.serve
        ? '--send and --serve are two ways to use a recording, and only one can be taken.'
        : 'It is not said how the recording is used: --send the requests to a server, or --serve the answers to a program.',
      `For example: ${example}`,
    );
  if (options.serve && options.status !== undefined)
    throw new UserError(
      '--status is about what a server answers, and with --serve the answers come from the recording.',
      'Say how the program fails: --crash, --body for its output, or --stderr.',
    );
  if (options.sandbox)
    throw new UserError(
      '--sandbox takes the network away, and traffic is what is tested here.',
      'Leave it out; each test runs in its own copy of the folder in any case.',
    );
  if (options.memory !== undefined)
    throw new UserError(
      '--memory is not there for servers and programs under traffic.',
      "Set the limit in the command: -- 'ulimit -d 500000; exec node server.js {port}'",
    );
  return options.serve ? 'serve' : 'send';
}
