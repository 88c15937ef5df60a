import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newSigner } from '../../src/remote/keys.js';
import { seal } from '../../src/remote/messages.js';
import { culprit, folderWith, leftBehindBy, processesWith, until } from '../cli/culprit.js';
import {
  employ,
  freePort,
  hire,
  place,
  type Reduced,
  remote,
  type Server,
  startRedis,
  startReduce,
  watchCommands,
} from './queue.js';

/** What one slot on this machine gives. */
let alone: Reduced;
const reference = async () => (alone ??= await startReduce(place(), ['-j', '1']).reduced);

function expectSame(reduced: Reduced): void {
  expect(reduced.stderr).toContain('Done');
  expect(reduced.transcript).toEqual(alone.transcript);
  expect(reduced.best).toBe(alone.best);
}

/** The run that is announced now. */
async function runOn({ redis }: Server): Promise<string> {
  const listener = redis.duplicate();
  listener.on('error', () => {});
  const run = new Promise<string>(resolve => listener.on('message', (_, text) => resolve(JSON.parse(text).run)));
  await listener.subscribe('culprit:runs');
  return run.finally(() => listener.disconnect());
}

describe('the same transcript and the same result as with one slot here', () => {
  test.each([1, 4, 16])('with %i workers', async count => {
    await reference();
    const [server, here] = [await startRedis(), place()];
    const hired = Array.from({ length: count }, () => hire(server, here));
    const reduced = await startReduce(here, ['-j', '0', ...remote(server, here)]).reduced;
    expectSame(reduced);
    expect(hired.some(({ log }) => log.some(line => line.includes('check.sh')))).toBe(true);
    // Nothing of a finished run stays in Redis.
    for (const hand of hired) await hand.stop();
    const isOurs = (key: string) => !/^culprit:(worker:|orders-\w+:stalled-check)/.test(key);
    expect((await server.redis.keys('culprit:*')).filter(isOurs)).toEqual([]);
  });

  test('with slots here and there', async () => {
    await reference();
    const [server, here] = [await startRedis(), place()];
    hire(server, here, undefined, 2);
    expectSame(await startReduce(here, ['-j', '1', ...remote(server, here)]).reduced);
  });
});

test('a run that began with workers continues without them', async () => {
  await reference();
  const [server, here] = [await startRedis(), place()];
  const begun = await startReduce(here, ['-j', '1', '--max-tests', '3', ...remote(server, here)]).reduced;
  expect(begun.stderr).not.toContain('Done');
  const run = readdirSync(here.cwd).find(name => /^run-\d+$/.test(name))!;
  const { code, stderr } = await culprit(['resume', run, '--no-workers'], { cwd: here.cwd });
  expect(stderr).toContain('Done');
  expect(code).toBe(0);
});

