/** The traffic oracle: replays a recording against a server or a client, and returns a verdict. */
import type { Test, Verdict } from '../../core/index.js';
import { noCommand } from '../../core/no-command.js';
import type { Har } from '../../sources/har/har.js';
import { judge, type NameCrash, type Seen, signatureOf, type TrafficFailure } from './judge.js';
import { withTimeout } from './limit.js';
import { describeRule, noFailure } from './messages.js';
import type { Running, Start } from './process.js';
import { sendTo } from './sending.js';
import { serveTo } from './serving.js';

/** Milliseconds. */
export interface Limits {
  /** Until the server must listen. */
  readonly listen: number;
  /** Until a response must arrive. */
  readonly answer: number;
  /** Until the program under test must have ended. */
  readonly end: number;
  /** How long a server must be idle after its last response; a later crash is not seen. */
  readonly settle: number;
}

/** Where a candidate's process runs. `leave` is called after the process has ended. */
export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  leave(): void;
}

export interface TrafficSettings {
  /**
   * `send`: the recorded requests go to a server that the command starts. `serve`: the program that the command starts sends
   * its requests to us.
   */
  readonly mode: 'send' | 'serve';
  /** `{port}` (send) or `{}` (serve: the address) is filled in; PORT and CULPRIT_URL say the same. */
  readonly command: readonly string[];
  /** Where the server under test is reached; `{port}` is the free port it was given. */
  readonly base?: string;
  readonly failure?: TrafficFailure;
  readonly allowHosts?: readonly string[];
  /** How an exchange that is left out is answered in `serve`. */
  readonly missing?: '404' | 'refuse';
  /** A folder for each process; without it, all run in the current folder. */
  readonly enter?: () => Promise<Place>;
  /** For the first run. Later limits depend on how long it takes. */
  readonly limits?: Partial<Limits>;
  /** Removes secrets from the output of a process before anyone sees it. */
  readonly cleaned?: (text: string) => string;
  /** The identity of a crash (default: its end, and the first line that looks like an error). */
  readonly named?: NameCrash;
  readonly start?: Start;
}

/** What the first run decides; plain data, for a resumed run. */
export interface Settled {
  readonly signature?: string;
  readonly limits: Limits;
}

export interface Traffic {
  /** The rule in words. */
  readonly rule: string;
  /**
   * The unreduced recording: its verdict is `fail`, or a UserError says what to do. Either this or `settle` is called before
   * `test`.
   */
  firstRun(har: Har, signal?: AbortSignal): Promise<Settled & { readonly verdict: Verdict; readonly seen: Seen }>;
  settle(settled: Settled): void;
  readonly test: Test<Har>;
  /** Ends whatever still runs. */
  close(): Promise<void>;
}

/** What `--send` and `--serve` share. */
export interface TrafficContext {
  readonly settings: TrafficSettings;
  readonly running: Set<Running>;
  limits(): Limits;
}
export type Look = (har: Har, signal: AbortSignal) => Promise<Seen>;

const patience: Limits = { listen: 10_000, answer: 30_000, end: 600_000, settle: 1_000 };

export function openTraffic(settings: TrafficSettings): Traffic {
  if (settings.command.length === 0)
    throw noCommand(
      `culprit traffic recording.har --${settings.mode} -- node ${settings.mode === 'send' ? 'server.js {port}' : 'client.js {}'}`,
    );
  const failure = settings.failure ?? { kind: 'as first' };
  let settled: Settled = {
    ...(failure.kind === 'as first' && failure.signature !== undefined && { signature: failure.signature }),
    limits: { ...patience, ...settings.limits },
  };
  const closing = new AbortController();
  const running = new Set<Running>();
  const context: TrafficContext = { settings, running, limits: () => settled.limits };
  const look = settings.mode === 'send' ? sendTo(context) : serveTo(context);
  const see = (har: Har, signal: AbortSignal): Promise<Seen> =>
    withTimeout([signal, closing.signal], undefined, either => look(har, either));
  return {
    rule: describeRule(failure, settings.mode),
    settle(known) {
      settled = known;
    },
    async firstRun(har, signal = new AbortController().signal) {
      const seen = await see(har, signal);
      const signature = settled.signature ?? signatureOf(seen, settings.named);
      const verdict = judge(seen, failure, signature, settings.named);
      if (verdict.outcome !== 'fail') throw noFailure(har, seen, settings.mode, failure);
      settled = {
        ...(signature !== undefined && { signature }),
        limits: { ...limitsAfter(seen, settled.limits), ...settings.limits },
      };
      return { ...settled, verdict, seen };
    },
    async test(har, signal) {
      const began = performance.now();
      const verdict = judge(await see(har, signal), failure, settled.signature, settings.named);
      return { ...verdict, seconds: (performance.now() - began) / 1000 };
    },
    async close() {
      closing.abort();
      await Promise.all([...running].map(each => each.kill()));
    },
  };
}

/** Ten times what the first run took, with minimums that suit a busy machine. */
function limitsAfter({ took }: Seen, first: Limits): Limits {
  const times = (milliseconds: number | undefined, least: number) =>
    Math.max(least, Math.ceil(10 * (milliseconds ?? 0)));
  return {
    listen: times(took?.listen, first.listen),
    answer: times(took?.answer, 5_000),
    end: times(took?.end, 1_000),
    settle: times(took?.settle, 100),
  };
}
