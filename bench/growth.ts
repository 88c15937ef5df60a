import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { peakOf } from '../test/cli/wild.js';

/**
 * npm run bench -- growth [megabytes …] [--cli <main.js>]
 * A real source file, TypeScript's own compiler, repeated to 1, 2, 4, 8 and 16 MB around one failing line: tests, seconds
 * and memory beside those of the smallest. The built command line is used.
 */
const args = process.argv.slice(2);
const main = resolve(args.includes('--cli') ? args[args.indexOf('--cli') + 1]! : 'dist/cli/main.js');
const asked = args.map(Number).filter(each => each > 0);
const sizes = asked.length > 0 ? asked : [1, 2, 4, 8, 16];
const source = readFileSync(createRequire(import.meta.url).resolve('typescript'), 'utf8').slice(0, 500_000);
const failing = 'crashHere(1, 2);\n';

interface Measured {
  readonly tests: number;
  readonly seconds: number;
  readonly bytes: number;
  readonly megabytes: number;
}

function surrounded(megabytes: number): string {
  const half = source.repeat(Math.ceil((megabytes * 500_000) / source.length)).slice(0, megabytes * 500_000);
  const lines = half.slice(0, half.lastIndexOf('\n') + 1);
  return `${lines}${failing}${lines}`;
}

async function measure(megabytes: number, cwd: string): Promise<Measured> {
  writeFileSync(join(cwd, 'large.js'), surrounded(megabytes));
  const words = ['reduce', 'large.js', '--interesting', '--json', '-j', '2', '--', 'grep', '-q', 'crashHere(1', '{}'];
  const began = performance.now();
  const child = spawn(process.execPath, [main, ...words], { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  let stdout = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data));
  let peak = 0;
  const look = setInterval(() => (peak = Math.max(peak, peakOf(child.pid!))), 20);
  await new Promise(resolve => child.on('close', resolve));
  clearInterval(look);
  const { executed, after } = JSON.parse(stdout);
  return { tests: executed, bytes: after.bytes, seconds: (performance.now() - began) / 1000, megabytes: peak };
}

console.log('    MB   bytes   tests  × first   seconds  × first   peak MB');
let first: Measured | undefined;
for (const megabytes of sizes) {
  const cwd = mkdtempSync(join(tmpdir(), 'culprit-growth-'));
  try {
    const found = await measure(megabytes, cwd);
    first ??= found;
    const cell = (value: number, width: number, digits = 0) => value.toFixed(digits).padStart(width);
    console.log(
      `${cell(megabytes, 6)}${cell(found.bytes, 8)}${cell(found.tests, 8)}${cell(found.tests / first.tests, 9, 2)}${cell(found.seconds, 10, 1)}${cell(found.seconds / first.seconds, 9, 2)}${cell(found.megabytes, 10)}`,
    );
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}
