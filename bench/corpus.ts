/**
 * culprit beside the reducers that Debian packages, on a folder of real failing inputs.
 *   npm run bench -- corpus <folder> [--cases a,b] [--tools culprit,lexical,cvise,creduce,delta,dustmite] [--seconds 600] [--jobs 2] [--least S] [--marks 10,30,60]
 * A case is a folder with input.*, test.sh (exit 0 = the same failure, run where the input lies) and meta.json.
 * Each tool gets the same test, the same workers where it has any, and the same budget; tests are counted by the test itself.
 * With --least, the tools after culprit get as long as culprit took, and at least S seconds: enough to say who was faster, in a
 * tenth of the time that full budgets take. --marks 10,30,60 adds the smallest failing text after that many seconds.
 */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { casesFrom, holds } from './cases/cases.js';

const { folder, cases, tools, seconds, jobs, least, marks } = settings(process.argv.slice(2));

interface Cell {
  readonly bytes: number;
  readonly tokens: number;
  readonly tests: number;
  readonly seconds: number;
  /** Of the tool and of all tests it ran: what a busy machine changes least. */
  readonly cpu: number;
  /** The smallest text known to fail, after each mark. */
  readonly after: readonly number[];
  readonly ended: boolean;
  readonly holds: boolean;
}

const cli = resolve('dist/cli/main.js');
const culprit = (file: string, budget: number, more: readonly string[]) => [
  process.execPath,
  cli,
  'reduce',
  file,
  '--interesting',
  '--quiet',
  '--no-format',
  '-j',
  String(jobs),
  '--max-time',
  String(budget),
  '-o',
  'out.reduced',
  ...more,
  '--',
  './test.sh',
];
const commands: Readonly<Record<string, (file: string, budget: number) => readonly string[]>> = {
  culprit: (file, budget) => culprit(file, budget, []),
  lexical: (file, budget) => culprit(file, budget, ['--level', 'lexical']),
  cvise: file => ['cvise', '--n', String(jobs), '--timeout', '60', './test.sh', file],
  creduce: file => ['creduce', '--n', String(jobs), '--timeout', '60', './test.sh', file],
  delta: file => ['singledelta', `-test=./test.sh`, `-in_place`, file],
  dustmite: () => ['dustmite', `-j${jobs}`, '--split', '*:lines', 'only', '$TEST'],
};

let near = 0;
let smallest = 0;
let fastest = 0;
let compared = 0;
for (const name of cases) {
  const source = join(folder, name);
  const file = readdirSync(source).find(each => each.startsWith('input.'));
  if (!file) continue;
  const meta = JSON.parse(readFileSync(join(source, 'meta.json'), 'utf8'));
  const cells = new Map<string, Cell>();
  for (const tool of tools) {
    const own = cells.get('culprit');
    const cell = run(source, file, tool, own && least ? Math.min(seconds, Math.max(least, own.seconds)) : seconds);
    cells.set(tool, cell);
    console.log(
      `${name.padEnd(30)} ${tool.padEnd(9)} ${cell.bytes}`.padEnd(52) +
        ` bytes ${String(cell.tokens).padStart(6)} tokens ${String(cell.tests).padStart(7)} tests ${cell.seconds.toFixed(0).padStart(5)}${cell.ended ? ' ' : '+'} s ${cell.cpu.toFixed(0).padStart(5)} s CPU  ${cell.holds ? 'holds' : 'DOES NOT HOLD'}  (known ${meta.known_min_bytes})` +
        (marks.length > 0 ? `  after ${marks.join(', ')} s: ${cell.after.join(', ')}` : ''),
    );
  }
  const own = cells.get('culprit');
  if (own) conclude(name, own, cells, meta.known_min_bytes);
}
console.log(
  `at most 1.25 times the smallest known: ${near} of ${cases.length}; of ${compared} with peers, no larger than any: ${smallest}, at most half the CPU of any that comes within a tenth: ${fastest}`,
);

