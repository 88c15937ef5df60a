/**
 * How fast a text gets small, beside another build of culprit: the area under the curve of sizes.
 *   npm run bench -- curve <folder of cases> --beside <other/dist/cli/main.js> [--cases a,b] [--seconds 60] [--tests 100] [--jobs 1]
 * Both builds reduce the same input at the same time, so that a busy machine slows both. The area is the
 * mean size as a part of the original: over these seconds, and over the first tests, which no load changes. A build that has
 * ended stays at its result.
 */
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { casesFrom } from './cases/cases.js';

const usage =
  'npm run bench -- curve <folder> --beside <dist/cli/main.js> [--cases a,b] [--seconds 60] [--tests 100] [--jobs 1]';
const { folder, cases, option } = casesFrom(process.argv.slice(2), 'test.sh', usage);
const other = option('beside', '');
const seconds = Number(option('seconds', '60'));
const tests = Number(option('tests', '100'));
const jobs = option('jobs', '1');
if (!other) {
  console.error(`Beside which build? ${usage}`);
  process.exit(2);
}

/** A test: when it ended, and the size of its text if that failed. */
interface Tested {
  readonly at: number;
  readonly size: number;
}

interface Curve {
  readonly whole: number;
  readonly tested: readonly Tested[];
}

async function reduce(name: string, cli: string): Promise<Curve> {
  const source = join(folder, name);
  const input = readdirSync(source).find(file => file.startsWith('input'))!;
  const place = mkdtempSync(join(tmpdir(), 'culprit-bench-'));
  const log = join(place, 'tests.log');
  try {
    cpSync(join(source, input), join(place, input), { recursive: true });
    writeFileSync(join(place, 'test.sh'), logging(join(source, 'test.sh'), input, log), { mode: 0o755 });
    appendFileSync(log, '');
    const words = [
      'reduce',
      input,
      '--interesting',
      '--quiet',
      '--no-format',
      '-j',
      jobs,
      '--max-time',
      String(seconds),
    ];
    const began = Date.now() / 1000;
    await new Promise(ended =>
      spawn(process.execPath, [cli, ...words, '-o', 'out.reduced', '--', join(place, 'test.sh')], {
        cwd: place,
        stdio: 'ignore',
      }).on('close', ended),
    );
    const tested = readFileSync(log, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map(line => line.split(' ').map(Number))
      .map(([time, status, size]) => ({ at: time! - began, size: status === 0 ? size! : Number.POSITIVE_INFINITY }));
    const original = statSync(join(source, input));
    return { whole: original.isDirectory() ? tested[0]!.size : original.size, tested };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const sizeAt = ({ whole, tested }: Curve, mark: number): number =>
  tested.reduce((least, { at, size }) => (at <= mark ? Math.min(least, size) : least), whole);

/** `moment`: where on the axis a test is. */
function area({ whole, tested }: Curve, width: number, moment: (tested: Tested, i: number) => number): number {
  let [sum, from, least] = [0, 0, whole];
  for (const [i, each] of tested.entries()) {
    const at = moment(each, i);
    if (each.size >= least || at >= width) continue;
    sum += (at - from) * least;
    [from, least] = [at, each.size];
  }
  return (sum + (width - from) * least) / (whole * width);
}

/** The test, with a line of time, status and size. */
const logging = (test: string, input: string, log: string): string =>
  [
    '#!/bin/bash',
    `'${test}'`,
    'status=$?',
    `size=$(find '${input}' -type f -printf '%s\\n' | awk '{ s += $1 } END { print s + 0 }')`,
    `echo "$EPOCHREALTIME $status $size" >> '${log}'`,
    'exit $status',
    '',
  ].join('\n');

const sums = { seconds: [0, 0], tests: [0, 0] };
const ratio = ([now, before]: readonly number[]): string =>
  `${now!.toFixed(3)} beside ${before!.toFixed(3)} (× ${(now! / before!).toFixed(2)})`;
for (const name of cases) {
  const curves = await Promise.all([reduce(name, resolve('dist/cli/main.js')), reduce(name, resolve(other))]);
  const bySeconds = curves.map(curve => area(curve, seconds, ({ at }) => at));
  const byTests = curves.map(curve => area(curve, tests, (_, i) => i));
  for (const side of [0, 1]) {
    sums.seconds[side]! += bySeconds[side]! / cases.length;
    sums.tests[side]! += byTests[side]! / cases.length;
  }
  const marks = curves.map(curve => [10, 30, seconds].map(mark => sizeAt(curve, mark)).join(', '));
  console.log(
    `${name.padEnd(28)} by seconds ${ratio(bySeconds)}, by tests ${ratio(byTests)}, after 10, 30, ${seconds} s: ${marks.join(' beside ')}`,
  );
}
console.log(`${'mean'.padEnd(28)} by seconds ${ratio(sums.seconds)}, by tests ${ratio(sums.tests)}`);
