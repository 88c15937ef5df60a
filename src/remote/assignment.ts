/** One run that a worker takes part in: it says hello, shows that it gets the same result, then answers orders. */
import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { CommandOracle } from '../oracle/command/command.js';
import type { Trial } from '../oracle/command/remote-runner.js';
import { pluginFolder } from '../oracle/test-runners/command-line.js';
import { decode, MissingBlobs } from './codec.js';
import { fingerprint, type Signer } from './keys.js';
import {
  type Answer,
  type Down,
  hashOf,
  type Order,
  protocol,
  read,
  type SentSetup,
  seal,
  type Up,
  unseal,
  writeAttempt,
} from './messages.js';
import { describeDifferences, forbiddenProgram } from './programs.js';
import { type Connection, names, prefix } from './redis.js';
import type { Slots } from './slots.js';

/** Milliseconds after which a worker that no longer renews its lock loses its orders, and how often that is checked. */
const lock = 4_000;
const stalled = 2_000;
/** Milliseconds between hellos: a client does not answer before its first run has ended. */
const greet = 250;
/** Milliseconds between signs of life, and how long the worker waits for one from the client before it leaves. */
const beat = 1_000;
const patience = 15_000;
/** How many workers may die with an order: after that, the client runs it itself. */
const mostStalls = 3;
/** How many seconds answers are kept for a client. */
const answerLife = 600;

/** Counts that `--metrics` and `--status` show. */
export interface Tally {
  tests: number;
  seconds: number;
  cancelled: number;
  /** Orders and runs that were refused. */
  refused: number;
  /** Messages with a wrong signature. */
  forged: number;
}

export interface WorkerContext {
  readonly connection: Connection;
  readonly signer: Signer;
  /** The worker's own name for this process. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly allowed: readonly string[];
  readonly sandbox: boolean;
  readonly slots: Slots;
  readonly tally: Tally;
  readonly blobs: (hash: string) => Promise<Uint8Array | undefined>;
  log(line: string): void;
}

export interface Assignment {
  /** The client sent a sign of life. */
  announced(): void;
  readonly isOver: boolean;
  close(): Promise<void>;
}

