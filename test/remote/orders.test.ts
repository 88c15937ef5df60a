import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Artifact } from '../../src/core/artifact.js';
import { CommandOracle } from '../../src/oracle/command/command.js';
import { RedisFarm } from '../../src/remote/farm.js';
import { readSigner, writeKeys } from '../../src/remote/keys.js';
import { folderWith, until } from '../cli/culprit.js';
import { employ, type Place, startRedis, version } from './queue.js';

/** Fails if there is an x. In the home of a worker, `count` gets a line per test; `stuck` makes them wait. */
const check = (mark: string) => `#!/bin/sh
if [ -e "$HOME/count" ]; then echo >> "$HOME/count"; fi
if [ -e "$HOME/stuck" ]; then sleep ${mark} & sleep ${mark}; fi
grep -q x "$1" && exit 3
exit 0
`;
const artifact = (text: string): Artifact => ({
  files: new Map([['in.txt', { kind: 'file', bytes: Buffer.from(text) }]]),
});

/** A client whose tests all go to one worker. `mark`: how many seconds the worker waits if it is stuck. */
async function client(mark: string) {
  const cwd = folderWith({ 'check.sh': check(mark) });
  const place: Place = { cwd, ...writeKeys(join(cwd, 'client')) };
  const server = await startRedis();
  const worker = await employ(server, place);
  const said: string[] = [];
  const options = {
    url: server.url,
    signer: readSigner(place.key),
    sendEnv: [],
    jobs: 0,
    version,
    auditEvery: Infinity,
  };
  const farm = await RedisFarm.connect(options);
  const { signal } = new AbortController();
  farm.host({ say: line => said.push(line), signal, position: () => 0 }, () => {});
  const oracle = new CommandOracle({
    command: [join(cwd, 'check.sh'), '{}'],
    given: [{ path: 'in.txt', name: 'in.txt', folder: false }],
    original: artifact('x'),
    jobs: 1,
    farm,
  });
  onTestFinished(async () => {
    await oracle.close();
    await farm.close();
  });
  return { ...worker, said, oracle, signal };
}

/** Processes that wait for this many seconds. */
const waitingFor = (mark: string): number =>
  readdirSync('/proc').filter(pid => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${mark}\0`;
    } catch {
      return false;
    }
  }).length;
const countIn = (home: string): number =>
  existsSync(join(home, 'count')) ? readFileSync(join(home, 'count')).length : 0;

test('a test that is no longer needed is stopped on the worker, with everything that it started', async () => {
  const mark = `${9_000 + (process.pid % 1000)}.25`;
  const { oracle, home } = await client(mark);
  const run = oracle.test({ kind: 'exit', code: 3 }, 600);
  expect((await run(artifact('ax'), new AbortController().signal)).outcome).toBe('fail');
  writeFileSync(join(home, 'stuck'), '');
  const stop = new AbortController();
  const stopped = run(artifact('bx'), stop.signal).catch(error => error);
  expect(await until(() => waitingFor(mark) === 2)).toBe(true);
  stop.abort(new Error('not needed'));
  expect(await stopped).toMatchObject({ message: 'not needed' });
  expect(await until(() => waitingFor(mark) === 0)).toBe(true);
});

test('a test that runs out of time on a worker is run again by the client, whose verdict counts', async () => {
  const mark = `${8_000 + (process.pid % 1000)}.25`;
  const { oracle, home, said, signal } = await client(mark);
  const run = oracle.test({ kind: 'exit', code: 3 }, 1);
  expect((await run(artifact('ax'), signal)).outcome).toBe('fail');
  writeFileSync(join(home, 'count'), '');
  writeFileSync(join(home, 'stuck'), '');
  expect(await run(artifact('bx'), signal)).toMatchObject({ outcome: 'fail' });
  expect(await run(artifact('b'), signal)).toMatchObject({ outcome: 'pass' });
  expect(countIn(home)).toBe(2);
  // A slow worker is no liar.
  expect(said.filter(line => /wrong answer/.test(line))).toEqual([]);
  expect(await until(() => waitingFor(mark) === 0)).toBe(true);
});

test.each([
  [1, /^No worker for 0\.1 s: tests run on this machine only \(-j 1\)\.$/],
  [0, /^No worker for 0\.1 s, and -j 0 runs no tests here: waiting\. Start a worker, or press Ctrl-C/],
])('without a worker for a while, a client with -j %i says what happens now', async (jobs, sentence) => {
  const server = await startRedis();
  const cwd = folderWith({ 'check.sh': check('0') });
  const signer = readSigner(writeKeys(join(cwd, 'client')).key);
  const farm = await RedisFarm.connect({ url: server.url, signer, sendEnv: [], jobs, version, patience: 0.1 });
  const said: string[] = [];
  const stop = new AbortController();
  farm.host({ say: line => said.push(line), signal: stop.signal, position: () => 0 }, () => {});
  const given = [{ path: 'in.txt', name: 'in.txt', folder: false }];
  const command = [join(cwd, 'check.sh'), '{}'];
  const oracle = new CommandOracle({ command, given, original: artifact('x'), jobs: 1, farm });
  const tested = oracle
    .test({ kind: 'exit', code: 3 }, 60)(artifact('ax'), stop.signal)
    .catch(error => error);
  expect(await until(() => said.length > 0)).toBe(true);
  expect(said).toEqual([expect.stringMatching(sentence)]);
  stop.abort(new Error('enough'));
  expect(await tested).toMatchObject(jobs > 0 ? { outcome: 'fail' } : { message: 'enough' });
  await oracle.close();
  await farm.close();
});
