/** A server that answers from a recording. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { addTo } from '../../core/lists.js';
import type { Exchange, Har } from '../../sources/har/har.js';
import type { Answered } from './judge.js';

export interface Recording {
  readonly url: string;
  /** What was requested, and how it was answered; 404 or 0 for what is not in the recording. */
  readonly answers: readonly Answered[];
  close(): Promise<void>;
}

/** Headers that are generated again, or that describe a body which the recording stores decoded. */
const notServed =
  /^(:.*|content-length|content-encoding|transfer-encoding|connection|keep-alive|alt-svc|strict-transport-security)$/i;

/**
 * Answers from a recording, on loopback only. A request is identified by its method, path and query; the nth time, it gets
 * the nth recorded answer. A request that is not in the recording (any more) gets a 404, or its connection is refused.
 */
export async function serveRecording(har: Har, missing: '404' | 'refuse'): Promise<Recording> {
  const waiting = new Map<string, Exchange[]>();
  for (const exchange of har.log.entries) {
    const key = keyOf(exchange.request.method, exchange.request.url);
    addTo(waiting, key, exchange);
  }
  const answers: Answered[] = [];
  const answer = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    incoming.on('error', () => {}).resume();
    outgoing.on('error', () => {});
    const what = `${incoming.method} ${incoming.url}`;
    const exchange = waiting.get(keyOf(incoming.method ?? 'GET', incoming.url ?? '/'))?.shift();
    const response = exchange?.response;
    answers.push({
      what,
      status: response?.status ?? (missing === '404' ? 404 : 0),
      body: response?.content?.text ?? '',
    });
    if (response) respond(response, incoming, outgoing);
    else if (missing === 'refuse') incoming.socket.destroy();
    else outgoing.writeHead(404, { 'content-type': 'text/plain' }).end('This exchange is not in the recording.\n');
  };
  const server = createServer({ maxHeaderSize: largestHeader }, answer);
  // Node closes the connection silently on these two unless there is a listener. A request to upgrade is answered like any
  // other.
  server.on('connect', (incoming, socket) => {
    answers.push({ what: `CONNECT ${incoming.url}`, status: missing === '404' ? 404 : 0, body: '' });
    if (missing === '404') refuse(socket, '404 Not Found');
    else socket.destroy();
  });
  server.on('clientError', (_error, socket) => refuse(socket, '400 Bad Request'));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * The host is left out: the program under test knows one address, ours. A client may send a path that is no valid URL,
 * such as `//` or `/%`; it is used unchanged.
 */
function keyOf(method: string, url: string): string {
  const whole = url.startsWith('/') ? `http://any${url}` : url;
  if (!URL.canParse(whole)) return `${method} ${url}`;
  const { pathname, search } = new URL(whole);
  return `${method} ${pathname}${search}`;
}

/** The largest header in bytes; above it, the client gets a 400. */
const largestHeader = 256 * 1024;

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => {});
  if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  else socket.destroy();
}

function respond(
  response: NonNullable<Exchange['response']>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { content, status } = response;
  const body = Buffer.from(content?.text ?? '', content?.encoding === 'base64' ? 'base64' : 'utf8');
  // A blocked or cut off exchange has status 0 in a recording: there was no answer.
  if (status < 200 || status > 599) return void incoming.socket.destroy();
  for (const { name, value } of response.headers) {
    if (notServed.test(name)) continue;
    try {
      outgoing.appendHeader(name, /^set-cookie$/i.test(name) ? value.split('\n') : value);
    } catch {
      // Some recordings store headers in another charset. A header that cannot be sent was not sent in this form either.
    }
  }
  try {
    outgoing.writeHead(status);
  } catch {
    return void incoming.socket.destroy();
  }
  outgoing.end(incoming.method === 'HEAD' || status === 204 || status === 304 ? undefined : body);
}
