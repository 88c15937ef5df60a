/** Serves the page of a run in progress on this machine. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { withColours } from './colour.js';
import { JournalReader } from './journal.js';
import { lastOf } from './log.js';
import { comparisonsOf, type PageData, pageData, type ReportData } from './page/data.js';
import { renderPage } from './page/write.js';
import { measure, nothingYet, type ReportState } from './state.js';

/** What only the caller knows about the run: its title, the original, the result so far. Called again when the best changed. */
export type Known = (state: ReportState) => Promise<Omit<ReportData, keyof ReportState>>;

export interface LiveOptions {
  /** The run's folder: its journal.jsonl is followed. It may appear later. */
  readonly run: string;
  readonly known: Known;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly signal?: AbortSignal;
  /** How often the journal is checked, in milliseconds. Polling also works if files can't be watched. */
  readonly every?: number;
}

export interface Live {
  /** With a random token in its path: requests without it get 403. */
  readonly url: string;
  /** Settles when the server is down: after the signal. */
  readonly closed: Promise<void>;
}

/** Serves the page of a run on this machine only, to those who know its address, and sends updates to every open page. */
export async function serveLive(options: LiveOptions): Promise<Live> {
  const reader = new JournalReader(join(options.run, 'journal.jsonl'));
  const watchers = new Map<ServerResponse, { step: number }>();
  let latest: PageData | undefined;

  async function look(): Promise<void> {
    const changed = await reader.read();
    const { state } = reader;
    const sameBest = latest?.best === measure(state, state.best) && latest?.ended === state.ended?.ended;
    if (!changed && latest) return;
    const { comparisons } = latest ?? {};
    const data = await withColours({ ...state, ...(await options.known(state)) });
    const { original: _, result: __, files: ___, ...rest } = data;
    latest = { ...pageData(rest), comparisons: sameBest && comparisons ? comparisons : comparisonsOf(data) };
    for (const [response, seen] of watchers) tell(response, seen);
  }

  function tell(response: ServerResponse, seen: { step: number }): void {
    if (!latest) return;
    const last = lastOf(reader.state.recent)?.step ?? 0;
    const from = last >= seen.step ? seen.step : 0;
    seen.step = last;
    const news = { ...latest, from, rows: latest.rows.filter(row => row.step > from) };
    response.write(`data: ${JSON.stringify(news)}\n\n`);
  }

  // Other users of this machine can reach the port too, but only the user who started it knows the address.
  const token = randomBytes(24).toString('base64url');
  const isToken = (given: string): boolean =>
    Buffer.byteLength(given) === token.length && timingSafeEqual(Buffer.from(given), Buffer.from(token));

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    // Only for pages that were opened at this address: another site must not read a run through a name that points here.
    if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(request.headers.host ?? ''))
      return end(response, 403, 'Forbidden.');
    const [, given = '', rest = ''] = /^\/([^/?]*)(\/[^?]*)?/.exec(request.url ?? '') ?? [];
    if (!isToken(given)) return end(response, 403, 'This address needs its token. Open the one that culprit printed.');
    if (request.method !== 'GET') return end(response, 405, 'Only GET.');
    if (rest === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      const seen = { step: 0 };
      watchers.set(response, seen);
      response.on('close', () => watchers.delete(response));
      return tell(response, seen);
    }
    if (rest !== '/') return end(response, 404, 'Not found.');
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    response.end(renderPage({ ...latest!, live: 'events' }));
  });

  await look();
  latest ??= pageData({ ...nothingYet, ...(await options.known(nothingYet)) });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  let looking = false;
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    await look().catch(() => {}); // The next check tries again; a folder may vanish and come back.
    looking = false;
  }, options.every ?? 400);
  const closed = new Promise<void>(resolve => server.once('close', resolve));
  const stop = () => {
    clearInterval(timer);
    server.close();
    server.closeAllConnections();
  };
  if (options.signal?.aborted) stop();
  options.signal?.addEventListener('abort', stop, { once: true });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${token}/`, closed };
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}
