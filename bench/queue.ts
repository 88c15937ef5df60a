/**
 * What a test costs through the queue: the same short command here, and on a worker on this machine, one test at a time.
 *   npm run bench -- queue [tests]
 * Needs redis-server, bullmq and ioredis.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Artifact } from '../src/core/artifact.js';
import { CommandOracle } from '../src/oracle/command/command.js';
import { RedisFarm } from '../src/remote/farm.js';
import { newSigner } from '../src/remote/keys.js';
import { work } from '../src/remote/worker.js';
import { versions } from '../src/run/versions.js';

const tests = Number(process.argv[2] ?? 300);
const warmUp = 20;
const version = versions().culprit!;
const port = await new Promise<number>(resolve => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port: free } = server.address() as { port: number };
    server.close(() => resolve(free));
  });
});
const folder = mkdtempSync(join(tmpdir(), 'culprit-bench-'));
const redis = spawn('redis-server', ['--port', `${port}`, '--save', '', '--dir', folder], { stdio: 'ignore' });
await new Promise(resolve => setTimeout(resolve, 500));
const url = `redis://127.0.0.1:${port}`;
const signer = newSigner();
writeFileSync(join(folder, 't.sh'), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
const stop = new AbortController();
const worker = work(
  {
    url,
    jobs: 1,
    trusted: new Map([[signer.id, signer.publicKey]]),
    allowed: ['any'],
    sandbox: false,
    version,
    log: () => {},
  },
  stop.signal,
);
const farm = await RedisFarm.connect({ url, signer, sendEnv: [], jobs: 0, version, auditEvery: Infinity });
farm.host({ say: () => {}, signal: stop.signal, position: () => 0 }, () => {});

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
  /** Processor time of client and worker, without Redis and the command. */
  readonly cpu: number;
}

async function cost(through?: RedisFarm): Promise<Cost> {
  const oracle = new CommandOracle({
    command: [join(folder, 't.sh'), '{}'],
    given: [{ path: 'in.txt', name: 'in.txt', folder: false }],
    original: artifact(0),
    jobs: 1,
    ...(through ? { farm: through } : {}),
  });
  const test = oracle.test({ kind: 'exit', code: 3 }, 10);
  const took: number[] = [];
  let cpu = process.cpuUsage();
  for (let i = 1; i <= tests; i++) {
    // The first ones start the runner, find the worker, and are audited.
    if (i === warmUp) cpu = process.cpuUsage();
    const began = performance.now();
    const { outcome } = await test(artifact(i), stop.signal);
    if (outcome !== 'fail') throw new Error(`test ${i}: ${outcome}`);
    took.push(performance.now() - began);
  }
  const { user, system } = process.cpuUsage(cpu);
  await oracle.close();
  const sorted = took.slice(warmUp).sort((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)]!;
  return { median: at(0.5), fast: at(0.1), cpu: (user + system) / 1000 / sorted.length };
}

const shown = ({ median, fast, cpu }: Cost) =>
  `median ${median.toFixed(1)} ms, fastest tenth ${fast.toFixed(1)} ms, ${cpu.toFixed(1)} ms of CPU`;
const here = await cost();
const there = await cost(farm);
console.log(`${tests} tests\n  here:              ${shown(here)}\n  through the queue: ${shown(there)}`);
console.log(
  `  more:              ${(there.median - here.median).toFixed(1)} / ${(there.fast - here.fast).toFixed(1)} ms`,
);
stop.abort();
await worker;
await farm.close();
redis.kill('SIGKILL');
rmSync(folder, { recursive: true, force: true });
process.exit(0);
