/** What can go wrong in a page, and the signature of each kind of failure. */
import type { Test } from '../../core/index.js';
import type { Recording } from '../../sources/recording/recording.js';

/** What counts as the failure. By default, the worst thing that the original recording does. */
export type Failing =
  | { readonly kind: 'any' }
  | { readonly kind: 'crash' | 'hang' }
  | { readonly kind: 'exception' | 'console' | 'request' | 'dialog'; readonly match?: RegExp }
  | { readonly kind: 'expression'; readonly expression: string }
  /** The actions are replayed, then this decides: for example a command that looks at a server or a database. */
  | { readonly kind: 'command'; readonly run: Test<Recording> };

/** Something that went wrong in a page, and its identity. */
export interface PageError {
  readonly kind: 'crash' | 'hang' | 'exception' | 'console' | 'request' | 'dialog' | 'expression';
  readonly signature: string;
  /** For people. */
  readonly text: string;
  /** After which step of the replayed recording, from 0. */
  readonly step: number;
  /** Milliseconds since the page was opened. */
  readonly at: number;
}

/** Worst first: what `any` expects if the original does several of them. A dialog alone is not a failure. */
export const severity: readonly PageError['kind'][] = ['crash', 'hang', 'exception', 'console', 'request'];

export const failureText: Readonly<Record<PageError['kind'], string>> = {
  crash: 'the page crashes',
  hang: 'the page no longer answers',
  exception: 'an uncaught exception',
  console: 'an error on the console',
  request: 'a request fails',
  dialog: 'a dialog opens',
  expression: 'the expression becomes true',
};

/** The parts of DevTools' events that a signature is made from. */
export interface StackTrace {
  readonly callFrames: readonly { readonly functionName: string; readonly url: string; readonly lineNumber: number }[];
}
export interface RemoteObject {
  readonly type: string;
  readonly subtype?: string;
  readonly value?: unknown;
  readonly description?: string;
  readonly unserializableValue?: string;
}
export interface ExceptionDetails {
  readonly text: string;
  readonly exception?: RemoteObject;
  readonly stackTrace?: StackTrace;
}

const framesKept = 3;

/** The error's own line and the top of its stack; what differs from run to run (numbers, addresses) is left out. */
export function signatureOf(message: string, stack?: StackTrace): string {
  const frames = (stack?.callFrames ?? [])
    .filter(frame => frame.url !== '')
    .slice(0, framesKept)
    .map(frame => `\n  at ${frame.functionName || '(anonymous)'} (${fileOf(frame.url)}:${frame.lineNumber + 1})`);
  return steady(message.split('\n')[0]!) + frames.join('');
}

export const messageOf = (details: ExceptionDetails): string =>
  (details.exception ? textOfValue(details.exception).split('\n')[0]! : details.text).replace(
    /^Uncaught (\(in promise\) )?/,
    '',
  );

export const textOfValue = (object: RemoteObject): string =>
  object.description ??
  object.unserializableValue ??
  (typeof object.value === 'string' ? object.value : JSON.stringify(object.value)) ??
  object.type;

const fileOf = (url: string): string =>
  url
    .replace(/[?#].*$/, '')
    .split('/')
    .at(-1)!
    .replace(/[-.][0-9a-f]{8,}(?=\.)/i, '');

const steady = (text: string): string =>
  text
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '#')
    .replace(/\b(?:https?|file|blob):\/*[^\s'")]*/g, url => fileOf(url))
    .replace(/\b(?:0x[0-9a-f]+|\d{4,})\b/gi, '#');
