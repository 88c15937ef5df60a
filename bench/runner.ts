import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openRunner, type Runner } from '../src/oracle/process/index.js';

/**
 * What starting a test costs: milliseconds per command, beside a C loop of vfork and execve and beside Python's
 * subprocess. The ways take turns within a round, so that a busy machine slows all of them; medians of the rounds.
 * Arguments: rounds, commands per round.
 */
const rounds = Number(process.argv[2] ?? 9);
const times = Number(process.argv[3] ?? 200);
const cores = availableParallelism();
const folder = mkdtempSync(join(tmpdir(), 'culprit-bench-'));
const env = Object.fromEntries(
  Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined),
);
const never = new AbortController().signal;
const limits = { output: 1 << 20, fileSize: 64 << 20 };

type Way = (command: readonly string[], workers: number) => Promise<number> | number;

const floor = join(folder, 'floor');
const source = resolve('bench/runner.c');
const hasC = spawnSync('gcc', ['-O2', '-o', floor, source]).status === 0;
const c: Way = (command, workers) =>
  Number(execFileSync(floor, [String(times), String(workers), ...command], { encoding: 'utf8' }));

const script = `
import subprocess, sys, threading, time
times, workers, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
def start():
  for _ in range(times): subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
threads = [threading.Thread(target=start) for _ in range(workers)]
begun = time.monotonic()
for thread in threads: thread.start()
for thread in threads: thread.join()
print((time.monotonic() - begun) * 1e3 / times / workers)
`;
const hasPython = spawnSync('python3', ['--version']).status === 0;
const python: Way = (command, workers) =>
  Number(execFileSync('python3', ['-c', script, String(times), String(workers), ...command], { encoding: 'utf8' }));

const by =
  (runner: Runner, count = times): Way =>
  async (command, workers) => {
    const invocation = { argv: command, cwd: folder, env, timeout: 60 };
    const work = async (slot: number): Promise<void> => {
      for (let i = 0; i < count; i++) await runner.run(invocation, slot, never);
    };
    await Promise.all(Array.from({ length: workers }, (_, slot) => runner.run(invocation, slot, never)));
    const begun = performance.now();
    await Promise.all(Array.from({ length: workers }, (_, slot) => work(slot)));
    return (performance.now() - begun) / count / workers;
  };

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;

async function compare(
  title: string,
  ways: Readonly<Record<string, Way>>,
  command: readonly string[],
  workers: number,
) {
  const measured: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round++)
    for (const [name, way] of Object.entries(ways)) (measured[name] ??= []).push(await way(command, workers));
  console.log(`\n${title}`);
  const base = measured['C vfork'];
  for (const [name, all] of Object.entries(measured)) {
    // The ratio within each round, then the median: load that comes and goes during the run cancels out.
    const ratio = base ? median(all.map((ms, round) => ms / base[round]!)).toFixed(2) : '–';
    console.log(
      `  ${name.padEnd(24)} ${median(all).toFixed(3).padStart(8)} ms   least ${Math.min(...all)
        .toFixed(3)
        .padStart(7)}   × ${ratio}`,
    );
  }
}

async function main(): Promise<void> {
  const runner = openRunner({ slots: 64, limits });
  const spawned = openRunner({ slots: 64, limits, way: 'spawn' });
  const others = { ...(hasC ? { 'C vfork': c } : {}), ...(hasPython ? { 'Python subprocess': python } : {}) };
  const ways = { ...others, culprit: by(runner), 'culprit, plain spawn': by(spawned, Math.ceil(times / 4)) };
  console.log(`${cores} cores, Node ${process.version}, ${rounds} rounds of ${times} commands per worker`);
  if (!hasC) console.log('gcc is missing: no floor to compare with');
  if (!hasPython) console.log('python3 is missing: not compared');
  await compare('/bin/true, 1 worker', ways, ['/bin/true'], 1);
  await compare(`/bin/true, ${cores} workers`, ways, ['/bin/true'], cores);
  await compare("sh -c 'exit 1', 1 worker", ways, ['/bin/sh', '-c', 'exit 1'], 1);

  const held = Array.from({ length: 64 }, () => Buffer.alloc(16 << 20, 1));
  const few = { ...others, culprit: by(runner), 'culprit, plain spawn': by(spawned, 5) };
  await compare(`/bin/true, 1 worker, ${held.length * 16} MB of buffers held`, few, ['/bin/true'], 1);
  held.length = 0;

  console.log('\nsleep 0.1, 256 commands');
  let alone = 0;
  for (const workers of [1, 2, 4, 8, 16, 32, 64]) {
    const each = await by(runner, workers === 1 ? 16 : 256 / workers)(['/bin/sleep', '0.1'], workers);
    alone ||= each;
    console.log(
      `  ${String(workers).padStart(2)} workers  ${each.toFixed(2).padStart(7)} ms each   speed-up ${(alone / each).toFixed(1)}`,
    );
  }
  await Promise.all([runner.close(), spawned.close()]);
}

try {
  await main();
} finally {
  rmSync(folder, { recursive: true });
}