export function startAssignment(work: WorkerContext, run: string, key: KeyObject): Assignment {
  const { connection, signer, slots, tally } = work;
  const { redis, bullmq } = connection;
  const nonce = randomBytes(16).toString('hex');
  const running = new Map<string, AbortController>();
  const closing = new AbortController();
  let state: 'hello' | 'asked' | 'working' | 'away' = 'hello';
  let heard = Date.now();
  let isOver = false;
  let [hasEnded, wasSilent] = [false, false];
  let oracle: CommandOracle | undefined;
  let missing: readonly string[] = [];
  let queue: InstanceType<typeof bullmq.Worker> | undefined;
  let setup: SentSetup | undefined;

  const tell = (message: Omit<Up, 'run' | 'worker'>): void => {
    if (redis.status === 'ready')
      void redis.publish(names.up(run), seal({ run, worker: work.id, ...message }, signer)).catch(() => {});
  };
  const hello = () =>
    tell({
      kind: 'hello',
      name: work.name,
      publicKey: createPublicKey(signer.privateKey).export({ type: 'spki', format: 'der' }).toString('base64'),
      slots: slots.count,
      version: work.version,
      protocol,
      nonce,
      missing,
    });

  const refuse = (sentence: string): void => {
    const reason = sentence.replace(/\.$/, '');
    tally.refused++;
    state = 'away';
    work.log(`run ${run.slice(0, 8)} refused: ${reason}`);
    tell({ kind: 'refuse', reason });
  };

  const open = ({ argv, names: given, workspace, env, programs: _, plugins: __, ...same }: SentSetup): CommandOracle =>
    new CommandOracle({
      ...same,
      command: argv,
      given: given.map(name => ({ path: name, name, folder: false })),
      jobs: slots.count,
      sandbox: work.sandbox,
      mirrors: workspace,
      env: { ...baseEnvironment(), ...env },
    });

  const begin = async (message: Down): Promise<void> => {
    if (state !== 'hello' || !message.setup || !message.probe) return;
    state = 'asked';
    setup = message.setup;
    const program = forbiddenProgram(setup, work.allowed);
    if (program !== undefined) return refuse(`${program} is not allowed here (--allow)`);
    const other = describeDifferences(setup.programs);
    if (other !== undefined) return refuse(other);
    try {
      oracle = open(setup);
      const trial = await trialOf(message.probe);
      const attempt = await inSlot(new AbortController(), signal => oracle!.run(trial, signal));
      tell({ kind: 'ready', attempt: writeAttempt(attempt) });
    } catch (error) {
      if (closing.signal.aborted) return;
      // It may work the next time: blobs come and go.
      if (!(error instanceof MissingBlobs)) return refuse((error as Error).message);
      missing = error.hashes;
      await oracle?.close();
      state = 'hello';
    }
  };

  const trialOf = async ({ files, args, env, timeout, anew, aside }: Order): Promise<Trial> => {
    const moved = (text: string) => text.replaceAll(setup!.plugins, () => pluginFolder);
    const movedAll = (env: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(env).map(([name, value]) => [name, moved(value)] as const));
    const artifact = {
      ...(await decode(files, work.blobs)),
      ...(args ? { args: args.map(moved) } : {}),
      ...(env ? { env } : {}),
    };
    return { artifact, timeout, anew, ...(aside ? { aside: { ...aside, env: movedAll(aside.env) } } : {}) };
  };

  const inSlot = async <T>(stop: AbortController, make: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const signal = AbortSignal.any([stop.signal, closing.signal]);
    const leave = await slots.enter(signal);
    try {
      return await make(signal);
    } finally {
      leave();
    }
  };

  /** The answer; `undefined` if it is no longer needed. */
  const make = async (order: Order): Promise<Partial<Answer> | undefined> => {
    const stop = new AbortController();
    running.set(order.id, stop);
    try {
      if (order.args && forbiddenProgram({ ...setup!, argv: order.args }, work.allowed) !== undefined) {
        tally.refused++;
        work.log(`order refused: ${order.args[0]} is not allowed here (--allow)`);
        return { cannot: `${order.args[0]} is not allowed there (--allow)` };
      }
      const trial = await trialOf(order);
      const attempt = await inSlot(stop, signal => oracle!.run(trial, signal));
      tally.tests++;
      tally.seconds += attempt.run.seconds;
      return { attempt: writeAttempt(attempt) };
    } catch (error) {
      if (error instanceof MissingBlobs) return { missing: error.hashes };
      if (!stop.signal.aborted && !closing.signal.aborted) return { cannot: (error as Error).message };
      tally.cancelled++;
      return undefined;
    } finally {
      running.delete(order.id);
    }
  };

  const handle = async (text: string): Promise<void> => {
    const sealed = unseal(text, id => (id === fingerprintOfClient ? key : undefined));
    const order = sealed && read.order(sealed.body);
    if (!order || order.run !== run) {
      tally.forged++;
      work.log('an order with a wrong signature was refused');
      return;
    }
    const made = await make(order);
    if (!made) return;
    const answer = seal({ run, id: order.id, worker: work.id, order: hashOf(text), ...made }, signer);
    await redis.pipeline().rpush(names.answers(run), answer).expire(names.answers(run), answerLife).exec();
  };
  const fingerprintOfClient = fingerprint(key);

  const start = (): void => {
    if (state !== 'asked' || queue) return;
    state = 'working';
    queue = new bullmq.Worker(names.orders(run), job => handle(job.data as string), {
      connection: redis,
      prefix,
      concurrency: slots.count,
      lockDuration: lock,
      stalledInterval: stalled,
      maxStalledCount: mostStalls,
    });
    // A lost lock or connection: the client asks again.
    queue.on('error', () => {});
    work.log(`run ${run.slice(0, 8)}: ${setup!.argv.join(' ')}`);
  };

  const hear = (text: string): void => {
    const sealed = unseal(text, id => (id === fingerprintOfClient ? key : undefined));
    const message = sealed && read.down(sealed.body);
    if (!message || message.run !== run) {
      tally.forged++;
      work.log('a message with a wrong signature was ignored');
      return;
    }
    if (message.to !== undefined && message.to !== work.id) return;
    // Only the client that got this hello knows its nonce: an old setup can't be sent again.
    if (message.kind === 'setup' && message.nonce === nonce) void begin(message);
    if (message.kind === 'welcome') start();
    if (message.kind === 'cancel') for (const id of message.ids ?? []) running.get(id)?.abort();
    if (message.kind === 'over') isOver = hasEnded = true;
    if (message.kind === 'ban' && state !== 'away') {
      state = 'away';
      work.log(`run ${run.slice(0, 8)} does not want this worker: ${message.reason ?? ''}`);
      void queue?.close(true).catch(() => {});
    }
  };

  /** A client that was killed can't remove its queue, and a worker that starts late writes to one that was removed. */
  const removeRest = async (): Promise<void> => {
    if (redis.status !== 'ready' || (await redis.exists(names.run(run))) > 0) return;
    const rest = new bullmq.Queue(names.orders(run), { connection: redis, prefix });
    rest.on('error', () => {});
    await rest.obliterate({ force: true }).catch(() => {});
    await rest.close().catch(() => {});
  };

  const subscriber = connection.another();
  subscriber.on('message', (_channel: string, text: string) => hear(text));
  void subscriber.subscribe(names.down(run)).then(hello, () => {});
  const greeting = setInterval(() => state === 'hello' && hello(), greet).unref();
  const timer = setInterval(() => {
    if (Date.now() - heard > patience) isOver = wasSilent = true;
    if (state === 'working') tell({ kind: 'beat', running: [...running.keys()] });
  }, beat).unref();

  return {
    announced() {
      heard = Date.now();
    },
    get isOver() {
      return isOver;
    },
    async close() {
      isOver = true;
      clearInterval(timer);
      clearInterval(greeting);
      if (state === 'working') tell({ kind: 'bye' });
      closing.abort(new Error('The worker leaves the run.'));
      await queue?.close(true).catch(() => {});
      await oracle?.close();
      subscriber.disconnect();
      if (hasEnded || wasSilent) await removeRest();
    },
  };
}

/** The environment of a test: none of the worker's own secrets. */
function baseEnvironment(): Record<string, string> {
  const kept = /^(PATH|HOME|USER|LOGNAME|SHELL|TZ|LANG|LANGUAGE|LC_\w+)$/;
  const entries = Object.entries(process.env).filter(([name, value]) => kept.test(name) && value !== undefined);
  return Object.fromEntries(entries) as Record<string, string>;
}
