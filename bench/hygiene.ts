import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { killedAt, uninterrupted } from '../test/cli/killed.js';
import { runWild } from '../test/cli/wild.js';

/**
 * npm run bench -- hygiene [kills <n>] [wild <n>] [--cli <main.js>]
 * What happens when culprit is killed with -9 and resumed (1,000 kills of `reduce`; test/cli/resume.test.ts makes 14 in CI, and
 * test/cli/interrupted.test.ts stops the other commands), and when the tests behave badly. The built command line is used.
 */
const args = process.argv.slice(2);
const value = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const main = resolve(value('--cli') ?? 'dist/cli/main.js');
const isAll = !args.includes('kills') && !args.includes('wild');
const root = mkdtempSync(join(tmpdir(), 'culprit-hygiene-'));
let broken = 0;
try {
  if (isAll || args.includes('kills')) await kills(Number(value('kills') ?? 1000));
  if (isAll || args.includes('wild')) await wild(Number(value('wild') ?? 1000));
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exit(broken === 0 ? 0 : 1);

async function kills(count: number): Promise<void> {
  const random = generator(20_000);
  const wholes = new Map<number, Awaited<ReturnType<typeof uninterrupted>>>();
  for (const jobs of [1, 2]) wholes.set(jobs, await uninterrupted({ main, cwd: join(root, `whole${jobs}`), jobs }));
  const tally = { kills: 0, again: 0, otherResult: 0, otherTranscript: 0, falseBest: 0, processes: 0, folders: 0 };
  let runs = 0;
  for (; tally.kills < count; runs++) {
    const jobs = 1 + (runs % 2);
    const whole = wholes.get(jobs)!;
    const cwd = join(root, `run${runs}`);
    const moments = Array.from({ length: 1 + Math.floor(random() * 3) }, () => random() * whole.milliseconds);
    const survival = await killedAt(moments, { main, cwd, jobs });
    const { finished } = survival;
    tally.kills += survival.kills;
    tally.again += survival.again;
    tally.otherResult += finished.result === whole.result ? 0 : 1;
    tally.otherTranscript += finished.transcript.join('\n') === whole.transcript.join('\n') ? 0 : 1;
    tally.falseBest += survival.isBestTrue ? 0 : 1;
    tally.processes += survival.processes.length;
    tally.folders += survival.folders.length;
    rmSync(cwd, { recursive: true, force: true });
    if ((runs + 1) % 10 === 0) console.log(`${runs + 1} runs, ${JSON.stringify(tally)}`);
  }
  const { kills: _, ...faults } = tally;
  broken += Object.values(faults).reduce((sum, n) => sum + n, 0);
  console.log(`${runs} runs killed ${tally.kills} times with -9 and resumed.
  results other than the uninterrupted one's: ${tally.otherResult}, transcripts: ${tally.otherTranscript}
  answered tests that were run again: ${tally.again}; best/ untrue or larger than before: ${tally.falseBest}
  processes left: ${tally.processes}; temporary folders left: ${tally.folders}`);
}

async function wild(tests: number): Promise<void> {
  const result = await runWild({ main, cwd: join(root, 'wild'), tests, jobs: 2, flood: 1_000_000_000 });
  const { code, json, peak, seconds, processes, folders } = result;
  const isBad = (code !== 0 && code !== 3) || peak >= 300 || processes.length > 0 || folders.length > 0;
  if (isBad) broken++;
  console.log(`${json.executed} tests that hang, fork, call setsid, print 1 GB, exhaust memory, destroy their workspace:
  culprit ended with ${code} after ${seconds.toFixed(0)} s; its peak was ${peak.toFixed(0)} MB
  processes left: ${processes.length}; temporary folders left: ${folders.length}`);
  if (isBad) console.log(result.stderr.split('\n').slice(-12).join('\n'));
}

/** Mulberry32: the same moments every time, as far as the machine lets them fall the same. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
