/**
 * What a test costs through the queue: the same short command here, and on a worker on this machine, one test at a time. The
 * two take turns, so that other work on the machine slows down both.
 *   npm run bench -- queue [tests]
 * Needs redis-server, bullmq and ioredis.
 */
import { spawn } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Artifact } from '../src/core/artifact.js';
import { CommandOracle } from '../src/oracle/command/command.js';
import { RedisFarm } from '../src/remote/farm.js';
import { fingerprint, newSigner } from '../src/remote/keys.js';
import { work } from '../src/remote/worker.js';
import { versions } from '../src/run/versions.js';

const version = versions().culprit!;
const [first, url = '', pem = ''] = process.argv.slice(2);
if (first === 'worker') await runWorker();

/** The worker is a process of its own, as it would be for a user. */
async function runWorker(): Promise<never> {
  const key = createPublicKey(pem);
  const trusted = new Map([[fingerprint(key), key]]);
  const options = { url, jobs: 1, trusted, allowed: ['any'], sandbox: false, version, log: () => {} };
  await work(options, new AbortController().signal);
  process.exit(0);
}

const tests = Number(first ?? 300);
const warmUp = 20;
const port = await new Promise<number>(resolve => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port: free } = server.address() as { port: number };
    server.close(() => resolve(free));
  });
});
const folder = mkdtempSync(join(tmpdir(), 'culprit-bench-'));
const redis = spawn('redis-server', ['--port', `${port}`, '--save', '', '--dir', folder], { stdio: 'ignore' });
await new Promise(resolve => setTimeout(resolve, 500));
const address = `redis://127.0.0.1:${port}`;
const signer = newSigner();
writeFileSync(join(folder, 't.sh'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
const publicKey = signer.publicKey.export({ type: 'spki', format: 'pem' }) as string;
const worker = spawn(process.execPath, [process.argv[1]!, 'worker', address, publicKey], { stdio: 'inherit' });
const { signal } = new AbortController();
const farm = await RedisFarm.connect({ url: address, signer, sendEnv: [], jobs: 0, version, auditEvery: Infinity });
farm.host({ say: () => {}, signal, position: () => 0 }, () => {});

/** A file of some kilobytes of which a line changes, as in a reduction. */
const lines = Array.from({ length: 200 }, (_, i) => `line ${i} of the input`);
const artifact = (i: number): Artifact => {
  const text = lines.map((line, at) => (at === i % 200 ? `changed ${i}` : line)).join('\n');
  return { files: new Map([['in.txt', { kind: 'file', bytes: Buffer.from(text) }]]) };
};

interface Cost {
  readonly median: number;
  /** The fastest tenth: what it costs if nothing else runs. */
  readonly fast: number;
}

const oracleOn = (through?: RedisFarm) =>
  new CommandOracle({
    command: [join(folder, 't.sh'), '{}'],
    given: [{ path: 'in.txt', name: 'in.txt', folder: false }],
    original: artifact(0),
    jobs: 1,
    ...(through ? { farm: through } : {}),
  });
const oracles = [oracleOn(), oracleOn(farm)] as const;
const [here, there] = oracles.map(oracle => ({
  test: oracle.test({ kind: 'exit', code: 3 }, 10),
  took: [] as number[],
}));
for (let i = 1; i <= tests + warmUp; i++)
  for (const { test, took } of [here!, there!]) {
    const began = performance.now();
    const { outcome } = await test(artifact(i), signal);
    if (outcome !== 'fail') throw new Error(`test ${i}: ${outcome}`);
    // The first ones start the runner, find the worker, and are audited.
    if (i > warmUp) took.push(performance.now() - began);
  }

const costOf = ({ took }: { readonly took: readonly number[] }): Cost => {
  const sorted = took.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)]!;
  return { median: at(0.5), fast: at(0.1) };
};
const shown = ({ median, fast }: Cost) => `median ${median.toFixed(1)} ms, fastest tenth ${fast.toFixed(1)} ms`;
const [near, far] = [costOf(here!), costOf(there!)];
console.log(`${tests} tests\n  here:              ${shown(near)}\n  through the queue: ${shown(far)}`);
console.log(`  more:              ${(far.median - near.median).toFixed(1)} / ${(far.fast - near.fast).toFixed(1)} ms`);
for (const oracle of oracles) await oracle.close();
await farm.close();
worker.kill('SIGTERM');
redis.kill('SIGKILL');
rmSync(folder, { recursive: true, force: true });
process.exit(0);
