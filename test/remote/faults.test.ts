/** Whatever happens to Redis and to workers, a run must end with the transcript and the result of one slot on this machine. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditChance } from '../../src/remote/audit.js';
import { newSigner } from '../../src/remote/keys.js';
import { seal } from '../../src/remote/messages.js';
import { folderWith, until } from '../cli/culprit.js';
import {
  employ,
  expectNothingLeft,
  expectSame,
  hire,
  place,
  remote,
  type Server,
  startRedis,
  startReduce,
  watchCommands,
} from './queue.js';

/** A run whose tests all go to workers, and a moment in the middle of it. */
function begin(server: Server, here: ReturnType<typeof place>) {
  const { child, reduced, answers } = startReduce(here, ['-j', '0', ...remote(server, here)]);
  const halfWay = async () => {
    await until(() => answers() > 5 || child.exitCode !== null);
    expect(child.exitCode).toBeNull();
  };
  return { child, reduced, halfWay };
}

const hasJoined = (worker: { log(): string }) => /^run \w+: /m.test(worker.log());

const wait = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000));

describe('Redis', () => {
  const lasting = ['--appendonly', 'yes'];
  test.each<[string, readonly string[], (server: Server) => Promise<unknown>]>([
    ['is restarted, and keeps its data', lasting, server => server.restart('SIGTERM')],
    ['is restarted, and comes back empty', [], server => server.restart('SIGTERM')],
    ['is killed, and keeps its data', lasting, server => server.restart('SIGKILL')],
    ['is killed, and comes back empty', [], server => server.restart('SIGKILL')],
    ['is flushed', [], server => server.redis.flushall()],
  ])('%s', async (_, args, strike) => {
    const [server, here] = [await startRedis(args), place()];
    const worker = hire(server, here);
    const { reduced, halfWay } = begin(server, here);
    await halfWay();
    await strike(server);
    await expectSame(reduced);
    await expectNothingLeft(here, [worker]);
  });
});

describe('a worker', () => {
  test('is killed every 2 s', async () => {
    const [server, here] = [await startRedis(), place()];
    const home = folderWith({ slow: '0.1' });
    const killed: Awaited<ReturnType<typeof employ>>[] = [];
    const { child, reduced } = begin(server, here);
    while (child.exitCode === null) {
      const worker = await employ(server, here, { home });
      await until(() => hasJoined(worker) || child.exitCode !== null);
      await wait(2);
      worker.child.kill('SIGKILL');
      killed.push(worker);
    }
    await expectSame(reduced);
    expect(killed.length).toBeGreaterThan(1);
    await expectNothingLeft(here, killed);
  });

  test('freezes until it has lost its orders, and thaws', async () => {
    const [server, here] = [await startRedis(), place()];
    const worker = await employ(server, here);
    const { child, reduced, halfWay } = begin(server, here);
    await halfWay();
    worker.child.kill('SIGSTOP');
    await wait(6);
    expect(child.exitCode).toBeNull();
    worker.child.kill('SIGCONT');
    await expectSame(reduced);
    await expectNothingLeft(here, [worker]);
  });

  test('is 20 times slower than another one', async () => {
    const [server, here] = [await startRedis(), place()];
    const workers = [await employ(server, here, { home: folderWith({ slow: '0.4' }) }), hire(server, here)];
    await expectSame(begin(server, here).reduced);
    await expectNothingLeft(here, workers);
  });

  test('lies after the parity test: it is banned, and what it said is tested again', async () => {
    const [server, here] = [await startRedis(), place()];
    const liar = await employ(server, here);
    const { reduced } = begin(server, here);
    expect(await until(() => hasJoined(liar))).toBe(true);
    writeFileSync(join(liar.home, 'lie'), '');
    const honest = hire(server, here);
    const { stderr } = await expectSame(reduced);
    expect(stderr).toMatch(/gave a wrong answer and is banned/);
    expect(liar.log()).toMatch(/does not want this worker/);
    await expectNothingLeft(here, [liar, honest]);
  });
});

test('a worker that begins to lie later is almost certainly caught too, for few tests', () => {
  const nth = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => auditChance(from + i));
  for (const honest of [3, 10, 100, 1000]) {
    const missed = nth(honest + 1, 6 * honest).reduce((left, chance) => left * (1 - chance), 1);
    expect(missed).toBeLessThan(0.01);
  }
  expect(nth(1, 1000).reduce((sum, chance) => sum + chance)).toBeLessThan(35);
});

describe('what goes through Redis', () => {
  test('every answer comes twice, and forged ones in between', async () => {
    const [server, here] = [await startRedis(), place()];
    const worker = hire(server, here, undefined, 2);
    const seen = new Set<string>();
    let twice = 0;
    watchCommands(server, ([command, key, value]) => {
      if (command !== 'rpush' || !key!.endsWith(':answers') || seen.has(value!)) return;
      seen.add(value!);
      const { body } = JSON.parse(value!);
      const forged = seal({ ...JSON.parse(body), attempt: lie }, newSigner());
      seen.add(forged);
      void server.redis.lpush(key!, forged, value!);
      twice++;
    });
    const { stderr } = await expectSame(begin(server, here).reduced);
    expect(twice).toBeGreaterThan(5);
    expect(stderr).toMatch(/An answer with a wrong signature was ignored/);
    await expectNothingLeft(here, [worker]);
  });

  test('files are damaged: that is noticed by their hash, and they are sent again', async () => {
    const [server, here] = [await startRedis(), place()];
    const worker = hire(server, here);
    let damaged = 0;
    watchCommands(server, ([command, key]) => {
      if (command !== 'set' || !/^culprit:blob:/.test(key!) || damaged >= 2) return;
      damaged++;
      void server.redis.setrange(key!, 3, '#');
    });
    await expectSame(begin(server, here).reduced);
    expect(damaged).toBeGreaterThan(0);
    await expectNothingLeft(here, [worker]);
  });

  test('a forged order is refused, logged, and runs nothing', async () => {
    const [server, here] = [await startRedis(), place()];
    const worker = hire(server, here);
    const announced = runOn(server);
    const { reduced } = begin(server, here);
    const run = await announced;
    const { Queue } = await import('bullmq');
    const queue = new Queue(`orders-${run}`, { connection: { url: server.url }, prefix: 'culprit' });
    queue.on('error', () => {});
    const planted = join(here.cwd, 'planted');
    const order = { run, id: 'x', files: { text: 'W10=' }, timeout: 5, anew: false, args: ['touch', planted] };
    await queue.add('order', seal(order, newSigner()), { jobId: 'x', removeOnComplete: true });
    await queue.add('order', 'not even JSON', { jobId: 'y', removeOnComplete: true });
    await expectSame(reduced);
    await queue.close();
    expect(worker.log.filter(line => line.includes('an order with a wrong signature was refused'))).toHaveLength(2);
    expect(existsSync(planted)).toBe(false);
    await expectNothingLeft(here, [worker]);
  });
});

const lie = { run: { exit: 0, timedOut: false, seconds: 0, stdout: '', stderr: '', truncated: false } };

/** The run that is announced now. */
async function runOn({ redis }: Server): Promise<string> {
  const listener = redis.duplicate();
  listener.on('error', () => {});
  const run = new Promise<string>(resolve => listener.on('message', (_, text) => resolve(JSON.parse(text).run)));
  await listener.subscribe('culprit:runs');
  return run.finally(() => listener.disconnect());
}