/** The ratios against the smallest peer, and against the fastest of those that come within a tenth of the smallest text of all. */
function conclude(name: string, own: Cell, cells: ReadonlyMap<string, Cell>, known: number): void {
  if (own.holds && own.bytes <= known * 1.25) near++;
  const peers = [...cells].filter(([tool, cell]) => tool !== 'culprit' && tool !== 'lexical' && cell.holds);
  if (peers.length === 0) return;
  compared++;
  const [first, small] = leastBy(peers, 'bytes');
  const ratio = (a: number, b: number) => `× ${(a / Math.max(b, 1e-9)).toFixed(2)}`;
  const said = [`${ratio(own.bytes, small.bytes)} bytes of ${first}`];
  const alike = peers.filter(([, cell]) => cell.bytes <= Math.min(own.bytes, small.bytes) * 1.1);
  if (own.bytes <= small.bytes) smallest++;
  if (alike.length === 0) {
    fastest++;
    said.push('no other comes within a tenth');
  } else {
    const [second, quick] = leastBy(alike, 'seconds');
    const [third, cheap] = leastBy(alike, 'cpu');
    if (own.cpu <= cheap.cpu / 2) fastest++;
    said.push(`${ratio(own.seconds, quick.seconds)} seconds and ${ratio(own.tests, quick.tests)} tests of ${second}`);
    said.push(`${ratio(own.cpu, cheap.cpu)} CPU of ${third}`);
  }
  console.log(`${name.padEnd(30)} ${said.join(', ')}`);
}

function leastBy(cells: readonly (readonly [string, Cell])[], key: 'bytes' | 'seconds' | 'cpu') {
  return cells.reduce((a, b) => (b[1][key] < a[1][key] ? b : a));
}

function run(source: string, file: string, tool: string, budget: number): Cell {
  const work = mkdtempSync(join(tmpdir(), 'culprit-bench-'));
  const log = join(work, 'tests.log');
  const place = join(work, 'case');
  mkdirSync(place);
  try {
    cpSync(join(source, file), join(place, file));
    chmodSync(join(place, file), 0o644);
    const failing = join(work, 'failing.log');
    writeFileSync(join(place, 'test.sh'), counting(join(source, 'test.sh'), file, log, failing), { mode: 0o755 });
    appendFileSync(log, '');
    appendFileSync(failing, '');
    if (tool === 'dustmite') {
      mkdirSync(join(place, 'only'));
      cpSync(join(place, file), join(place, 'only', file));
    }
    const [program, ...args] = commands[tool]!(file, Math.ceil(budget)).map(word =>
      word === '$TEST' ? join(place, 'test.sh') : word,
    );
    const began = performance.now();
    const clock = Date.now() / 1000;
    const cpu = cpuOfChildren();
    const ended = spawnSync(program!, args, {
      cwd: place,
      timeout: Math.ceil(budget + 5) * 1000,
      killSignal: 'SIGTERM',
      stdio: 'ignore',
    });
    const took = (performance.now() - began) / 1000;
    const result = [join(place, 'out.reduced'), join(place, 'only.reduced', file), join(place, file)].find(existsSync)!;
    const bytes = readFileSync(result);
    return {
      bytes: bytes.length,
      tokens: bytes.toString('latin1').match(/\w+|[^\s\w]/g)?.length ?? 0,
      tests: statSync(log).size,
      seconds: took,
      cpu: cpuOfChildren() - cpu,
      after: marks.map(mark => sizeAt(failing, clock + mark, statSync(join(source, file)).size)),
      ended: ended.status === 0,
      holds: holds(source, file, bytes),
    };
  } finally {
    spawnSync('pkill', ['-f', work]);
    rmSync(work, { recursive: true, force: true });
  }
}

/** The test, with one byte for each run and a line with time and size for each failing text, whichever tool runs it. */
function counting(test: string, file: string, log: string, failing: string): string {
  return [
    '#!/bin/bash',
    `printf x >> '${log}'`,
    `'${test}'`,
    'status=$?',
    `[ $status = 0 ] && echo "$EPOCHREALTIME $(stat -c %s '${file}')" >> '${failing}'`,
    'exit $status',
    '',
  ].join('\n');
}

/** Node tells nothing of the CPU of children; the kernel adds it to the parent that waited for them. */
function cpuOfChildren(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
  const ticksPerSecond = 100;
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}

function sizeAt(failing: string, moment: number, first: number): number {
  let least = first;
  for (const line of readFileSync(failing, 'utf8').split('\n')) {
    const [time, size] = line.split(' ').map(Number);
    if (time && time <= moment && size !== undefined && size < least) least = size;
  }
  return least;
}

function settings(argv: readonly string[]) {
  const usage =
    'npm run bench -- corpus <folder> [--cases a,b] [--tools …] [--seconds 600] [--jobs 2] [--least S] [--marks 10,30,60]';
  const { folder, cases, option } = casesFrom(argv, 'meta.json', usage);
  return {
    folder,
    cases,
    tools: option('tools', 'culprit,lexical,cvise,creduce,delta,dustmite').split(','),
    seconds: Number(option('seconds', '600')),
    jobs: Number(option('jobs', '2')),
    least: Number(option('least', '0')),
    marks: option('marks', '').split(',').filter(Boolean).map(Number),
  };
}