describe('faults', () => {
  let server: Server;
  const begin = async (base?: string) => {
    await reference();
    server = await startRedis();
    return place(base);
  };

  test('a worker that is killed loses nothing, and leaves no process and no folder', async () => {
    const here = await begin();
    const first = await employ(server, here);
    writeFileSync(join(first.home, 'count'), '');
    const { reduced } = startReduce(here, ['-j', '0', ...remote(server, here)]);
    await until(() => sizeOf(join(first.home, 'count')) > 5);
    const pid = first.child.pid!;
    first.child.kill('SIGKILL');
    hire(server, here);
    expectSame(await reduced);
    expect(await until(() => leftBehindBy(pid).length === 0 && processesWith(`HOME=${first.home}`).length === 0)).toBe(
      true,
    );
  });

  test('a Redis that is killed and comes back empty', async () => {
    const here = await begin();
    const { home } = await employ(server, here);
    writeFileSync(join(home, 'count'), '');
    const { reduced } = startReduce(here, ['-j', '0', ...remote(server, here)]);
    await until(() => sizeOf(join(home, 'count')) > 5);
    await server.restart();
    expectSame(await reduced);
  });

  test('a Redis that is emptied', async () => {
    const here = await begin();
    const { home } = await employ(server, here);
    writeFileSync(join(home, 'count'), '');
    const { reduced } = startReduce(here, ['-j', '0', ...remote(server, here)]);
    await until(() => sizeOf(join(home, 'count')) > 5);
    await server.redis.flushall();
    expectSame(await reduced);
  });

  test('a worker that freezes and thaws', async () => {
    const here = await begin();
    const { child, home } = await employ(server, here);
    writeFileSync(join(home, 'count'), '');
    const { reduced } = startReduce(here, ['-j', '0', ...remote(server, here)]);
    await until(() => sizeOf(join(home, 'count')) > 5);
    child.kill('SIGSTOP');
    const before = sizeOf(join(home, 'count'));
    hire(server, here);
    await new Promise(resolve => setTimeout(resolve, 3000));
    child.kill('SIGCONT');
    expectSame(await reduced);
    expect(sizeOf(join(home, 'count'))).toBeGreaterThanOrEqual(before);
  });

  test('a worker that becomes slow', async () => {
    const here = await begin();
    const { home } = await employ(server, here);
    hire(server, here);
    writeFileSync(join(home, 'slow'), '');
    expectSame(await startReduce(here, ['-j', '0', ...remote(server, here)]).reduced);
  });

  test('a worker that lies after the parity test is caught, and what it said is tested again', async () => {
    const here = await begin();
    const { home, log } = await employ(server, here);
    writeFileSync(join(home, 'count'), '');
    const { reduced } = startReduce(here, ['-j', '0', ...remote(server, here)]);
    await until(() => sizeOf(join(home, 'count')) >= 1);
    writeFileSync(join(home, 'lie'), '');
    hire(server, here);
    const end = await reduced;
    expectSame(end);
    expect(end.stderr).toMatch(/gave a wrong answer and is banned/);
    expect(log()).toMatch(/does not want this worker/);
  });

  test('every answer delivered twice, and forged ones in between', async () => {
    const here = await begin();
    hire(server, here, undefined, 2);
    let twice = 0;
    const seen = new Set<string>();
    watchCommands(server, ([command, key, value]) => {
      if (command !== 'rpush' || !key!.endsWith(':answers') || seen.has(value!)) return;
      seen.add(value!);
      const { body } = JSON.parse(value!);
      const forged = seal({ ...JSON.parse(body), attempt: lie }, newSigner());
      seen.add(forged);
      void server.redis.lpush(key!, forged, value!);
      twice++;
    });
    const end = await startReduce(here, ['-j', '0', ...remote(server, here)]).reduced;
    expectSame(end);
    expect(twice).toBeGreaterThan(5);
    expect(end.stderr).toMatch(/An answer with a wrong signature was ignored/);
  });

  test('damaged files are noticed by their hash and sent again', async () => {
    const here = await begin();
    hire(server, here);
    let damaged = 0;
    watchCommands(server, ([command, key]) => {
      if (command === 'set' && /^culprit:blob:/.test(key!) && damaged < 2) {
        damaged++;
        void server.redis.setrange(key!, 3, '#');
      }
    });
    const end = await startReduce(here, ['-j', '0', ...remote(server, here)]).reduced;
    expectSame(end);
    expect(damaged).toBeGreaterThan(0);
  });

  test('a forged order is refused and runs nothing', async () => {
    const here = await begin();
    const { log } = hire(server, here);
    const announced = runOn(server);
    const { reduced } = startReduce(here, ['-j', '0', ...remote(server, here)]);
    const run = await announced;
    const { Queue } = await import('bullmq');
    const queue = new Queue(`orders-${run}`, { connection: { url: server.url }, prefix: 'culprit' });
    queue.on('error', () => {});
    const planted = join(here.cwd, 'planted');
    const order = { run, id: 'x', files: { text: 'W10=' }, timeout: 5, anew: false, args: ['touch', planted] };
    await queue.add('order', seal(order, newSigner()), { jobId: 'x', removeOnComplete: true });
    await queue.add('order', 'not even JSON', { jobId: 'y', removeOnComplete: true });
    expectSame(await reduced);
    await queue.close();
    expect(log.filter(line => line.includes('an order with a wrong signature was refused'))).toHaveLength(2);
    expect(existsSync(planted)).toBe(false);
  });
});

