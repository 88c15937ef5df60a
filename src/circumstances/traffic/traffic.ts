import { setTimeout as wait } from 'node:timers/promises';
import { type Test, UserError, type Verdict } from '../../core/index.js';
import type { Har } from './har.js';
import { judge, type Seen, signatureOf, type TrafficFailure } from './judge.js';
import { fired, limited } from './limit.js';
import { accepts, freePort, givePortBack, listening, portsOf } from './listening.js';
import { type Running, type Start, startProcess } from './process.js';
import { Jar, send } from './request.js';
import { serveRecording } from './serve.js';
import { how, inWords, noFailure } from './words.js';

export interface TrafficSettings {
  /** `send`: the recorded requests go to a server that the command starts. `serve`: the command's program asks us. */
  readonly mode: 'send' | 'serve';
  /** `{port}` (send) or `{}` (serve: the address) is filled in; PORT and CULPRIT_URL say the same. */
  readonly command: readonly string[];
  /** Where the server under test is reached; `{port}` is the free port it was given. */
  readonly base?: string;
  readonly failure?: TrafficFailure;
  readonly allowHosts?: readonly string[];
  /** How an exchange that is left out is answered in `serve`. */
  readonly missing?: '404' | 'refuse';
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds until the server must listen, one answer must be there, the program under test must end. */
  readonly listenWithin?: number;
  readonly answerWithin?: number;
  readonly endWithin?: number;
  /** How long a server may still crash after the last answer. */
  readonly settle?: number;
  readonly start?: Start;
}

export interface Traffic {
  /** The rule in force, in words. */
  readonly rule: string;
  /** The unreduced recording: its verdict is a `fail`, or a UserError says what to do. Call it before `test`. */
  firstRun(har: Har, signal?: AbortSignal): Promise<Verdict>;
  readonly test: Test<Har>;
  /** Ends whatever still runs. */
  close(): Promise<void>;
}

const defaultBase = 'http://127.0.0.1:{port}';

export function openTraffic(settings: TrafficSettings): Traffic {
  if (settings.command.length === 0)
    throw new UserError(
      settings.mode === 'send'
        ? 'There is no command that starts the server under test.'
        : 'There is no command to run.',
      `Give it after --, as in: culprit traffic recording.har --${settings.mode} -- node ${settings.mode === 'send' ? 'server.js {port}' : 'client.js {}'}`,
    );
  const failure = settings.failure ?? { kind: 'as first' };
  let chased = failure.kind === 'as first' ? failure.signature : undefined;
  const closing = new AbortController();
  const running = new Set<Running>();
  const look = settings.mode === 'send' ? sending(settings, running) : serving(settings, running);
  const see = (har: Har, signal: AbortSignal): Promise<Seen> =>
    limited([signal, closing.signal], undefined, either => look(har, either));
  return {
    rule: inWords(failure, settings.mode),
    async firstRun(har, signal = new AbortController().signal) {
      const seen = await see(har, signal);
      chased ??= signatureOf(seen);
      const verdict = judge(seen, failure, chased);
      if (verdict.outcome !== 'fail') throw noFailure(seen, settings.mode, failure);
      return verdict;
    },
    async test(har, signal) {
      const began = performance.now();
      const verdict = judge(await see(har, signal), failure, chased);
      return { ...verdict, seconds: (performance.now() - began) / 1000 };
    },
    async close() {
      closing.abort();
      await Promise.all([...running].map(each => each.kill()));
    },
  };
}

type Look = (har: Har, signal: AbortSignal) => Promise<Seen>;

function sending(settings: TrafficSettings, running: Set<Running>): Look {
  const base = settings.base ?? defaultBase;
  const shape = baseUrl(base, settings.allowHosts ?? []);
  const fixed = base.includes('{port}') ? undefined : portOf(shape);
  let before: Promise<unknown> = Promise.resolve();
  const one: Look = async (har, signal) => {
    const port = fixed ?? (await freePort());
    const url = new URL(base.replaceAll('{port}', String(port)));
    // A server that is there already would be taken for the one under test, with whatever state it has.
    if (fixed !== undefined && (await accepts(hostOf(url), fixed)))
      return { answers: [], stdout: '', stderr: '', problem: `something else listens on ${url.host} already` };
    const argv = argvOf(settings.command, '{port}', String(port));
    const child = begin(settings, running, argv, { PORT: String(port), CULPRIT_URL: url.origin });
    try {
      return await sendAll(har, url, child, settings, signal);
    } finally {
      await finish(child, running);
      if (fixed === undefined) givePortBack(port);
    }
  };
  if (fixed === undefined) return one;
  // A port that is always the same serves one candidate at a time.
  return (har, signal) => {
    const next = before.then(() => one(har, signal));
    before = next.catch(() => undefined);
    return next;
  };
}

