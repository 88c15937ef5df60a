/** Sends one recorded request. */
import { request as http } from 'node:http';
import { request as https } from 'node:https';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Exchange, Pair } from '../../sources/har/har.js';
import type { Answered } from './judge.js';

/** Headers that belong to the recorded connection or are generated again, and the pseudo-headers of HTTP/2. */
const ofConnection =
  /^(:.*|content-length|connection|keep-alive|transfer-encoding|proxy-connection|upgrade|te|trailer|expect)$/i;
const mostBytes = 1_000_000;

/** Cookies that the server under test set, in place of those it set when the recording was made. */
export class Jar {
  readonly #recorded = new Map<string, string>();
  readonly #live = new Map<string, string>();

  learn(recorded: readonly Pair[], live: readonly string[]): void {
    for (const { name, value } of recorded)
      if (/^set-cookie$/i.test(name)) for (const line of value.split('\n')) note(this.#recorded, line);
    for (const line of live) note(this.#live, line);
  }

  /** A recorded Cookie header with the values that this server knows. */
  renewed(header: string): string {
    return header
      .split('; ')
      .map(piece => {
        const [name = '', ...value] = piece.split('=');
        const live = this.#live.get(name);
        return live !== undefined && this.#recorded.get(name) === value.join('=') ? `${name}=${live}` : piece;
      })
      .join('; ');
  }
}

function note(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^\s*([^=;]+)=([^;]*)/.exec(line) ?? [];
  cookies.set(name, value);
}

/** Sends one recorded request to `base`, and waits for the response. Redirects are not followed, so nothing leaves the server. */
export function send(exchange: Exchange, base: URL, jar: Jar, signal: AbortSignal): Promise<Answered> {
  const { request } = exchange;
  const { pathname, search } = new URL(request.url);
  const what = `${request.method} ${pathname}${search}`;
  const body = bodyOf(exchange);
  const headers = request.headers.filter(({ name }) => !ofConnection.test(name));
  const flat = headers.flatMap(({ name, value }) => [name, /^cookie$/i.test(name) ? jar.renewed(value) : value]);
  if (!headers.some(({ name }) => /^host$/i.test(name))) flat.push('Host', base.host);
  if (body.length > 0 || !/^(GET|HEAD|DELETE|OPTIONS)$/.test(request.method))
    flat.push('Content-Length', String(body.length));
  flat.push('Connection', 'close');
  return new Promise((resolve, reject) => {
    const start = base.protocol === 'https:' ? https : http;
    const outgoing = start(
      {
        host: base.hostname.replace(/^\[|\]$/g, ''),
        port: base.port,
        method: request.method,
        path: base.pathname.replace(/\/$/, '') + pathname + search,
        headers: flat,
        agent: false,
        signal,
        // A server under test on this machine has a self-signed certificate.
        rejectUnauthorized: false,
      },
      incoming => {
        const chunks: Buffer[] = [];
        let size = 0;
        incoming.on('data', (chunk: Buffer) => {
          if (size < mostBytes) chunks.push(chunk);
          size += chunk.length;
        });
        const done = () => {
          jar.learn(exchange.response?.headers ?? [], incoming.headers['set-cookie'] ?? []);
          resolve({
            what,
            status: incoming.statusCode ?? 0,
            body: decoded(Buffer.concat(chunks), incoming.headers['content-encoding']),
          });
        };
        incoming.once('end', done);
        incoming.once('error', () =>
          signal.aborted ? reject(signal.reason as Error) : resolve({ what, status: 0, body: '' }),
        );
      },
    );
    outgoing.once('error', error => (signal.aborted ? reject(error) : resolve({ what, status: 0, body: '' })));
    outgoing.end(body);
  });
}

function bodyOf({ request: { postData } }: Exchange): Buffer {
  if (postData?.text !== undefined)
    return Buffer.from(postData.text, postData.encoding === 'base64' ? 'base64' : 'utf8');
  if (!postData?.params || !/urlencoded/i.test(postData.mimeType ?? '')) return Buffer.alloc(0);
  return Buffer.from(
    new URLSearchParams(postData.params.map(({ name = '', value = '' }): [string, string] => [name, value])).toString(),
  );
}

function decoded(bytes: Buffer, encoding: string | undefined): string {
  try {
    if (encoding === 'gzip') return gunzipSync(bytes).toString();
    if (encoding === 'br') return brotliDecompressSync(bytes).toString();
    if (encoding === 'deflate') return inflateSync(bytes).toString();
  } catch {
    // Cut off or mislabelled: what arrived is shown unchanged.
  }
  return bytes.toString();
}
