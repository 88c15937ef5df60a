import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { culprit, folderWith, until } from '../cli/culprit.js';
import {
  employ,
  expectNothingLeft,
  expectSame,
  freePort,
  hire,
  place,
  remote,
  startRedis,
  startReduce,
} from './queue.js';

describe('the same transcript and the same result as with one slot here', () => {
  test.each([1, 4, 16])('with %i workers', async count => {
    const [server, here] = [await startRedis(), place()];
    const hired = Array.from({ length: count }, () => hire(server, here));
    await expectSame(startReduce(here, ['-j', '0', ...remote(server, here)]).reduced);
    expect(hired.some(({ log }) => log.some(line => line.includes('check.sh')))).toBe(true);
    // Nothing of a finished run stays in Redis.
    await expectNothingLeft(here, hired);
    const isOurs = (key: string) => !/^culprit:(worker:|orders-\w+:stalled-check)/.test(key);
    expect((await server.redis.keys('culprit:*')).filter(isOurs)).toEqual([]);
  });

  test('with slots here and there', async () => {
    const [server, here] = [await startRedis(), place()];
    hire(server, here, undefined, 2);
    await expectSame(startReduce(here, ['-j', '1', ...remote(server, here)]).reduced);
  });
});

test('a run that began with workers continues without them', async () => {
  const [server, here] = [await startRedis(), place()];
  const begun = await startReduce(here, ['-j', '1', '--max-tests', '3', ...remote(server, here)]).reduced;
  expect(begun.stderr).not.toContain('Done');
  const run = readdirSync(here.cwd).find(name => /^run-\d+$/.test(name))!;
  const { code, stderr } = await culprit(['resume', run, '--no-workers'], { cwd: here.cwd });
  expect(stderr).toContain('Done');
  expect(code).toBe(0);
});

describe('workers that may not or cannot take part', () => {
  test('a program that is not allowed', async () => {
    const [server, here] = [await startRedis(), place()];
    const worker = hire(server, here, ['true']);
    const end = await expectSame(startReduce(here, ['-j', '1', ...remote(server, here)]).reduced);
    expect(end.stderr).toMatch(/does not take part: .*check\.sh is not allowed here \(--allow\)/);
    expect(worker.log.join('\n')).toMatch(/refused: .*check\.sh is not allowed here/);
    await expectNothingLeft(here, [worker]);
  });

  test('another key, another version of a tool, another result on the original', async () => {
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
    const end = await expectSame(startReduce(here, ['-j', '1', ...remote(server, here)]).reduced);
    expect(log.join('\n')).toMatch(/a run is ignored: its key \S+ is not trusted/);
    expect(end.stderr).toMatch(/liar does not take part: the original gives another result there/);
    // Slow enough for the worker to answer before the run is over.
    const line = ['-j', '1', ...remote(server, here), '--', 'sleep 0.2; grep -q alpha {} && exit 3; exit 0'];
    const other = await culprit(['reduce', 'input.txt', '--by', 'line', '-o', 'o.txt', ...line], { cwd: here.cwd });
    expect(other.stderr).toMatch(/old does not take part: grep is another version here/);
    expect(old.log()).toMatch(/refused: grep is another version here/);
    await expectNothingLeft(here, [lying, old]);
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
