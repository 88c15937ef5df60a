/**
 * How fast a text gets small, beside another build of culprit: the area under the curve of sizes.
 *   npm run bench -- curve <folder of cases> --beside <other/dist/cli/main.js> [--cases a,b] [--seconds 60]
 * Both builds reduce the same input at the same time, each with one worker, so that a busy machine slows both. The area is the
 * mean size over these seconds, as a part of the original; a build that has ended stays at its result.
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

const usage = 'npm run bench -- curve <folder> --beside <dist/cli/main.js> [--cases a,b] [--seconds 60]';
const { folder, cases, option } = casesFrom(process.argv.slice(2), 'test.sh', usage);
const other = option('beside', '');
const seconds = Number(option('seconds', '60'));
if (!other) {
  console.error(`Beside which build? ${usage}`);
  process.exit(2);
}

/** A text that failed, and when. */
interface Point {
  readonly at: number;
  readonly size: number;
}

async function curve(name: string, cli: string): Promise<{ readonly area: number; readonly marks: readonly number[] }> {
  const source = join(folder, name);
  const input = readdirSync(source).find(file => file.startsWith('input'))!;
  const place = mkdtempSync(join(tmpdir(), 'culprit-bench-'));
  const log = join(place, 'failing.log');
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
      '1',
      '--max-time',
      String(seconds),
    ];
    const began = Date.now() / 1000;
    await new Promise(resolve =>
      spawn(process.execPath, [cli, ...words, '-o', 'out.reduced', '--', join(place, 'test.sh')], {
        cwd: place,
        stdio: 'ignore',
      }).on('close', resolve),
    );
    const points = readFileSync(log, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map(line => line.split(' ').map(Number))
      .map(([time, size]): Point => ({ at: time! - began, size: size! }));
    const whole = statSync(join(source, input)).isDirectory()
      ? (points[0]?.size ?? 1)
      : statSync(join(source, input)).size;
    return { area: area(points, whole), marks: [10, 30, seconds].map(mark => sizeAt(points, whole, mark)) };
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

const sizeAt = (points: readonly Point[], whole: number, mark: number): number =>
  points.reduce((least, { at, size }) => (at <= mark ? Math.min(least, size) : least), whole);

function area(points: readonly Point[], whole: number): number {
  let [sum, from, least] = [0, 0, whole];
  for (const { at, size } of points) {
    if (size >= least || at >= seconds) continue;
    sum += (at - from) * least;
    [from, least] = [at, size];
  }
  return (sum + (seconds - from) * least) / (whole * seconds);
}

/** The test, with a line of time and size for each text that fails. */
const logging = (test: string, input: string, log: string): string =>
  [
    '#!/bin/bash',
    `'${test}'`,
    'status=$?',
    `[ $status = 0 ] && echo "$EPOCHREALTIME $(find '${input}' -type f -printf '%s\\n' | awk '{ s += $1 } END { print s + 0 }')" >> '${log}'`,
    'exit $status',
    '',
  ].join('\n');

let [own, others, counted] = [0, 0, 0];
for (const name of cases) {
  const [now, before] = await Promise.all([curve(name, resolve('dist/cli/main.js')), curve(name, resolve(other))]);
  const ratio = now.area / before.area;
  [own, others, counted] = [own + now.area, others + before.area, counted + 1];
  console.log(
    `${name.padEnd(30)} area ${now.area.toFixed(4)} beside ${before.area.toFixed(4)} (× ${ratio.toFixed(2)})  after 10, 30, ${seconds} s: ${now.marks.join(', ')} beside ${before.marks.join(', ')}`,
  );
}
console.log(
  `mean area of ${counted}: ${(own / counted).toFixed(4)} beside ${(others / counted).toFixed(4)} (× ${(own / others).toFixed(2)})`,
);
