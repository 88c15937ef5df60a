import { UserError } from '../../core/index.js';

/** HTTP Archive 1.2 (the format of browsers and proxies). Only what is used is named; whatever else is there is kept. */
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
  /** `base64` where the text is not text. */
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

/** Reads and checks a recording. Each complaint says where, what was found and what was expected. */
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
      `${path} holds no exchange: log.entries is empty.`,
      `Record the failing session with the network panel open.`,
    );
  for (const [i, entry] of entries.entries()) check(entry, `${path}: log.entries[${i}]`);
  return value as Har;
}

function check(entry: unknown, where: string): void {
  const request = at(entry, 'request');
  const wrong = (what: string): never => {
    throw new UserError(`${where}${what}.`, `HAR 1.2 asks for it. Take the entry out, or export the recording again.`);
  };
  if (typeof request !== 'object' || request === null) wrong(' has no request');
  if (typeof at(request, 'method') !== 'string') wrong('.request.method is not a text');
  const url = at(request, 'url');
  if (typeof url !== 'string' || !URL.canParse(url))
    wrong(`.request.url is not an absolute URL but ${JSON.stringify(url)}`);
  pairs(at(request, 'headers'), '.request.headers', wrong);
  const response = at(entry, 'response');
  if (response === undefined) return;
  if (typeof at(response, 'status') !== 'number') wrong('.response.status is not a number');
  pairs(at(response, 'headers'), '.response.headers', wrong);
}

function pairs(list: unknown, where: string, wrong: (what: string) => never): void {
  if (!Array.isArray(list)) wrong(`${where} is not a list`);
  for (const pair of list as unknown[])
    if (typeof at(pair, 'name') !== 'string' || typeof at(pair, 'value') !== 'string')
      wrong(`${where} holds ${JSON.stringify(pair)}, which is no name and value`);
}

const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;

/** The same recording with other exchanges. */
export const withExchanges = (har: Har, entries: readonly Exchange[]): Har => ({
  ...har,
  log: { ...har.log, entries },
});
