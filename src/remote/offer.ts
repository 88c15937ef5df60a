/** One command that a client offers to the workers: sends orders, receives answers, and repeats lost orders. */
import { randomBytes } from 'node:crypto';
import type { Artifact, Entry } from '../core/artifact.js';
import { onceFor } from '../core/once-for.js';
import type { Attempt } from '../oracle/command/attempt.js';
import type { LocalRunner, RemoteRunner, Setup, Trial } from '../oracle/command/remote-runner.js';
import { pluginFolder } from '../oracle/test-runners/command-line.js';
import { identify } from '../sources/files.js';
import { openAudits } from './audit.js';
import { Encoder } from './codec.js';
import { finderOf } from './keys.js';
import { type Answer, hashOf, type Order, protocol, read, readAttempt, seal, unseal } from './messages.js';
import { programsOf } from './programs.js';
import { names, prefix } from './redis.js';
import { openRoster } from './roster.js';
import type { Shared } from './shared.js';

/** Milliseconds between announcements, and between checks of open orders. */
const interval = 1_000;
/** Seconds that blobs stay in Redis after they were sent. */
const blobLife = 3_600;
/** After this many attempts, a test that no worker answers is run here. */
const mostTries = 3;
/** An order may take this many times as long as usual before it is also run here. */
const late = 4;
const soonest = 2_000;
/** Bytes. */
const longestKey = 64 * 1024;

interface Out {
  readonly id: string;
  readonly hash: string;
  readonly sent: number;
  /** How often it was missing from the queue. */
  gone: number;
  settle(answer: Answered | 'lost' | 'late'): void;
}

interface Answered {
  readonly attempt: Attempt;
  readonly worker: string;
}

