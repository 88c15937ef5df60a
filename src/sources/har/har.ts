/** Reads HAR files. */
import { UserError } from '../../core/index.js';
import { array, Mismatch, number, object, optional, string, such } from '../../core/schema.js';

/** HTTP Archive 1.2 (the format of browsers and proxies). Only the fields that are used are declared; all others are kept. */
export interface Har {
  readonly log: { readonly version?: string; readonly entries: readonly Exchange[]; readonly [other: string]: unknown };
  readonly [other: string]: unknown;
}
export interface Pair {
  readonly name: string;
  readonly value: string;
  readonly [other: string]: unknown;
}
export interface Body {
  readonly mimeType?: string;
  readonly text?: string;
  readonly params?: readonly Partial<Pair>[];
  /** `base64` if the content is not text. */
  readonly encoding?: string;
  readonly [other: string]: unknown;
}
export interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly Pair[];
  readonly queryString?: readonly Pair[];
  readonly cookies?: readonly Partial<Pair>[];
  readonly postData?: Body;
  readonly [other: string]: unknown;
}
export interface Response {
  readonly status: number;
  readonly headers: readonly Pair[];
  readonly cookies?: readonly Partial<Pair>[];
  readonly content?: Body;
  readonly [other: string]: unknown;
}
export interface Exchange {
  readonly request: Request;
  readonly response?: Response;
  readonly [other: string]: unknown;
}

/** Reads and checks a recording. Each error message names the position, what was found and what was expected. */
export function readHar(text: string, path: string): Har {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UserError(
      `${path} is not a HAR file: it is not JSON (${(error as Error).message}).`,
      `Export it again: in the browser's developer tools, Network, "Save all as HAR".`,
    );
  }
  const entries = at(at(value, 'log'), 'entries');
  if (!Array.isArray(entries))
    throw new UserError(
      `${path} is JSON, but not a HAR file: there is no list of entries in log.entries.`,
      `A HAR file starts with {"log": {"version": "1.2", "entries": [ …`,
    );
  if (entries.length === 0)
    throw new UserError(
      `${path} contains no exchange: log.entries is empty.`,
      `Record the failing session with the network panel open.`,
    );
  try {
    return har(value) as Har;
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw new UserError(
      `${path}: ${error.message}.`,
      `HAR 1.2 requires it. Remove the entry, or export the recording again.`,
    );
  }
}

const pair = object({ name: string, value: string });
const named = object({ name: optional(string), value: optional(string) });
const body = object({
  mimeType: optional(string),
  text: optional(string),
  encoding: optional(string),
  params: optional(array(named)),
});
const exchange = object({
  request: object({
    method: string,
    url: such(string, URL.canParse, 'an absolute URL'),
    headers: array(pair),
    queryString: optional(array(pair)),
    cookies: optional(array(named)),
    postData: optional(body),
  }),
  response: optional(
    object({
      status: such(number, Number.isInteger, 'a whole number'),
      headers: array(pair),
      cookies: optional(array(named)),
      content: optional(body),
    }),
  ),
});
const har = object({ log: object({ entries: array(exchange) }) });

const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;

/** The same recording with other exchanges. */
export const withExchanges = (har: Har, entries: readonly Exchange[]): Har => ({
  ...har,
  log: { ...har.log, entries },
});

/** The exchanges over HTTP; browsers also record what is in `data:` URLs, and WebSockets. `schemes`: of the others. */
export function httpOnly(har: Har, path: string): { readonly har: Har; readonly schemes: readonly string[] } {
  const schemeOf = ({ request }: Exchange) => new URL(request.url).protocol;
  const isHttp = (exchange: Exchange) => /^https?:$/.test(schemeOf(exchange));
  const { entries } = har.log;
  const schemes = entries.filter(exchange => !isHttp(exchange)).map(schemeOf);
  if (schemes.length === 0) return { har, schemes };
  if (schemes.length === entries.length)
    throw new UserError(
      `${path} contains no exchange over HTTP, only ${[...new Set(schemes)].join(' ')}.`,
      'Record the failing session with the network panel open.',
    );
  return { har: withExchanges(har, entries.filter(isHttp)), schemes };
}
