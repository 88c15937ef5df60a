/**
 * Which pass spends how many tests, and what it gains, on one worker.
 *   npm run bench -- passes quality [--cases c,rust] [--rows] [--level lexical]     the samples of test/quality
 *   npm run bench -- passes <folder> [--cases a,b] [--rows] [--cache <folder>]      a folder of real failing inputs (see corpus.ts)
 * With --cache, verdicts of test.sh are kept between runs, so that a changed search only runs what was never tested before.
 * The numbers of tests do not depend on it. With --rows, every run of a pass has its own line; with --most 400, a search ends
 * after 400 tests; with --seconds 60, after a minute. With --results <folder>, the results are kept there. A case whose input
 * is a folder is reduced as a folder, under that name.
 */
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Artifact, bytesOf } from '../src/core/artifact.js';
import { all, minus, type Outcome } from '../src/core/index.js';
import { Counter } from '../src/engine/index.js';
import type { Pass } from '../src/plans/pass.js';
import { type Level, reducePasses } from '../src/plans/reduce/passes.js';
import { simplify } from '../src/plans/simplify.js';
import { identify, identifyIgnoringWhitespace } from '../src/sources/files.js';
import { cases as samples } from '../test/quality/languages.js';

type Test = (artifact: Artifact) => Outcome;

interface Row {
  readonly pass: string;
  readonly round: number;
  readonly before: number;
  tests: number;
  proof: number;
  after: number;
  /** Seconds of wall time, and of our own processor time. */
  wall: number;
  own: number;
  /** Tests after the last success of the run. */
  late: number;
}

interface Run {
  readonly rows: readonly Row[];
  readonly bytes: number;
  readonly tests: number;
  readonly text: string;
  /** Tests after the last one that made the result smaller. */
  readonly idle: number;
  /** Tests that the claim needs at least: one for each artifact with one node, line, token or character less. */
  readonly claim: number;
  readonly seconds: number;
  /** Bytes after each number of tests in `marks`. */
  readonly curve: readonly number[];
  /** The same after each number of seconds in `secondMarks`. */
  readonly timeCurve: readonly number[];
}

const words = process.argv.slice(2);
const option = (name: string): string | undefined => {
  const at = words.indexOf(`--${name}`);
  return at < 0 ? undefined : words[at + 1];
};
const wanted = option('cases')?.split(',');
const level = option('level') as Level | undefined;
const most = Number(option('most') ?? Infinity);
const marks = [10, 25, 50, 100, 150, 200, 300, 400, 600, 800];
const secondMarks = [10, 30, 60, 120];
const longest = Number(option('seconds') ?? Infinity);
const isWanted = (name: string): boolean => wanted === undefined || wanted.some(each => name.includes(each));