export function openOffer(shared: Shared, setup: Setup) {
  const { connection, options } = shared;
  const { redis, bullmq } = connection;
  const run = randomBytes(12).toString('hex');
  const encoder = new Encoder();
  const queue = new bullmq.Queue(names.orders(run), { connection: redis, prefix });
  queue.on('error', () => {});
  const out = new Map<string, Out>();
  const sentBefore = new Set<string>();
  const uploaded = new Set<string>();
  let usual = 0;
  let isClosed = false;
  let reference: Trial | undefined = setup.original && { artifact: setup.original, timeout: 600, anew: false };
  let judge: LocalRunner | undefined;

  const tell = (message: object): void => {
    if (isConnected()) void redis.publish(names.down(run), seal({ run, ...message }, options.signer)).catch(ignore);
  };
  const isConnected = () => redis.status === 'ready';

  /** The key that signs orders may be in a folder that is sent. Workers get an empty file instead. */
  const containsKey = finderOf(options.signer);
  const empty: Entry = { kind: 'file', bytes: new Uint8Array() };
  const searched = new WeakMap<Entry, boolean>();
  const searchForKey = (entry: Entry): boolean => {
    if (entry.kind !== 'file' || entry.bytes.length > longestKey || !containsKey(entry.bytes)) return false;
    shared.sayOnce('The private key is in the folder under test. Workers get an empty file instead of it.');
    return true;
  };
  const holdsKey = (entry: Entry): boolean => onceFor(searched, entry, searchForKey);
  const sendable = ({ files }: Artifact): Artifact =>
    [...files.values()].some(holdsKey)
      ? { files: new Map([...files].map(([path, entry]) => [path, holdsKey(entry) ? empty : entry])) }
      : { files };

  const upload = async ({ artifact }: Trial) => {
    const { files, blobs } = encoder.encode(sendable(artifact));
    // All at once: Redis gets them before anything else that is sent from now on, such as another order that needs them.
    const sending = [...blobs].map(([hash, bytes]) => {
      uploaded.add(hash);
      return redis.set(names.blob(hash), Buffer.from(bytes), 'EX', blobLife);
    });
    await Promise.all(sending);
    return files;
  };
  const orderOf = async (id: string, trial: Trial): Promise<Order> => ({
    run,
    id,
    files: await upload(trial),
    timeout: trial.timeout,
    anew: trial.anew,
    ...(trial.artifact.args ? { args: trial.artifact.args } : {}),
    ...(trial.artifact.env ? { env: trial.artifact.env } : {}),
    ...(trial.aside ? { aside: trial.aside } : {}),
  });

  const audit = openAudits(shared, {
    ban(worker) {
      workers.ban(worker, 'its answers are wrong');
    },
    async elsewhere({ worker, trial, own }) {
      if (workers.count() < 2) return undefined;
      const answer = await ask(trial, own, shared.host.signal);
      if (!answer || answer.worker === '' || answer.worker === worker) return undefined;
      const seen = own.read(answer.attempt);
      return isOfTheMachine(seen) ? undefined : describe(answer.worker, trial, own, seen);
    },
  });
  const describe = (worker: string, trial: Trial, own: LocalRunner, seen: Attempt) => ({
    worker,
    name: workers.nameOf(worker),
    trial,
    own,
    meaning: own.meaning(seen),
  });
  const workers = openRoster(shared, run, {
    tell,
    async setup(missing) {
      encoder.forget(missing);
      // Until something was tested here, there is nothing to compare a worker with.
      if (!reference || !judge) return undefined;
      const { original: _, ...sent } = setup;
      return {
        setup: { ...sent, env: sentEnvironment(), programs: programsOf(setup), plugins: pluginFolder },
        probe: await orderOf('probe', reference),
      };
    },
    async isSame(attempt) {
      const own = judge!;
      expected ??= shared.here(async () => own.meaning(await own.here(reference!, shared.host.signal)));
      return own.meaning(own.read(attempt)) === (await expected);
    },
    lost(running) {
      for (const id of running) out.get(id)?.settle('lost');
    },
  });
  let expected: Promise<string> | undefined;

  const sentEnvironment = (): Record<string, string> => {
    const all = options.sendEnv.includes('all');
    const entries = Object.entries(process.env).filter(([name]) => all || options.sendEnv.includes(name));
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
  };
  /** A varying environment contains values: it stays here unless the user sends all of it. */
  const mayTravel = ({ artifact }: Trial): boolean => {
    if (!artifact.env || options.sendEnv.includes('all')) return true;
    shared.sayOnce(
      'The environment varies and is not sent to workers, so these tests run here. --send-env all sends it.',
    );
    return false;
  };

  const answered = (text: string): void => {
    const sealed = unseal(text, workers.keyOf);
    const answer = sealed && read.answer(sealed.body);
    if (!sealed || !answer || answer.run !== run || !workers.isKeyOf(answer.worker, sealed.key)) {
      shared.sayOnce('An answer with a wrong signature was ignored: somebody else writes to this Redis.');
      return;
    }
    const entry = out.get(answer.id);
    // Delivered twice, cancelled, or answered by another worker.
    if (!entry || entry.hash !== answer.order || !workers.takesPart(answer.worker)) return;
    take(answer, entry);
  };
  const take = (answer: Answer, entry: Out): void => {
    if (answer.missing) {
      encoder.forget(answer.missing);
      entry.settle('lost');
    } else if (answer.attempt) entry.settle({ attempt: readAttempt(answer.attempt), worker: answer.worker });
    else {
      shared.sayOnce(`${workers.nameOf(answer.worker)} could not run a test: ${answer.cannot ?? 'no reason given'}.`);
      entry.settle('lost');
    }
  };

  const inbox = connection.another();
  const listen = async (): Promise<void> => {
    while (!isClosed) {
      try {
        const got = await inbox.blpop(names.answers(run), 0);
        if (got) answered(got[1]);
      } catch {
        await new Promise(resolve => setTimeout(resolve, 50));
      }
    }
  };
  void listen();
  const subscriber = connection.another();
  subscriber.on('message', (_channel: string, text: string) => void workers.hear(text));
  void subscriber.subscribe(names.up(run)).catch(ignore);
  // Open orders may be lost with the connection. They are sent again: a duplicate only costs one more test.
  redis.on('close', lostAll);
  function lostAll(): void {
    for (const entry of [...out.values()]) entry.settle('lost');
    workers.loseAll();
  }

  const announce = () => {
    if (!isConnected()) return;
    const announcement = JSON.stringify({ run, key: options.signer.id, protocol });
    void redis.publish(names.runs, announcement).catch(ignore);
    const status = { command: setup.argv.join(' '), out: out.size, workers: workers.count() };
    void redis.set(names.run(run), JSON.stringify(status), 'EX', 5).catch(ignore);
  };
  const look = async (): Promise<void> => {
    workers.check();
    const now = Date.now();
    for (const entry of [...out.values()]) {
      if (workers.count() === 0) entry.settle('lost');
      else if (now - entry.sent > Math.max(soonest, late * usual)) entry.settle('late');
    }
    // An order that is neither in the queue nor answered is lost: Redis was emptied, or lost it in a restart.
    const old = [...out.values()].filter(({ sent }) => now - sent > interval);
    if (old.length === 0 || !isConnected()) return;
    const found = await Promise.all(old.map(({ id }) => redis.exists(names.order(run, id)).catch(() => 1)));
    for (const [i, entry] of old.entries()) {
      entry.gone = found[i] === 0 ? entry.gone + 1 : 0;
      if (entry.gone >= 2) entry.settle('lost');
    }
  };
  const timer = setInterval(() => {
    announce();
    void look();
  }, interval).unref();
  announce();

  const send = async (id: string, trial: Trial, entry: { hash: string }): Promise<void> => {
    const sealed = seal(await orderOf(id, trial), options.signer);
    entry.hash = hashOf(sealed);
    if (!out.has(id)) return;
    await queue.add('order', sealed, { jobId: id, removeOnComplete: true, removeOnFail: true });
  };

  let cancelled: string[] = [];
  const cancel = (id: string): void => {
    if (cancelled.push(id) > 1) return;
    setImmediate(() => {
      tell({ kind: 'cancel', ids: cancelled });
      for (const each of cancelled) if (isConnected()) void queue.remove(each).catch(ignore);
      cancelled = [];
    });
  };

  /** One order: its answer, or `undefined` if it was lost. Rejects only if the caller stops. */
  const ask = (trial: Trial, own: LocalRunner, signal: AbortSignal): Promise<Answered | undefined> => {
    const id = randomBytes(12).toString('hex');
    return new Promise((resolve, reject) => {
      const end = (): boolean => {
        signal.removeEventListener('abort', abort);
        return out.delete(id);
      };
      const abort = (): void => {
        if (end()) cancel(id);
        reject(signal.reason);
      };
      let isLate = false;
      const entry: Out & { hash: string } = {
        id,
        hash: '',
        sent: Date.now(),
        gone: 0,
        settle(answer) {
          if (answer === 'late') {
            // A slow or frozen worker may have it: it is also run here, and the first answer counts.
            if (isLate || shared.busy >= Math.max(1, options.jobs)) return;
            isLate = true;
            const here = shared.here(() => own.here(trial, signal));
            here.then(
              attempt => entry.settle({ attempt, worker: '' }),
              () => {},
            );
            return;
          }
          if (!end()) return;
          if (answer !== 'lost' && answer.worker !== '')
            usual = Math.max(usual * 0.95, Math.min(Date.now() - entry.sent, answer.attempt.run.seconds * 1000 + 500));
          else cancel(id);
          resolve(answer === 'lost' ? undefined : answer);
        },
      };
      out.set(id, entry);
      signal.addEventListener('abort', abort, { once: true });
      void send(id, trial, entry).catch(() => entry.settle('lost'));
    });
  };

  const attempt: RemoteRunner['attempt'] = async (trial, own, signal) => {
    judge ??= own;
    const here = () => shared.here(() => own.here(trial, signal));
    reference ??= trial;
    // Only a result is tested a second time, and the client does that itself.
    const content = identify(trial.artifact) + JSON.stringify(trial.aside ?? '');
    if (!mayTravel(trial) || sentBefore.has(content)) return here();
    for (let tries = 0; ; tries++) {
      signal.throwIfAborted();
      if (shared.busy < options.jobs || tries >= mostTries) return here();
      if (workers.count() === 0) {
        if (options.jobs > 0) return here();
        await workers.joined(signal);
        continue;
      }
      const answer = await ask(trial, own, signal);
      if (!answer) continue;
      if (answer.worker === '') return answer.attempt;
      const seen = own.read(answer.attempt);
      // A slow, small or badly equipped machine must not affect the answer.
      if (isOfTheMachine(seen)) return here();
      sentBefore.add(content);
      audit.note(describe(answer.worker, trial, own, seen));
      return seen;
    }
  };

  return {
    attempt,
    audited: () => audit.done(),
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearInterval(timer);
      redis.off('close', lostAll);
      workers.loseAll();
      tell({ kind: 'over' });
      if (isConnected()) {
        await queue.obliterate({ force: true }).catch(ignore);
        await redis.del(names.answers(run), names.run(run), ...[...uploaded].map(names.blob)).catch(ignore);
      }
      await queue.close().catch(ignore);
      inbox.disconnect();
      subscriber.disconnect();
    },
  };
}

const ignore = () => {};

/** Time, memory, a missing program: these may be different on another machine, so the client runs the test itself. */
const isOfTheMachine = ({ run, other }: Attempt): boolean =>
  [run, ...(other ? [other] : [])].some(
    each => each.timedOut || each.exceeded || each.exit === 126 || each.exit === 127 || each.signal === 'SIGKILL',
  );
