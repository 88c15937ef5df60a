/**
 * Values that a server makes up in each run: sessions, CSRF and bearer tokens, ids of new things. Where a recorded response has one
 * and the same response of the server under test has another at the same place, later requests send that one.
 */
import { hunksBetween } from '../../core/diff.js';
import type { Body, Exchange, Pair } from '../../sources/har/har.js';

/** What the server under test has responded. */
export interface LiveResponse {
  readonly status: number;
  readonly headers: readonly Pair[];
  readonly body: string;
}

export class Renewal {
  /** What the recorded requests send, in letters and digits: a value that is in none of them is of no use. */
  readonly #sent: ReadonlySet<string>;
  readonly #recordedCookies = new Map<string, string>();
  readonly #liveCookies = new Map<string, string>();
  readonly #live = new Translation();
  readonly #recorded = new Translation();

  constructor(exchanges: readonly Exchange[]) {
    this.#sent = new Set(exchanges.flatMap(exchange => runsIn(sentBy(exchange))));
  }

  /** Compares a recorded response with the one to the same request. If they end differently, nothing can be learnt. */
  learn({ response }: Exchange, live: LiveResponse): void {
    if (!response) return;
    noteCookies(this.#recordedCookies, response.headers);
    noteCookies(this.#liveCookies, live.headers);
    if (response.status !== live.status) return;
    for (const [name, value] of this.#liveCookies) this.#pair(this.#recordedCookies.get(name) ?? value, value);
    for (const { name, value } of response.headers)
      if (!isCookie.test(name)) this.#align(value, live.headers.find(each => isNamed(each, name))?.value ?? value);
    this.#compare(textOf(response.content), live.body);
  }

  /** A part of a recorded request with the values of this server. */
  renewed(text: string): string {
    return this.#live.applied(text);
  }

  /** A recorded Cookie header. Cookies have names, so even a short value is known to be the server's. */
  renewedCookies(header: string): string {
    const pieces = header.split('; ').map(piece => {
      const [name = '', ...value] = piece.split('=');
      const live = this.#liveCookies.get(name);
      return live !== undefined && this.#recordedCookies.get(name) === value.join('=') ? `${name}=${live}` : piece;
    });
    return this.renewed(pieces.join('; '));
  }

  /** What the server prints, with the recorded values, so that it is the same in every run. */
  asRecorded(text: string): string {
    return this.#recorded.applied(text);
  }

  #compare(recorded: string, live: string): void {
    if (recorded === live) return;
    const [before, after] = [parsed(recorded), parsed(live)];
    if (before === undefined || after === undefined) this.#align(recorded, live);
    else this.#walk(before, after);
  }

  /** In source order, and without recursion: a body may be nested thousands of times. */
  #walk(recorded: unknown, live: unknown): void {
    const open: [recorded: unknown, live: unknown][] = [[recorded, live]];
    for (let next = open.pop(); next; next = open.pop()) {
      const [before, after] = next;
      if (isParent(before) && isParent(after))
        for (const key of Object.keys(before).reverse()) open.push([before[key], after[key]]);
      else if (isLeaf(before) && isLeaf(after)) {
        this.#pair(String(before), String(after));
        this.#align(String(before), String(after));
      }
    }
  }

  /** Pairs the words at which two texts differ. */
  #align(recorded: string, live: string): void {
    if (recorded === live) return;
    const [before, after] = [recorded.split(words), live.split(words)];
    for (const { oldStart, oldCount, newStart, newCount } of hunksBetween(before, after)) {
      // If words are missing or new, it is unknown which belongs to which.
      if (oldCount !== newCount) continue;
      for (let i = 0; i < oldCount; i++) {
        const [old, now] = [before[oldStart + i]!, after[newStart + i]!];
        this.#pair(old, now);
        const [pieces, others] = [old.split(/[^\w-]+/), now.split(/[^\w-]+/)];
        if (pieces.length === others.length) for (const [k, piece] of pieces.entries()) this.#pair(piece, others[k]!);
      }
    }
  }

  /** The first response that shows a value counts, for example the one that creates a thing: lists may show it at another place. */
  #pair(recorded: string, live: string): void {
    if (recorded === live || !isMadeUp(recorded)) return;
    for (const form of [String, encodeURIComponent, decoded]) {
      const [old, now] = [form(recorded), form(live)];
      if (old === now || this.#live.has(old) || this.#recorded.has(now)) continue;
      if (!runsIn(old).every(run => this.#sent.has(run))) continue;
      this.#live.add(old, now);
      this.#recorded.add(now, old);
    }
  }
}

/** Replaces whole words. */
class Translation {
  readonly #known = new Map<string, string>();
  #pattern: RegExp | undefined;

  has(from: string): boolean {
    return this.#known.has(from);
  }

  add(from: string, to: string): void {
    this.#known.set(from, to);
    this.#pattern = undefined;
  }

  applied(text: string): string {
    if (this.#known.size === 0) return text;
    this.#pattern ??= patternOf([...this.#known.keys()]);
    return text.replace(this.#pattern, word => this.#known.get(word) ?? word);
  }
}

/** The longest first: one may begin with another. A percent-encoded character before a word ends in a letter or digit of its own. */
function patternOf(values: readonly string[]): RegExp {
  const any = values.toSorted((a, b) => b.length - a.length).map(value => value.replace(/\W/g, '\\$&'));
  return new RegExp(`(?:(?<![A-Za-z0-9])|(?<=%[A-Fa-f0-9]{2}))(?:${any.join('|')})(?![A-Za-z0-9])`, 'g');
}

const runsIn = (text: string): readonly string[] => text.replace(/%[a-f0-9]{2}/gi, ' ').match(/[A-Za-z0-9]+/g) ?? [];

/** With what base64 and URLs consist of; the separators between words are kept. */
const words = /([\w.~+/=%-]+)/;

/** Ordinary words and small numbers also differ between two responses, and are often sent for other reasons. */
const isMadeUp = (value: string): boolean => value.length >= 6 && /\d|[a-z].*[A-Z]/s.test(value);

const isCookie = /^set-cookie$/i;
const isNamed = ({ name }: Pair, other: string): boolean => name.toLowerCase() === other.toLowerCase();

function noteCookies(cookies: Map<string, string>, headers: readonly Pair[]): void {
  for (const { name, value } of headers) {
    if (!isCookie.test(name)) continue;
    for (const line of value.split('\n')) {
      const [, cookie = '', content = ''] = /^\s*([^=;]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(cookie, content);
    }
  }
}

const sentBy = ({ request: { url, headers, postData } }: Exchange): string =>
  [
    url,
    ...headers.map(({ value }) => value),
    textOf(postData),
    ...(postData?.params ?? []).map(({ value = '' }) => value),
  ].join('\n');

const textOf = (body: Body | undefined): string =>
  body?.encoding === 'base64' ? Buffer.from(body.text ?? '', 'base64').toString() : (body?.text ?? '');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const isParent = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isLeaf = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';
