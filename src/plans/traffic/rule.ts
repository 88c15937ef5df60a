/** What counts as a failure under recorded traffic, and how the recording is used. */
import { cannotCombine } from '../../core/cannot-combine.js';
import { UserError } from '../../core/index.js';
import { readRegex } from '../../core/regex.js';
import type { TrafficFailure } from '../../oracle/http/judge.js';
import type { JobOptions } from '../job.js';

const example = 'culprit traffic log.har --send http://127.0.0.1:{port} -- node app.js {port}';

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
  if (asked.length > 1) throw cannotCombine(`--${asked[0]!.kind}`, `--${asked[1]!.kind}`);
  return asked[0] ?? { kind: 'as first' };
}

export function modeOf(options: TrafficOptions): 'send' | 'serve' {
  if (options.send !== undefined && options.serve) throw cannotCombine('--send', '--serve', `For example: ${example}`);
  if (options.send === undefined && !options.serve)
    throw new UserError(
      'Choose how to use the recording: --send its requests to a server, or --serve its responses to a program.',
      `For example: ${example}`,
    );
  if (!options.serve && options.missing !== undefined)
    throw new UserError(
      '--missing needs --serve: it says how culprit answers requests that were removed.',
      'Remove it, or use --serve.',
    );
  if (options.serve && options.allowHost !== undefined)
    throw new UserError(
      '--allow-host needs --send: with --serve no request leaves this machine.',
      'Remove it, or use --send.',
    );
  if (options.serve && options.status !== undefined)
    throw cannotCombine(
      '--status',
      '--serve',
      'With --serve the responses come from the recording. Describe how the program fails: --crash, --body for its output, or --stderr.',
    );
  if (options.sandbox)
    throw new UserError(
      '--sandbox is not available for traffic: tests need the network.',
      'Remove it. Each test runs in its own copy of the folder anyway.',
    );
  if (options.memory !== undefined)
    throw new UserError(
      '--memory is not available for traffic.',
      "Set the limit in the command: -- 'ulimit -d 500000; exec node server.js {port}'",
    );
  return options.serve ? 'serve' : 'send';
}