async function run(artifact: Artifact, test: Test): Promise<Run> {
  const counter = new Counter();
  const rows: Row[] = [];
  const curve: number[] = [];
  const timeCurve: number[] = [];
  let smallest = bytesOf(artifact);
  let last = 0;
  let testing = 0;
  const began = process.cpuUsage();
  const start = performance.now();
  const elapsed = (): number => (performance.now() - start) / 1000;
  const own = (): number => (total(process.cpuUsage(began)) - testing) / 1e6;
  let passWall = 0;
  let passOwn = 0;
  const passes = await reducePasses(artifact, level === undefined ? {} : { level });
  const search = simplify(
    artifact,
    passes,
    async candidate => {
      const before = process.cpuUsage();
      const outcome = test(candidate);
      testing += total(process.cpuUsage(before));
      return { outcome };
    },
    {
      identify,
      identifyIgnoringWhitespace,
      measure: bytesOf,
      counter,
      maxTests: most,
      outOfTime: () => elapsed() > longest,
    },
  );
  let spent = 0;
  for (;;) {
    const step = await search.next();
    if (step.done) {
      const seconds = own();
      const { artifact: result } = step.value;
      const idle = counter.spent - last;
      // What a search that was stopped would have had to prove is of no interest, and takes minutes for a large text.
      const claim = step.value.ended === 'done' ? await claimOf(result, passes) : 0;
      return {
        rows,
        bytes: bytesOf(result),
        tests: counter.spent,
        text: textOf(result),
        idle,
        claim,
        seconds,
        curve,
        timeCurve,
      };
    }
    const event = step.value;
    const row = rows.at(-1);
    while (elapsed() > (secondMarks[timeCurve.length] ?? Infinity)) timeCurve.push(smallest);
    if (row) {
      row.wall += elapsed() - passWall;
      row.own += own() - passOwn;
    }
    passWall = elapsed();
    passOwn = own();
    while (counter.spent > (marks[curve.length] ?? Infinity)) curve.push(smallest);
    if (event.type === 'pass')
      rows.push({ ...event, before: event.bytes!, after: event.bytes!, tests: 0, proof: 0, late: 0, wall: 0, own: 0 });
    if (event.type === 'answered' && row) {
      row.tests += counter.spent - spent;
      row.late += counter.spent - spent;
      if (event.proof) row.proof += counter.spent - spent;
      spent = counter.spent;
    }
    if (event.type === 'reduced' && row) {
      row.after = event.size.bytes!;
      if (row.after < smallest) {
        smallest = row.after;
        last = counter.spent;
        for (const each of rows) each.late = 0;
      }
    }
  }
}

async function claimOf(result: Artifact, passes: readonly Pass<Artifact>[]): Promise<number> {
  const names = new Set<string>();
  for (const pass of passes.filter(({ proves }) => proves !== undefined)) {
    const circumstance = await pass.over(result);
    for (let i = 0; i < (circumstance?.count ?? 0); i++) {
      const smaller = circumstance!.build(minus(all(circumstance!.count), [i]));
      if (smaller) names.add(identify(smaller));
    }
  }
  return names.size;
}

const textOf = ({ files }: Artifact): string =>
  [...files.values()].map(entry => (entry.kind === 'file' ? Buffer.from(entry.bytes).toString() : '')).join('\n');

const total = ({ user, system }: NodeJS.CpuUsage): number => user + system;

/** The input of a case: one file, or the files of a folder. */
function inputOf(folder: string): Artifact {
  const name = readdirSync(folder).find(each => each === 'input' || each.startsWith('input.'))!;
  const paths =
    name === 'input' ? readdirSync(join(folder, name), { recursive: true, withFileTypes: true }) : undefined;
  const root = folder;
  const files = paths
    ?.filter(each => each.isFile())
    .map(each => join(each.parentPath, each.name).slice(root.length + 1));
  return {
    files: new Map(
      (files ?? [name]).sort().map(path => [path, { kind: 'file', bytes: readFileSync(join(root, path)) }] as const),
    ),
  };
}

/** The test of a case, with the verdicts of earlier runs. */
function scriptOf(folder: string, cache: string | undefined): Test & { close(): void } {
  const place = mkdtempSync(join(tmpdir(), 'culprit-bench-'));
  const log = cache && join(cache, `${folder.split('/').at(-1)}.txt`);
  const known = new Map<string, Outcome>();
  if (log && existsSync(log))
    for (const line of readFileSync(log, 'utf8').split('\n'))
      known.set(line.slice(2), line[0] === 'f' ? 'fail' : 'pass');
  const test: Test = artifact => {
    const name = identify(artifact);
    const before = known.get(name);
    if (before) return before;
    for (const each of readdirSync(place)) rmSync(join(place, each), { recursive: true, force: true });
    for (const [path, entry] of artifact.files) {
      mkdirSync(dirname(join(place, path)), { recursive: true });
      if (entry.kind === 'file') writeFileSync(join(place, path), entry.bytes);
    }
    const { status } = spawnSync(join(folder, 'test.sh'), [], { cwd: place, stdio: 'ignore' });
    const outcome = status === 0 ? 'fail' : 'pass';
    known.set(name, outcome);
    if (log) appendFileSync(log, `${outcome[0]} ${name}\n`);
    return outcome;
  };
  return Object.assign(test, { close: () => rmSync(place, { recursive: true, force: true }) });
}

