/**
 * How soon a person sees something: the packed package, installed in an empty project, on a real terminal. All times are given beside those of
 * `node -e`, because a loaded machine delays both: `npm run build && npm run bench -- startup [--runs 15] [--node <path>]`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const args = process.argv.slice(2);
const value = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const runs = Number(value('--runs') ?? 15);
const node = value('--node') ?? process.execPath;

const folder = mkdtempSync(join(tmpdir(), 'culprit-startup-'));
try {
  const npm = (...words: readonly string[]) =>
    execFileSync('npm', [...words, '--loglevel', 'error'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [{ filename }] = JSON.parse(npm('pack', '--json', '--ignore-scripts', '--pack-destination', folder));
  writeFileSync(join(folder, 'package.json'), '{}');
  npm('install', '--prefer-offline', '--no-audit', '--no-fund', '--prefix', folder, join(folder, filename));
  writeFileSync(join(folder, 'a.txt'), 'a\nBOOM\n');
  await measure(join(folder, 'node_modules/culprit/dist/cli/main.js'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(main: string): Promise<void> {
  const reduce = `${node} ${main} reduce a.txt -- sleep 0.4`;
  const cases: readonly [name: string, command: string, shown: RegExp][] = [
    ['node -e prints a word', `${node} -e 'process.stderr.write("x")'`, /x/],
    ['the first line of reduce', reduce, /starting/],
    ['the first run is under way', reduce, /the first run/],
    ['culprit --version', `${node} ${main} --version`, /\d/],
    ['culprit reduce --help', `${node} ${main} reduce --help`, /Usage/],
  ];
  const times = cases.map(() => [] as number[]);
  // In turn, so that a load that comes and goes meets all of them.
  for (let i = 0; i < runs; i++)
    for (const [k, [, command, shown]] of cases.entries()) times[k]!.push(await millisecondsUntil(shown, command));
  const [bare = 0] = times.map(median);
  console.log(`| on the screen | fastest, ms | median, ms | × node -e |\n|---|---|---|---|`);
  for (const [k, [name]] of cases.entries())
    console.log(
      `| ${name} | ${Math.min(...times[k]!).toFixed(0)} | ${median(times[k]!).toFixed(0)} | ${(median(times[k]!) / bare).toFixed(1)} |`,
    );
}

/** `script` gives the command a terminal. The clock starts before it. */
function millisecondsUntil(shown: RegExp, command: string): Promise<number> {
  const { CI: _, ...env } = process.env;
  const began = performance.now();
  const child = spawn('script', ['-qfec', `stty cols 80 rows 24; exec ${command}`, '/dev/null'], {
    cwd: folder,
    env: { ...env, TERM: 'xterm-256color', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let text = '';
  let at = Number.NaN;
  child.stdout.on('data', data => {
    text += data;
    if (Number.isNaN(at) && shown.test(text)) at = performance.now() - began;
  });
  return new Promise(resolve => child.on('close', () => resolve(at)));
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
