/** Sends one recorded request. */
import { request as http } from 'node:http';
import { request as https } from 'node:https';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Exchange } from '../../sources/har/har.js';
import type { Answered } from './judge.js';
import type { Renewal } from './renewal.js';

/** Headers that belong to the recorded connection or are generated again, and the pseudo-headers of HTTP/2. */
const ofConnection =
  /^(:.*|content-length|connection|keep-alive|transfer-encoding|proxy-connection|upgrade|te|trailer|expect)$/i;
const mostBytes = 1_000_000;

/** Sends one recorded request to `base`, and waits for the response. Redirects are not followed, so nothing leaves the server. */
export function send(exchange: Exchange, base: URL, renewal: Renewal, signal: AbortSignal): Promise<Answered> {
  const { request } = exchange;
  const { pathname, search } = new URL(request.url);
  const what = `${request.method} ${pathname}${search}`;
  const body = bodyOf(exchange, renewal);
  const headers = request.headers.filter(({ name }) => !ofConnection.test(name));
  const flat = headers.flatMap(({ name, value }) => [
    name,
    /^cookie$/i.test(name) ? renewal.renewedCookies(value) : renewal.renewed(value),
  ]);
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
        path: base.pathname.replace(/\/$/, '') + renewal.renewed(pathname + search),
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
          const status = incoming.statusCode ?? 0;
          const body = decoded(Buffer.concat(chunks), incoming.headers['content-encoding']);
          renewal.learn(exchange, { status, headers: pairsOf(incoming.rawHeaders), body });
          resolve({ what, status, body });
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

/** `list`: names and values in turn. */
const pairsOf = (list: readonly string[]) =>
  list.flatMap((name, i) => (i % 2 === 0 ? [{ name, value: list[i + 1] ?? '' }] : []));

function bodyOf({ request: { postData } }: Exchange, renewal: Renewal): Buffer {
  if (postData?.text !== undefined)
    return postData.encoding === 'base64'
      ? Buffer.from(postData.text, 'base64')
      : Buffer.from(renewal.renewed(postData.text));
  if (!postData?.params || !/urlencoded/i.test(postData.mimeType ?? '')) return Buffer.alloc(0);
  const pairs = postData.params.map(({ name = '', value = '' }): [string, string] => [name, renewal.renewed(value)]);
  return Buffer.from(new URLSearchParams(pairs).toString());
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
