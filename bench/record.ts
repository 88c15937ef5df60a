import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { characters, lines } from '../src/circumstances/text.js';
import { key, type Outcome, type Strategy, size, transcribe } from '../src/core/index.js';
import { checksum, signsOf, strategies, type Transcripts } from './data/transcripts.js';

/**
 * Records what each strategy hears when it reduces a real file for a real program, for bench/parallel.ts to replay:
 *   npm run bench -- record <name> <file> line|byte <command> [args…]      {} is the file
 * The failure is the way the command ends on the whole file; exit 0 passes, and everything else is unresolved.
 */
const [name, file, by, ...command] = process.argv.slice(2);
if (!name || !file || (by !== 'line' && by !== 'byte') || command.length === 0) {
  console.error('npm run bench -- record <name> <file> line|byte <command> [args…]');
  process.exit(2);
}
/** Strategies that need more tests than this are left out: nobody would wait for the replay. */
const most = 1500;
class TooMany extends Error {}

const folder = mkdtempSync(join(tmpdir(), 'culprit-record-'));
const path = join(folder, basename(file));
const original = readFileSync(file, 'latin1');
const circumstance = by === 'line' ? lines(original) : characters(original);

const endOf = (content: string): string => {
  writeFileSync(path, content, 'latin1');
  const [program, ...args] = command.map(word => word.replaceAll('{}', path));
  const { status, signal } = spawnSync(program!, args, { cwd: folder, stdio: 'ignore', timeout: 10_000 });
  return String(signal ?? status);
};
try {
  const failure = endOf(original);
  if (failure === '0') throw new Error(`${command.join(' ')} does not fail on ${file}`);
  const known = new Map<string, Outcome>();
  const answers: Record<string, string> = {};
  const questions: Record<string, number> = {};
  const record = (strategy: string, make: () => Strategy<unknown>) => {
    let tests = 0;
    const { rows, result } = transcribe(make(), [0, circumstance.count], configuration => {
      if (++tests > most) throw new TooMany();
      const end = known.get(key(configuration)) ?? endOf(circumstance.build(configuration)!);
      const outcome =
        end === failure || end === 'fail' ? 'fail' : end === '0' || end === 'pass' ? 'pass' : 'unresolved';
      known.set(key(configuration), outcome);
      return outcome;
    });
    answers[strategy] = rows.map(row => signsOf[row.outcome]).join('');
    questions[strategy] = checksum(rows.map(row => key(row.configuration)));
    const data: Transcripts = {
      what: `${command.join(' ').replace('{}', basename(file))} (${failure}), ${original.length} bytes`,
      delta: by,
      count: circumstance.count,
      answers,
      questions,
    };
    writeFileSync(`bench/data/${name}.json`, `${JSON.stringify(data, null, 1)}\n`);
    console.log(`${strategy.padEnd(12)}${tests} tests, ${rows.length} steps, left ${size(result)}`);
  };
  for (const [strategy, make] of Object.entries(strategies))
    try {
      record(strategy, make);
    } catch (error) {
      if (!(error instanceof TooMany)) throw error;
      console.log(`${strategy.padEnd(12)}more than ${most} tests: not recorded`);
    }
} finally {
  rmSync(folder, { recursive: true });
}
