import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type EveryCommand, everyCommand } from '../test/cli/every-command.js';
import { killedAt, uninterrupted as reducedWhole } from '../test/cli/killed.js';
import { generator, killedEvery, pausesFrom, uninterrupted } from '../test/cli/killed-every.js';
import { runWild } from '../test/cli/wild.js';

/**
 * npm run bench -- hygiene [kills <n>] [reduce <n>] [wild <n>] [--only <command>] [--cli <main.js>]
 * What happens if culprit is killed with -9 and resumed: 1,000 kills over all commands, and 200 of a larger `reduce` on one and two
 * workers; and if the tests behave badly. test/cli/killed-every.test.ts makes a tenth of the kills in CI. The built command line is used.
 */
const args = process.argv.slice(2);
const value = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const main = resolve(value('--cli') ?? 'dist/cli/main.js');
const isAll = !['kills', 'reduce', 'wild'].some(each => args.includes(each));
const root = mkdtempSync(join(tmpdir(), 'culprit-hygiene-'));
let broken = 0;
try {
  if (isAll || args.includes('kills')) await kills(Number(value('kills') ?? 1000));
  if (isAll || args.includes('reduce')) await killsOfReduce(Number(value('reduce') ?? 200));
  if (isAll || args.includes('wild')) await wild(Number(value('wild') ?? 1000));
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exit(broken === 0 ? 0 : 1);

/** Kills of every command in turn. */
async function kills(count: number): Promise<void> {
  const random = generator(20_000);
  const only = value('--only');
  const commands = everyCommand.filter(({ name }) => only === undefined || only.split(',').includes(name));
  // A kill of a slow command costs as much as ten others.
  const shareOf = ({ isSlow }: EveryCommand) => (isSlow ? 1 : 5);
  const shares = commands.reduce((sum, command) => sum + shareOf(command), 0);
  const total = { kills: 0, again: 0, otherResult: 0, otherTranscript: 0, processes: 0, folders: 0 };
  for (const [i, command] of commands.entries()) {
    const cwd = join(root, `kills${i}`);
    const whole = await uninterrupted({ main, cwd, command });
    const tally = { runs: 0, kills: 0, again: 0, otherResult: 0, otherTranscript: 0, processes: 0, folders: 0 };
    // A run that is over before its kills costs time and kills nothing: a few of those are enough.
    const wanted = Math.ceil((count * shareOf(command)) / shares);
    while (tally.kills < wanted && tally.runs < wanted) {
      const { finished, ...survival } = await killedEvery({ main, cwd, command }, whole, pausesFrom(random, 8));
      tally.runs++;
      tally.kills += survival.kills;
      tally.again += survival.again;
      tally.processes += survival.processes.length;
      tally.folders += survival.folders.length;
      if (JSON.stringify(finished.results) !== JSON.stringify(whole.results)) tally.otherResult++;
      if (finished.transcript.join('\n') !== whole.transcript.join('\n')) tally.otherTranscript++;
    }
    rmSync(cwd, { recursive: true, force: true });
    console.log(`${command.name}: ${JSON.stringify(tally)}`);
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += tally[key];
  }
  const { kills: made, ...faults } = total;
  broken += Object.values(faults).reduce((sum, n) => sum + n, 0);
  console.log(`${made} kills with -9 over ${commands.length} commands, each run resumed to its end.
  results other than the uninterrupted one's: ${total.otherResult}, transcripts: ${total.otherTranscript}
  tests begun beyond those that a kill interrupted: ${total.again}
  processes left: ${total.processes}; temporary folders left: ${total.folders}`);
}

async function killsOfReduce(count: number): Promise<void> {
  const random = generator(20_000);
  const wholes = new Map<number, Awaited<ReturnType<typeof reducedWhole>>>();
  for (const jobs of [1, 2]) wholes.set(jobs, await reducedWhole({ main, cwd: join(root, `whole${jobs}`), jobs }));
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
  }
  const { kills: _, ...faults } = tally;
  broken += Object.values(faults).reduce((sum, n) => sum + n, 0);
  console.log(`reduce on 1 and 2 workers: ${runs} runs killed ${tally.kills} times with -9 and resumed.
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
