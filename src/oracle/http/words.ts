/** The messages of the traffic oracle. */
import { UserError, type Verdict } from '../../core/index.js';
import type { Seen, TrafficFailure } from './judge.js';

export const how = (ended: NonNullable<Seen['ended']>): string =>
  ended.error ?? ended.limit ?? ended.signal ?? `exit ${ended.exit}`;

/** Time decided: on a machine that is less busy the verdict may be another. */
export const ranOutOfTime = ({ outcome, reason = '' }: Verdict): boolean =>
  outcome === 'unresolved' && /^(timeout$|a request was not answered in time|the server did not listen)/.test(reason);

export function inWords(failure: TrafficFailure, mode: 'send' | 'serve'): string {
  switch (failure.kind) {
    case 'as first':
      return mode === 'send'
        ? 'fail = the server crashes, or answers 500 or above, as in the first run'
        : 'fail = the program fails as in the first run';
    case 'crash':
      return mode === 'send'
        ? 'fail = the server crashes'
        : 'fail = the program ends with a signal or another exit than 0';
    case 'status':
      return `fail = an answer has status ${failure.status}`;
    case 'body':
      return mode === 'send'
        ? `fail = the body of an answer matches ${failure.pattern}`
        : `fail = the program's output matches ${failure.pattern}`;
    case 'stderr':
      return `fail = stderr matches ${failure.pattern}`;
  }
}

export function noFailure(seen: Seen, mode: 'send' | 'serve', failure: TrafficFailure): UserError {
  const tail = seen.stderr.trim().split('\n').slice(-5).join('\n  ');
  const printed = tail ? ` Its stderr ended with:\n  ${tail}` : '';
  if (seen.problem !== undefined)
    return new UserError(
      `On the whole recording, ${seen.problem}.${printed}`,
      seen.ended?.error !== undefined
        ? 'Check its name, and that it is on the PATH.'
        : mode === 'send'
          ? `The server is told its port through {port} in the command and through PORT in its environment, and must listen there.`
          : `The address of the recording is told through {} in the command and through CULPRIT_URL.`,
      seen.ended?.error === undefined ? 1 : 2,
    );
  const statuses = new Map<number, number>();
  for (const { status } of seen.answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const answers = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status || 'no answer'}`);
  const ended = seen.ended ? `it ended with ${how(seen.ended)}` : 'it went on running';
  return new UserError(
    `The whole recording does not fail (${inWords(failure, mode)}): ${ended}${mode === 'send' ? `, and answered ${answers.join(', ')}` : ''}.${printed}`,
    mode === 'send'
      ? `Say what the failure is with --status, --body or --stderr, or check that the server starts in the state it had.`
      : `Say what the failure is with --body for its output or --stderr, or check that it asks for what is in the recording.`,
    1,
  );
}
