/** Judges one run with recorded traffic. */
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

/** Everything observed in one run. */
export interface Seen {
  readonly answers: readonly Answered[];
  /** How the process ended by itself; `undefined` if it ran until we ended it. */
  readonly ended?: Ended;
  readonly stdout: string;
  readonly stderr: string;
  /** Why there is no verdict: the server never listened, or a request timed out. */
  readonly problem?: string;
  /** Milliseconds until it listened, for the slowest answer, from the last answer to a crash, to the program's end. */
  readonly took?: Readonly<Partial<Record<'listen' | 'answer' | 'settle' | 'end', number>>>;
}

/** Names a crash by what the process printed. */
export type NameCrash = (ended: Ended, printed: { readonly stdout: string; readonly stderr: string }) => string;

/** The verdict on what was seen; `expected` is the signature of the first run, if that is the rule. */
export function judge(seen: Seen, failure: TrafficFailure, expected?: string, named?: NameCrash): Verdict {
  const signatures = signaturesOf(seen, named);
  const signature = signatures.at(-1);
  const evidence = {
    ...(signature !== undefined && { signature }),
    ...(seen.ended?.exit !== undefined && { exit: seen.ended.exit }),
    ...(seen.ended?.signal !== undefined && { signal: seen.ended.signal }),
    ...(seen.stderr !== '' && { excerpt: excerptOf(seen.stderr) }),
  };
  if (seen.ended?.limit !== undefined) return { outcome: 'unresolved', reason: seen.ended.limit, ...evidence };
  if (isFailure(seen, failure, expected, signatures)) return { outcome: 'fail', ...evidence };
  if (seen.problem !== undefined) return { outcome: 'unresolved', reason: seen.problem, ...evidence };
  if (signature !== undefined) return { outcome: 'unresolved', reason: `another failure: ${signature}`, ...evidence };
  return { outcome: 'pass', ...evidence };
}

function isFailure(
  seen: Seen,
  failure: TrafficFailure,
  expected: string | undefined,
  signatures: readonly string[],
): boolean {
  switch (failure.kind) {
    case 'as first':
      return expected !== undefined && signatures.includes(expected);
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
  ended.limit === undefined &&
  (ended.signal !== undefined || (ended.exit !== undefined && ended.exit !== 0));

/** The identity of what went wrong: how it ended and the error's own line with its top frames, or the first server error. */
export const signatureOf = (seen: Seen, named?: NameCrash): string | undefined => signaturesOf(seen, named).at(-1);

/**
 * A server that keeps running also logs errors that it handled, and it is unknown which of them belongs to an answer: most
 * likely the last one, but any of them may be the expected failure.
 */
function signaturesOf(seen: Seen, named: NameCrash = byLines): readonly string[] {
  if (isCrash(seen.ended)) return [named(seen.ended!, seen)];
  const broken = seen.answers.find(answer => answer.status >= 500);
  if (!broken) return [];
  const answer = `answers ${broken.status} to ${broken.what.replace(/\?.*$/s, '')}`;
  return [answer, ...errorsIn(seen.stderr).map(error => [answer, ...error].join(' | '))];
}

const byLines: NameCrash = ({ signal, exit }, { stderr }) => {
  const [first] = errorsIn(stderr);
  const last = stderr.split('\n').findLast(line => line.trim() !== '');
  return [signal ?? `exit ${exit}`, ...(first ?? (last === undefined ? [] : [plain(last)]))].join(' | ');
};

/** The lines that look like errors, each with its top frames. */
function errorsIn(stderr: string): readonly (readonly string[])[] {
  const lines = stderr.split('\n');
  return lines.flatMap((line, at) => {
    if (!/^\S*(Error|Exception)\b|\b(panic|fatal|assert\w*|Segmentation fault)\b/i.test(line)) return [];
    const frames: string[] = [];
    for (let next = at + 1; frames.length < 2 && next < lines.length; next++) {
      if (isFrame.test(lines[next]!)) frames.push(lines[next]!.trim());
      else if (!/^\s/.test(lines[next]!)) break;
    }
    return [[plain(line), ...frames]];
  });
}

const isFrame = /^\s+(at |File "|#\d)/;
const plain = (line: string): string => withoutNumbers(line.trim());

/** Sessions, ports, ids and times are new in every run, and are often part of a word: sid4711. */
export const withoutNumbers = (line: string): string => line.replace(/0x[\da-f]+|\d+/gi, '0');

const excerptOf = (text: string): string =>
  text.length > 600 ? `${text.slice(0, 300)}\n…\n${text.slice(-300)}` : text;