describe('workers that may not or cannot take part', () => {
  test('a program that is not allowed', async () => {
    await reference();
    const [server, here] = [await startRedis(), place()];
    const { log } = hire(server, here, ['true']);
    writeFileSync(join(here.cwd, 'slow'), '');
    const end = await startReduce(here, ['-j', '1', ...remote(server, here)]).reduced;
    expectSame(end);
    expect(end.stderr).toMatch(/does not take part: .*check\.sh is not allowed here \(--allow\)/);
    expect(log.join('\n')).toMatch(/refused: .*check\.sh is not allowed here/);
  });

  test('another key, another version of a tool, another result on the original', async () => {
    await reference();
    const [server, here] = [await startRedis(), place()];
    const stranger = place();
    const { log } = hire(server, { ...here, pub: stranger.pub });
    const lying = await employ(server, here, { args: ['--no-sandbox', '--name', 'liar'] });
    writeFileSync(join(lying.home, 'lie'), '');
    const bin = folderWith({ grep: '#!/bin/sh\nexec /bin/grep "$@" # mine\n' });
    const old = await employ(server, here, {
      args: ['--no-sandbox', '--name', 'old', '--allow', 'sh'],
      env: { PATH: `${bin}:${process.env.PATH}` },
    });
    const end = await startReduce(here, ['-j', '1', ...remote(server, here)]).reduced;
    expectSame(end);
    expect(log.join('\n')).toMatch(/a run is ignored: its key \S+ is not trusted/);
    expect(end.stderr).toMatch(/liar does not take part: the original gives another result there/);
    // Slow enough for the worker to answer before the run is over.
    const line = ['-j', '1', ...remote(server, here), '--', 'sleep 0.2; grep -q alpha {} && exit 3; exit 0'];
    const other = await culprit(['reduce', 'input.txt', '--by', 'line', '-o', 'o.txt', ...line], { cwd: here.cwd });
    expect(other.stderr).toMatch(/old does not take part: grep is another version here/);
    expect(old.log()).toMatch(/refused: grep is another version here/);
  });

  test('a worker runs tests in its sandbox unless an option says otherwise', async () => {
    const { cache } = await import('../cli/culprit.js');
    const [server, here] = [await startRedis(), place(cache)];
    const open = await employ(server, here, { args: ['--allow', 'sh'] });
    const line = 'echo x > "$HOME/outside"; grep -q alpha {} && exit 3; exit 0';
    const args = [
      'reduce',
      'input.txt',
      '--by',
      'line',
      '-o',
      'o.txt',
      '--exit',
      '3',
      '-j',
      '0',
      ...remote(server, here),
    ];
    const end = await culprit([...args, '--', line], { cwd: here.cwd, env: { HOME: here.cwd } });
    expect(end.stderr).toContain('joined with 1 slot');
    expect(end.code).toBe(0);
    expect(existsSync(join(here.cwd, 'outside'))).toBe(true);
    expect(existsSync(join(open.home, 'outside'))).toBe(false);
  });
});

describe('bad input is a sentence', () => {
  const reduce = (args: readonly string[]) => startReduce(place(), args).reduced;

  test('no Redis, no address, no key', async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    const keys = place();
    const gone = await reduce(['--workers', url, '--key', keys.key]);
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringMatching(/No Redis answers at redis:\/\/127/)]);
    const wrong = await reduce(['--workers', 'http://x', '--key', keys.key]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/is not the address of a Redis/)]);
    const unsigned = await reduce(['--workers', url]);
    expect([unsigned.code, unsigned.stderr]).toEqual([2, expect.stringMatching(/no key to sign with/)]);
    const swapped = await reduce(['--workers', url, '--key', keys.pub]);
    expect([swapped.code, swapped.stderr]).toEqual([
      2,
      expect.stringMatching(/does not contain a private Ed25519 key/),
    ]);
    const none = await reduce(['-j', '0']);
    expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/--jobs 0 is not a whole number/)]);
  });

  test('a wrong password, and a Redis that evicts keys', async () => {
    const locked = await startRedis(['--requirepass', 'secret'], 'secret');
    const keys = place();
    const end = await reduce(['--workers', locked.url, '--key', keys.key]);
    expect([end.code, end.stderr]).toEqual([1, expect.stringMatching(/does not accept the user or password/)]);
    const evicting = await startRedis(['--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru']);
    const worker = await culprit(
      ['worker', evicting.url, '--trust', keys.pub, '--allow', 'true', '--no-sandbox'],
      keys,
    );
    expect([worker.code, worker.stderr]).toEqual([
      1,
      expect.stringMatching(/evicts keys \(maxmemory-policy allkeys-lru\)/),
    ]);
  });

  test('a worker that may run nothing, or trusts nobody; --status and --keygen', async () => {
    const [server, keys] = [await startRedis(), place()];
    const nothing = await culprit(['worker', server.url, '--trust', keys.pub], keys);
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringMatching(/may not run any program/)]);
    const nobody = await culprit(['worker', server.url, '--allow', 'true'], keys);
    expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringMatching(/trusts nobody/)]);
    const again = await culprit(['worker', '--keygen', 'client'], keys);
    expect([again.code, again.stderr]).toEqual([2, expect.stringMatching(/client\.key already exists/)]);
    const port = await freePort();
    const { child } = await employ(server, keys, { args: ['--no-sandbox', '--name', 'w1', '--metrics', `${port}`] });
    await until(() => false, 1200);
    const status = await culprit(['worker', '--status', server.url], keys);
    expect(status.stdout).toMatch(/1 worker with 1 slot, 0 busy; 0 runs\n {2}w1: 0 of 1 slot busy/);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toMatch(/^culprit_worker_slots 1$/m);
    child.kill('SIGTERM');
    expect((await child.ended).code).toBe(0);
  });
});

const lie = { run: { exit: 0, timedOut: false, seconds: 0, stdout: '', stderr: '', truncated: false } };

function sizeOf(path: string): number {
  return existsSync(path) ? readFileSync(path).length : 0;
}
