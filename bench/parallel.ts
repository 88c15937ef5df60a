import { readdirSync, readFileSync } from 'node:fs';
import { type Configuration, key, type Outcome, type Verdict } from '../src/core/index.js';
import { Counter, explore } from '../src/engine/index.js';
import { answersOf, replay, strategies, type Transcripts } from './data/transcripts.js';

/**
 * Real transcripts, replayed with 20 ms per test on 1 to 64 workers: speed-up, tests run, tests wasted (run and never asked
 * for, or abandoned), and whether the transcript is the same. Arguments: transcripts (default: all in bench/data), and
 * `virtual` for a clock that jumps from one completion to the next, so that nothing but the order of tests counts.
 */
const words = process.argv.slice(2);
const virtual = words.includes('virtual');
const names = words.filter(word => word !== 'virtual');
const workers = [1, 2, 4, 8, 16, 64];
const duration = 20;
const longest = 1000;

interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}
const real: Clock = { now: () => performance.now(), sleep: ms => new Promise(resolve => setTimeout(resolve, ms)) };

/** Jumps to the next wake-up whenever everything that could be done at this moment has been done. */
function jumping(): Clock {
  let now = 0;
  const sleepers: { at: number; wake: () => void }[] = [];
  let ticking = false;
  const tick = () => {
    ticking = false;
    const next = Math.min(...sleepers.map(sleeper => sleeper.at));
    if (next === Infinity) return;
    now = next;
    for (const sleeper of sleepers.splice(0)) sleeper.at <= now ? sleeper.wake() : sleepers.push(sleeper);
    schedule();
  };
  const schedule = () => {
    if (ticking || sleepers.length === 0) return;
    ticking = true;
    setImmediate(tick);
  };
  return {
    now: () => now,
    sleep: ms =>
      new Promise(wake => {
        sleepers.push({ at: now + ms, wake });
        schedule();
      }),
  };
}

async function run(strategy: string, count: number, ask: (configuration: Configuration) => Outcome, jobs: number) {
  const clock = virtual ? jumping() : real;
  const test = async (configuration: Configuration): Promise<Verdict> => {
    await clock.sleep(duration);
    return { outcome: ask(configuration) };
  };
  const counter = new Counter();
  const bare = { name: 'delta', count, build: (configuration: Configuration) => configuration };
  const began = clock.now();
  const cpu = process.cpuUsage();
  const transcript: string[] = [];
  for await (const event of explore(strategies[strategy]!(), bare, test, { workers: jobs, counter }))
    if (event.type === 'answered') transcript.push(`${key(event.configuration)} ${event.outcome}`);
  const { user, system } = process.cpuUsage(cpu);
  return {
    seconds: (clock.now() - began) / 1000,
    cpu: (user + system) / 1e6,
    ran: counter.started,
    wasted: counter.started - counter.spent,
    transcript: transcript.join('\n'),
  };
}

const folder = new URL('../../bench/data/', import.meta.url);
const files = readdirSync(folder)
  .filter(file => file.endsWith('.json'))
  .filter(file => names.length === 0 || names.includes(file.replace('.json', '')));
const cell = (text: string | number): string => String(text).padStart(10);
let different = 0;
for (const file of files) {
  const data: Transcripts = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  console.log(`\n${data.what}, by ${data.delta}: ${data.count} deltas; ${duration} ms per test`);
  console.log(
    `${'strategy'.padEnd(12)}${['workers', 'seconds', 'speed-up', 'run', 'wasted', 'CPU s'].map(cell).join('')}`,
  );
  for (const strategy of Object.keys(strategies)) {
    if (!data.answers[strategy]) continue;
    const answers = answersOf(data, strategy);
    if (answers.size > longest) {
      console.log(`${strategy.padEnd(12)}${answers.size} tests: too many to wait for`);
      continue;
    }
    let alone: Awaited<ReturnType<typeof run>> | undefined;
    for (const jobs of workers) {
      const one = await run(strategy, data.count, replay(answers), jobs);
      alone ??= one;
      const same = one.transcript === alone.transcript;
      if (!same) different++;
      const figures = [jobs, one.seconds.toFixed(2), (alone.seconds / one.seconds).toFixed(1), one.ran, one.wasted];
      console.log(
        `${strategy.padEnd(12)}${[...figures, one.cpu.toFixed(2)].map(cell).join('')}${same ? '' : '   ANOTHER TRANSCRIPT'}`,
      );
    }
  }
}
console.log(different === 0 ? '\nEvery transcript is that of one worker.' : `\n${different} transcripts differ.`);
process.exitCode = different === 0 ? 0 : 1;