async function sendAll(
  har: Har,
  url: URL,
  child: Running,
  settings: TrafficSettings,
  signal: AbortSignal,
): Promise<Seen> {
  let ended: Seen['ended'];
  void child.exited.then(how => (ended = how));
  const answers: Seen['answers'][number][] = [];
  const seen = (problem?: string): Seen => ({
    answers,
    ...(ended && { ended }),
    ...child.output(),
    ...(problem && { problem }),
  });
  const host = hostOf(url);
  const listens = await limited([signal], settings.listenWithin ?? 10_000, soon =>
    listening(host, portOf(url), () => ended !== undefined, soon),
  );
  if (!listens) {
    // What ends before it listens has not seen any exchange: its end is no evidence.
    if (ended !== undefined)
      return { answers, ...child.output(), problem: `the server ended before it listened (${how(ended)})` };
    const others = child.pid === undefined ? [] : portsOf(child.pid);
    const elsewhere = others.length > 0 ? `; it listens on port ${others.join(', ')}` : '';
    return seen(signal.aborted ? 'stopped' : `the server did not listen on ${url.host}${elsewhere}`);
  }
  const jar = new Jar();
  for (const exchange of har.log.entries) {
    if (ended !== undefined) break;
    try {
      const answer = await limited([signal], settings.answerWithin ?? 5_000, soon =>
        Promise.race([send(exchange, url, jar, soon), child.exited]),
      );
      if (!('what' in answer)) break;
      answers.push(answer);
      // An answer that broke off, and nobody there any more: a crash on its way.
      if (answer.status === 0 && !(await accepts(host, portOf(url)))) await within(child.exited, 2_000, signal);
    } catch (error) {
      if (ended !== undefined) break;
      const late = (error as Error).name === 'AbortError';
      return seen(late ? 'a request was not answered in time' : `a request can't be sent: ${(error as Error).message}`);
    }
  }
  await within(child.exited, settings.settle ?? 50, signal);
  return seen();
}

/** Waits for an end, but not long. */
const within = async (exited: Running['exited'], milliseconds: number, signal: AbortSignal): Promise<void> =>
  void (await Promise.race([exited, wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)]));

const serving =
  (settings: TrafficSettings, running: Set<Running>): Look =>
  async (har, signal) => {
    const recording = await serveRecording(har, settings.missing ?? '404');
    const child = begin(settings, running, argvOf(settings.command, '{}', recording.url), {
      CULPRIT_URL: recording.url,
    });
    try {
      const ended = await limited([signal], settings.endWithin ?? 30_000, soon =>
        Promise.race([child.exited, fired(soon)]),
      );
      // Of what we answered ourselves, no status counts as the failure of the program: only how it ends and what it prints.
      const output = child.output();
      const printed = { what: 'output', status: 0, body: output.stdout };
      if (!ended) return { answers: [printed], ...output, problem: 'timeout' };
      if (ended.error !== undefined)
        return { answers: [], ...output, ended, problem: `the command does not start: ${ended.error}` };
      return { answers: [printed], ended, ...output };
    } finally {
      await finish(child, running);
      await recording.close();
    }
  };

function begin(
  settings: TrafficSettings,
  running: Set<Running>,
  argv: readonly string[],
  more: Readonly<Record<string, string>>,
): Running {
  const env = { ...(settings.env ?? definedOf(process.env)), ...more };
  const child = (settings.start ?? startProcess)(argv, { env, cwd: settings.cwd ?? process.cwd() });
  running.add(child);
  return child;
}

async function finish(child: Running, running: Set<Running>): Promise<void> {
  await child.kill();
  running.delete(child);
}

function baseUrl(base: string, allowed: readonly string[]): URL {
  const sample = base.replaceAll('{port}', '1');
  if (!URL.canParse(sample) || !/^https?:/.test(sample))
    throw new UserError(
      `--send expects a URL like ${defaultBase}, but got ${JSON.stringify(base)}.`,
      `{port} stands for the free port that the server is told.`,
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

/** One word with blanks in it is a shell line. */
const argvOf = (command: readonly string[], mark: string, value: string): readonly string[] => {
  const filled = command.map(word => word.replaceAll(mark, value));
  return filled.length === 1 && /\s/.test(filled[0]!) ? ['/bin/sh', '-c', filled[0]!] : filled;
};

const definedOf = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