const results = option('results');
if (results) mkdirSync(results, { recursive: true });
const runs: { readonly name: string; readonly run: Run }[] = [];
function show(name: string, done: Run): void {
  runs.push({ name, run: done });
  if (results) writeFileSync(join(results, name), done.text);
  const { bytes, tests, idle, claim, seconds, text, curve, timeCurve } = done;
  console.log(
    `${name.padEnd(30)} ${String(bytes).padStart(6)} bytes ${String(tests).padStart(5)} tests, ${String(idle).padStart(4)} after the last success (claim ${claim}), ${seconds.toFixed(1).padStart(5)} s own  ${JSON.stringify(text.slice(0, 100))}`,
  );
  const bends = curve.map((each, i) => `${each} after ${marks[i]}`);
  bends.push(...timeCurve.map((each, i) => `${each} after ${secondMarks[i]} s`));
  if (bends.length > 0) console.log(`    ${bends.join(', ')}`);
  if (words.includes('--rows'))
    for (const row of done.rows)
      if (row.tests > 0 || row.own > 0.5)
        console.log(
          `    ${String(row.round).padStart(3)} ${row.pass.padEnd(28)} ${String(row.tests).padStart(5)} tests (${row.proof} proof) ${row.before} → ${row.after}, ${row.wall.toFixed(1)} s, ${row.own.toFixed(1)} s own`,
        );
}

if (words[0] === 'quality') {
  const source = resolve('test/quality/samples');
  for (const { language, file, fails } of samples.filter(({ language }) => isWanted(language))) {
    const isFailing = await fails();
    const bytes = readFileSync(join(source, `${language}.txt`));
    const sample: Artifact = { files: new Map([[file, { kind: 'file', bytes }]]) };
    show(language, await run(sample, candidate => (isFailing(textOf(candidate)) ? 'fail' : 'pass')));
  }
} else {
  const folder = resolve(words[0] ?? '');
  const cache = option('cache');
  if (cache) mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(folder).filter(each => existsSync(join(folder, each, 'test.sh')) && isWanted(each))) {
    const test = scriptOf(join(folder, name), cache);
    try {
      show(name, await run(inputOf(join(folder, name)), test));
    } finally {
      test.close();
    }
  }
}

const sums = new Map<string, { tests: number; gain: number; share: number; idle: number; late: number }>();
for (const { run: done } of runs)
  for (const row of done.rows) {
    const name = row.pass.replace(/ \d+–\d+$/, '');
    const sum = sums.get(name) ?? { tests: 0, gain: 0, share: 0, idle: 0, late: 0 };
    sum.tests += row.tests;
    sum.late += row.late;
    sum.gain += row.before - row.after;
    sum.share += row.before > row.after ? 100 * Math.log2(row.before / Math.max(1, row.after)) : 0;
    sum.idle += row.after === row.before ? row.tests : 0;
    sums.set(name, sum);
  }
const tests = runs.reduce((sum, { run: done }) => sum + done.tests, 0);
console.log(`\npass                            tests  without gain  after the last success     bytes   halvings`);
for (const [name, { tests, gain, share, idle, late }] of [...sums].sort((a, b) => b[1].tests - a[1].tests))
  console.log(
    `${name.padEnd(30)} ${String(tests).padStart(6)} ${String(idle).padStart(13)} ${String(late).padStart(23)} ${String(gain).padStart(9)} ${(share / 100).toFixed(2).padStart(10)}`,
  );
const after = runs.reduce((sum, { run: { idle } }) => sum + idle, 0);
const claim = runs.reduce((sum, { run: done }) => sum + done.claim, 0);
const bytes = runs.reduce((sum, { run: done }) => sum + done.bytes, 0);
console.log(
  `${runs.length} runs: ${bytes} bytes, ${tests} tests, ${after} of them after the last success (claim ${claim})`,
);
