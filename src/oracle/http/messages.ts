/** The messages of the traffic oracle. */
import { UserError, type Verdict } from '../../core/index.js';
import type { Har } from '../../sources/har/har.js';
import { maskedUrl } from '../../sources/har/show.js';
import type { Seen, TrafficFailure } from './judge.js';

export const describeEnd = (ended: NonNullable<Seen['ended']>): string =>
  ended.error ?? ended.limit ?? ended.signal ?? `exit ${ended.exit}`;

/** A timeout decided the verdict; on a less busy machine it may be different. */
export const ranOutOfTime = ({ outcome, reason = '' }: Verdict): boolean =>
  outcome === 'unresolved' && /^(timeout$|a request was not answered in time|the server did not listen)/.test(reason);

export function describeRule(failure: TrafficFailure, mode: 'send' | 'serve'): string {
  switch (failure.kind) {
    case 'as first':
      return mode === 'send'
        ? 'fail = the server crashes, or responds with 500 or above, as in the first run'
        : 'fail = the program fails as in the first run';
    case 'crash':
      return mode === 'send'
        ? 'fail = the server crashes'
        : 'fail = the program ends with a signal or a nonzero exit code';
    case 'status':
      return `fail = a response has status ${failure.status}`;
    case 'body':
      return mode === 'send'
        ? `fail = a response body matches ${failure.pattern}`
        : `fail = the program's output matches ${failure.pattern}`;
    case 'stderr':
      return `fail = stderr matches ${failure.pattern}`;
  }
}

export function noFailure(har: Har, seen: Seen, mode: 'send' | 'serve', failure: TrafficFailure): UserError {
  const tail = seen.stderr.trim().split('\n').slice(-5).join('\n  ');
  const printed = tail ? ` Its stderr ended with:\n  ${tail}` : '';
  const isTimeout = seen.problem === 'timeout';
  if (seen.problem !== undefined)
    return new UserError(
      `On the whole recording, ${isTimeout ? 'the program did not end in time' : seen.problem}.${printed}`,
      seen.ended?.error !== undefined
        ? 'Check its name, and that it is on the PATH.'
        : isTimeout
          ? 'Give it more time with --timeout <s>.'
          : seen.problem.startsWith("a request can't be sent")
            ? 'Correct or remove this entry of the recording.'
            : mode === 'send'
              ? `The server must listen on the port that it gets as {port} in the command and as PORT in its environment.`
              : `The program gets the address of the recording as {} in the command and as CULPRIT_URL.`,
      seen.ended?.error === undefined ? 1 : 2,
    );
  const statuses = new Map<number, number>();
  for (const { status } of seen.answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const answers = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status || 'no response'}`);
  const ended = seen.ended ? `it ended with ${describeEnd(seen.ended)}` : 'it kept running';
  return new UserError(
    `The whole recording does not fail (${describeRule(failure, mode)}): ${ended}${mode === 'send' ? ` and responded ${answers.join(', ')}` : ''}.${mode === 'send' ? firstOther(har, seen) : ''}${printed}`,
    mode === 'send'
      ? `Describe the failure with --status, --body or --stderr, or check that the server starts in the same state as then.`
      : `Describe the failure with --body (for its output) or --stderr, or check that it requests what is in the recording.`,
    1,
  );
}

/** Where the replay leaves the recording: everything after it may only follow from that. */
function firstOther({ log }: Har, { answers }: Seen): string {
  const at = answers.findIndex(({ status }, i) => status !== (log.entries[i]?.response?.status ?? status));
  const answer = answers[at];
  if (!answer) return '';
  const recorded = log.entries[at]?.response?.status;
  return `\n  The first response unlike the recorded one: ${maskedUrl(answer.what)} → ${answer.status || 'no response'}, recorded ${recorded}.`;
}
