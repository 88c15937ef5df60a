/**
 * Plain commands alone: reduces each case with the command that a user would type, then asks the case's own test.
 *   npm run bench -- plain <folder> [--cases a,b] [--seconds 120]
 * A case is a folder with input.*, command.txt, test.sh (exit 0 = the same failure, run in the input's folder) and meta.json. The
 * signature of the first run is all that culprit knows about the failure; test.sh shows whether it was enough.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { casesFrom, holds } from './cases/cases.js';

const { folder, cases, seconds } = settings(process.argv.slice(2));
const tools = process.env.CORPUS_TOOLS ?? join(homedir(), '.cache', 'culprit-corpus');
const cli = resolve('dist/cli/main.js');

interface Row {
  readonly before: number;
  /** Nothing if there was nothing to reduce: the command alone does not fail. */
  readonly after?: number;
  readonly tests?: number;
  readonly ended?: boolean;
  readonly holds?: boolean;
  /** The failure in words, or why there is none. */
  readonly said: string;
}

const tally = { held: 0, slipped: [] as string[], skipped: [] as string[] };
for (const name of cases) {
  const row = reduce(join(folder, name));
  if (row.after === undefined) tally.skipped.push(name);
  else if (row.holds) tally.held++;
  else tally.slipped.push(name);
  const figures =
    row.after === undefined
      ? 'not run'
      : `${row.before} → ${row.after} bytes, ${row.tests} tests${row.ended ? '' : '+'}, ${row.holds ? 'holds' : 'DOES NOT HOLD'}`;
  console.log(`${name.padEnd(30)} ${figures}\n${' '.repeat(31)}${row.said}`);
}
console.log(`${tally.held} hold${list('slipped', tally.slipped)}${list('without a failing command', tally.skipped)}`);
process.exitCode = tally.slipped.length > 0 ? 1 : 0;

function reduce(source: string): Row {
  const file = readdirSync(source).find(each => each.startsWith('input.'))!;
  const meta = JSON.parse(readFileSync(join(source, 'meta.json'), 'utf8'));
  const line = readFileSync(join(source, 'command.txt'), 'utf8').replace(/\s+# .*$/m, '');
  const place = mkdtempSync(join(tmpdir(), 'culprit-plain-'));
  try {
    cpSync(join(source, file), join(place, file));
    chmodSync(join(place, file), 0o644);
    // A tool that is loaded with `require` is found where the input is, as in a project of the user.
    const modules = meta.bin && join(tools, meta.bin, '..');
    const args = [
      'reduce',
      file,
      '--json',
      '--no-format',
      '-j',
      '1',
      '--max-time',
      String(seconds),
      '-o',
      'out.reduced',
    ];
    const { stdout, stderr } = spawnSync(process.execPath, [cli, ...args, '--', ...wordsOf(line.trim())], {
      cwd: place,
      timeout: (seconds + 120) * 1000,
      maxBuffer: 64 * 1024 * 1024,
      encoding: 'utf8',
      env: {
        ...process.env,
        ...(modules ? { NODE_PATH: modules, PATH: `${join(tools, meta.bin)}${delimiter}${process.env.PATH}` } : {}),
      },
    });
    const before = readFileSync(join(source, file)).length;
    if (!existsSync(join(place, 'out.reduced')))
      return { before, said: stderr.trim().split('\n').slice(0, 3).join(' / ') };
    const result = JSON.parse(stdout);
    const bytes = readFileSync(join(place, 'out.reduced'));
    return {
      before,
      after: bytes.length,
      tests: result.executed,
      ended: result.ended === 'done',
      holds: holds(source, file, bytes),
      said: result.signature,
    };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** As typed: separate words, or one shell line if the shell is needed. */
function wordsOf(line: string): readonly string[] {
  return /[;|&<>'"$`\\]/.test(line) ? [line] : line.split(/\s+/);
}

function list(what: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `; ${what}: ${names.join(', ')}`;
}

function settings(argv: readonly string[]) {
  const usage = 'npm run bench -- plain <folder> [--cases a,b] [--seconds 120]';
  const { folder, cases, option } = casesFrom(argv, 'command.txt', usage);
  return {
    folder,
    cases,
    seconds: Number(option('seconds', '120')),
  };
}
