import type { Verdict } from '../../core/index.js';
import type { Ended } from './process.js';

/** What counts as the failure of a server or of a program that talks to the recording. */
export type TrafficFailure =
  /** As the first run failed: a crash, else (for a server) an answer of 500 or above. */
  | { readonly kind: 'as first'; readonly signature?: string }
  | { readonly kind: 'crash' }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'body'; readonly pattern: RegExp }
  | { readonly kind: 'stderr'; readonly pattern: RegExp };

export interface Answered {
  /** `POST /cart?x=1`, or the request in the recording. */
  readonly what: string;
  /** 0: no answer. */
  readonly status: number;
  readonly body: string;
}

/** What was seen in one run. */
export interface Seen {
  readonly answers: readonly Answered[];
  /** How the process ended by itself; `undefined` while it ran until it was ended by us. */
  readonly ended?: Ended;
  readonly stdout: string;
  readonly stderr: string;
  /** Why nothing can be said: it never listened, a request ran out of time. */
  readonly problem?: string;
  /** Milliseconds until it listened, for the slowest answer, from the last answer to a crash, to the program's end. */
  readonly took?: Readonly<Partial<Record<'listen' | 'answer' | 'settle' | 'end', number>>>;
}

/** Names a crash by what the process printed. */
export type NameCrash = (ended: Ended, printed: { readonly stdout: string; readonly stderr: string }) => string;

/** The verdict on what was seen; `chased` is the signature of the first run where that is the rule. */
export function judge(seen: Seen, failure: TrafficFailure, chased?: string, named?: NameCrash): Verdict {
  const signature = signatureOf(seen, named);
  const evidence = {
    ...(signature !== undefined && { signature }),
    ...(seen.ended?.exit !== undefined && { exit: seen.ended.exit }),
    ...(seen.ended?.signal !== undefined && { signal: seen.ended.signal }),
    ...(seen.stderr !== '' && { excerpt: excerptOf(seen.stderr) }),
  };
  if (isFailure(seen, failure, chased, signature)) return { outcome: 'fail', ...evidence };
  if (seen.problem !== undefined) return { outcome: 'unresolved', reason: seen.problem, ...evidence };
  if (signature !== undefined) return { outcome: 'unresolved', reason: `another failure: ${signature}`, ...evidence };
  return { outcome: 'pass', ...evidence };
}

function isFailure(
  seen: Seen,
  failure: TrafficFailure,
  chased: string | undefined,
  signature: string | undefined,
): boolean {
  switch (failure.kind) {
    case 'as first':
      return signature !== undefined && signature === chased;
    case 'crash':
      return isCrash(seen.ended);
    case 'status':
      return seen.answers.some(answer => answer.status === failure.status);
    case 'body':
      return seen.answers.some(answer => failure.pattern.test(answer.body));
    case 'stderr':
      return failure.pattern.test(seen.stderr);
  }
}

const isCrash = (ended: Ended | undefined): boolean =>
  ended !== undefined &&
  ended.error === undefined &&
  (ended.signal !== undefined || (ended.exit !== undefined && ended.exit !== 0));

/** The identity of what went wrong: how it ended and the error's own line with its top frames, or the first server error. */
export function signatureOf(seen: Seen, named: NameCrash = byLines): string | undefined {
  if (isCrash(seen.ended)) return named(seen.ended!, seen);
  const broken = seen.answers.find(answer => answer.status >= 500);
  if (!broken) return undefined;
  return [`answers ${broken.status} to ${broken.what.replace(/\?.*$/s, '')}`, ...errorLines(seen.stderr)].join(' | ');
}

const byLines: NameCrash = ({ signal, exit }, { stderr }) =>
  [signal ?? `exit ${exit}`, ...errorLines(stderr)].join(' | ');

/** Numbers change from run to run (ports, ids, times); the rest of an error's line does not. */
function errorLines(stderr: string): readonly string[] {
  const lines = stderr.split('\n');
  const at = lines.findIndex(line =>
    /^\S*(Error|Exception)\b|\b(panic|fatal|assert\w*|Segmentation fault)\b/i.test(line),
  );
  const error = at >= 0 ? lines[at]! : (lines.findLast(line => line.trim() !== '') ?? '');
  const frames = lines.slice(Math.max(at, 0)).filter(line => /^\s+(at |File "|#\d)/.test(line));
  const plain = (line: string) => line.trim().replace(/0x[\da-f]+|\d+/gi, '0');
  return [plain(error), ...frames.slice(0, 2).map(frame => frame.trim())].filter(line => line !== '');
}

const excerptOf = (text: string): string =>
  text.length > 600 ? `${text.slice(0, 300)}\n…\n${text.slice(-300)}` : text;
