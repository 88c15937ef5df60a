/** `--send`: sends the requests of a recording to a server under test. */
import { setTimeout as wait } from 'node:timers/promises';
import { UserError } from '../../core/index.js';
import { fillCommand, substitute } from '../../core/shell.js';
import type { Har } from '../../sources/har/har.js';
import { shownExchange } from '../../sources/har/show.js';
import type { Seen } from './judge.js';
import { withTimeout } from './limit.js';
import { accepts, freePort, portsOf, releasePort, waitForPort } from './listening.js';
import { describeEnd } from './messages.js';
import type { Running } from './process.js';
import { Renewal } from './renewal.js';
import { send } from './request.js';
import { waitUntilSettled } from './settle.js';
import type { Look, TrafficContext } from './traffic.js';
import { runUnderTest } from './under-test.js';

const defaultBase = 'http://127.0.0.1:{port}';

/** Sends the requests of a recording, in order, to a server that is started for it. */
export function sendTo(context: TrafficContext): Look {
  const { settings } = context;
  const base = settings.base ?? defaultBase;
  const shape = baseUrl(base, settings.allowHosts ?? []);
  const fixed = base.includes('{port}') ? undefined : portOf(shape);
  let before: Promise<unknown> = Promise.resolve();
  const one: Look = async (har, signal) => {
    const port = fixed ?? (await freePort());
    const url = new URL(substitute(base, '{port}', String(port)));
    try {
      // A server that is already running would be mistaken for the one under test, with whatever state it has.
      if (fixed !== undefined && (await accepts(hostOf(url), fixed)))
        return { answers: [], stdout: '', stderr: '', problem: `something else listens on ${url.host} already` };
      const argv = fillCommand(settings.command, '{port}', String(port));
      const env = { PORT: String(port), CULPRIT_URL: url.origin };
      return await runUnderTest(context, argv, env, child =>
        sendAll(har, { url, child, limits: context.limits() }, signal),
      );
    } finally {
      if (fixed === undefined) releasePort(port);
    }
  };
  if (fixed === undefined) return one;
  // With a fixed port, only one candidate can run at a time.
  return (har, signal) => {
    const next = before.then(() => one(har, signal));
    before = next.catch(() => undefined);
    return next;
  };
}

/** The server that the requests go to. */
interface Server {
  readonly url: URL;
  readonly child: Running;
  readonly limits: ReturnType<TrafficContext['limits']>;
}

async function sendAll(har: Har, { url, child, limits }: Server, signal: AbortSignal): Promise<Seen> {
  const began = performance.now();
  let ended: Seen['ended'];
  void child.exited.then(how => (ended = how));
  const answers: Seen['answers'][number][] = [];
  const took = { listen: 0, answer: 0, settle: 0 };
  const renewal = new Renewal(har.log.entries);
  const seen = (problem?: string): Seen => {
    const { stdout, stderr } = child.output();
    return {
      answers,
      took,
      ...(ended && { ended }),
      stdout: renewal.asRecorded(stdout),
      stderr: renewal.asRecorded(stderr),
      ...(problem && { problem }),
    };
  };
  const host = hostOf(url);
  const listens = await withTimeout([signal], limits.listen, soon =>
    waitForPort(host, portOf(url), () => ended !== undefined, soon),
  );
  took.listen = performance.now() - began;
  if (!listens) {
    // A process that ends before it listens has not seen any exchange, so its end is not evidence.
    if (ended !== undefined)
      return {
        answers,
        ...child.output(),
        ...(ended.error !== undefined && { ended }),
        problem: `the server ended before it listened (${describeEnd(ended)})`,
      };
    if (signal.aborted) return seen('stopped');
    const others = child.pid === undefined ? [] : portsOf(child.pid);
    const elsewhere = others.length > 0 ? `; it listens on port ${others.join(', ')}` : '';
    return seen(`the server did not listen on ${url.host}${elsewhere}`);
  }
  for (const exchange of har.log.entries) {
    if (ended !== undefined) break;
    const sent = performance.now();
    try {
      const answer = await withTimeout([signal], limits.answer, soon =>
        Promise.race([send(exchange, url, renewal, soon), child.exited]),
      );
      if (!('what' in answer)) break;
      took.answer = Math.max(took.answer, performance.now() - sent);
      answers.push(answer);
      // An answer was cut off and the server is gone: it is crashing.
      if (answer.status === 0 && !(await accepts(host, portOf(url)))) await within(child.exited, 2_000, signal);
    } catch (error) {
      if (ended !== undefined) break;
      const late = (error as Error).name === 'AbortError';
      return seen(
        late
          ? 'a request was not answered in time'
          : `a request can't be sent: ${shownExchange(exchange)}: ${(error as Error).message}`,
      );
    }
  }
  if (ended === undefined) {
    const last = performance.now();
    await waitUntilSettled(
      child,
      { quiet: limits.settle, longest: Math.max(limits.answer, 2 * limits.settle) },
      signal,
    );
    if (ended !== undefined) took.settle = performance.now() - last;
  }
  return seen();
}

/** Waits a short time for the process to end. */
const within = async (exited: Running['exited'], milliseconds: number, signal: AbortSignal): Promise<void> => {
  const done = new AbortController();
  const pause = withTimeout([signal, done.signal], undefined, soon =>
    wait(milliseconds, undefined, { signal: soon, ref: false }).catch(() => undefined),
  );
  await Promise.race([exited, pause]);
  done.abort();
};

function baseUrl(base: string, allowed: readonly string[]): URL {
  const sample = substitute(base, '{port}', '1');
  if (!URL.canParse(sample) || !/^https?:/.test(sample))
    throw new UserError(
      `--send expects a URL like ${defaultBase}, but got ${JSON.stringify(base)}.`,
      `{port} is replaced by a free port for the server.`,
    );
  const url = new URL(sample);
  const host = hostOf(url);
  if (!/^(localhost|127(\.\d+){3}|::1)$/.test(host) && !allowed.includes(host))
    throw new UserError(
      `The recorded requests would go to ${host}, which is not this machine.`,
      `Replaying changes what the server keeps. If ${host} is yours and may be changed, add --allow-host ${host}.`,
    );
  return url;
}

const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');
const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));
