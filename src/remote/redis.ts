/** The connection to Redis: loaded on first use, checked before anything relies on it. */
import type * as BullMQ from 'bullmq';
import type { Redis, RedisOptions } from 'ioredis';
import { UserError } from '../core/index.js';

/** Everything that culprit writes has this prefix, so an ACL can be limited to it. */
export const prefix = 'culprit';

export const names = {
  /** Clients announce their runs here, every second. */
  runs: `${prefix}:runs`,
  up: (run: string) => `${prefix}:${run}:up`,
  down: (run: string) => `${prefix}:${run}:down`,
  answers: (run: string) => `${prefix}:${run}:answers`,
  /** The name of the queue; BullMQ puts the prefix before it. */
  orders: (run: string) => `orders-${run}`,
  order: (run: string, id: string) => `${prefix}:orders-${run}:${id}`,
  blob: (hash: string) => `${prefix}:blob:${hash}`,
  /** What `--status` shows; both expire by themselves. */
  worker: (id: string) => `${prefix}:worker:${id}`,
  run: (run: string) => `${prefix}:run:${run}`,
};

/** Without its user and password. */
export function shownUrl(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname}`;
  } catch {
    return 'that address';
  }
}

export interface Connection {
  readonly bullmq: typeof BullMQ;
  /** For commands that do not block. */
  readonly redis: Redis;
  /** Another connection, for what blocks or listens. */
  another(): Redis;
  close(): Promise<void>;
}

/** Milliseconds. */
const patience = 5_000;

/** Connects, or throws a `UserError` that says what is wrong. A connection lost later is re-established. */
export async function connect(url: string): Promise<Connection> {
  demandUrl(url);
  const { bullmq, ioredis } = await load();
  const address = new URL(url);
  if (address.password === '') address.password = encodeURIComponent(process.env.REDISCLI_AUTH ?? '');
  const options: RedisOptions = {
    // Commands wait while the connection is lost, so the sender must not wait for them alone.
    maxRetriesPerRequest: null,
    connectTimeout: patience,
    lazyConnect: true,
  };
  await check(new ioredis.Redis(address.href, { ...options, maxRetriesPerRequest: 0, retryStrategy: () => null }), url);
  const open: Redis[] = [];
  const another = () => {
    const redis = new ioredis.Redis(address.href, {
      ...options,
      retryStrategy: times => Math.min(50 * 2 ** times, 1000),
    });
    // Losses show as `close`; an `error` without a listener would end the process.
    redis.on('error', () => {});
    open.push(redis);
    void redis.connect().catch(() => {});
    return redis;
  };
  return {
    bullmq,
    redis: another(),
    another,
    async close() {
      for (const redis of open) redis.disconnect();
    },
  };
}

async function check(probe: Redis, url: string): Promise<void> {
  const where = shownUrl(url);
  let reason = '';
  probe.on('error', (error: NodeJS.ErrnoException) => {
    reason ||= error.message || error.code || '';
  });
  try {
    await probe.connect();
    await probe.ping();
    const info = await probe.info('memory').catch(() => '');
    const policy = /maxmemory_policy:(\S+)/.exec(info)?.[1] ?? 'noeviction';
    if (policy !== 'noeviction')
      throw new UserError(
        `The Redis at ${where} evicts keys (maxmemory-policy ${policy}), so orders and files could disappear.`,
        'Set it to keep them: redis-cli CONFIG SET maxmemory-policy noeviction',
        1,
      );
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unreachable(where, reason || (error as Error).message);
  } finally {
    probe.disconnect();
  }
}

function unreachable(where: string, reason: string): UserError {
  if (/NOAUTH|WRONGPASS|invalid password|without any password/i.test(reason))
    return new UserError(
      `The Redis at ${where} does not accept the user or password.`,
      'Put them into the address (redis://user:password@host:6379), or the password into REDISCLI_AUTH.',
      1,
    );
  if (/NOPERM/.test(reason))
    return new UserError(
      `The user has too few rights on the Redis at ${where}: ${reason}.`,
      'docs/workers.md has the ACL that culprit needs.',
      1,
    );
  if (/certificate/i.test(reason))
    return new UserError(
      `The certificate of the Redis at ${where} is not trusted: ${reason}.`,
      'If you made it yourself, name the file of its authority: NODE_EXTRA_CA_CERTS=ca.pem',
      1,
    );
  return new UserError(
    `No Redis answers at ${where}: ${reason || 'no answer'}.`,
    'Start one (redis-server), or correct the address: redis://host:6379, or rediss:// for TLS.',
    1,
  );
}

export function demandUrl(url: string): void {
  try {
    const { protocol, hostname } = new URL(url);
    if (/^rediss?:$/.test(protocol) && hostname !== '') return;
  } catch {
    // Not a URL: the sentence below says what was expected.
  }
  throw new UserError(
    `${shownUrl(url) === 'that address' ? url : shownUrl(url)} is not the address of a Redis.`,
    'For example: redis://localhost:6379, or rediss://queue.example.org:6380 for TLS.',
  );
}

async function load() {
  try {
    const [bullmq, ioredis] = await Promise.all([import('bullmq'), import('ioredis')]);
    return { bullmq, ioredis };
  } catch {
    throw new UserError(
      'Workers need the packages bullmq and ioredis, which are not installed.',
      'Install them next to culprit:\n  npm install bullmq ioredis',
    );
  }
}
