/**
 * npm run bench -- hostile [runs <n>] [files <n>] [--cli <main.js>]
 * Tests that hang, fork, leave their session, flood and destroy (10,000 runs), and damaged files of every format (20,000): no
 * process and no folder is left, each file is read or refused in a sentence, and no damaged journal or certificate is accepted. CI
 * runs a tenth (test/cli/hygiene.test.ts, test/damaged/damaged-files.test.ts).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { runWild } from '../test/cli/wild.js';
import { formatsIn, readDamaged } from '../test/damaged/formats.js';

const args = process.argv.slice(2);
const value = (name: string, usual: number): number =>
  Number(args.includes(name) ? args[args.indexOf(name) + 1] : usual);
const main = resolve(args.includes('--cli') ? args[args.indexOf('--cli') + 1]! : 'dist/cli/main.js');
/** Tests of one run: a longer input would make the search, and not the tests, take the time. */
const perRun = 500;
/** What is let through does not depend on the size of a flood or the length of a hang, but one run in ten makes sure of that. */
const small = { flood: 2_000_000, timeout: 0.2, memory: 64 };
const large = { flood: 100_000_000, timeout: 0.5, memory: 256 };
const root = mkdtempSync(join(tmpdir(), 'culprit-hostile-'));
let broken = 0;
try {
  files(value('files', 20_000));
  await runs(value('runs', 10_000));
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.exit(broken === 0 ? 0 : 1);

function files(count: number): void {
  const formats = formatsIn(process.cwd(), root);
  const each = Math.ceil(count / formats.length);
  for (const [i, format] of formats.entries()) {
    try {
      const { read, refused } = readDamaged(format, each, 1000 + i);
      console.log(`${each} damaged files (${format.name}): ${read} read, ${refused} refused in a sentence`);
    } catch (error) {
      broken++;
      console.log(`${format.name}: ${(error as Error).message}`);
    }
  }
}

async function runs(count: number): Promise<void> {
  let [tests, processes, folders, peak] = [0, 0, 0, 0];
  for (let i = 0; tests < count; i++) {
    const asked = Math.min(perRun, count - tests);
    const wild = await runWild({
      main,
      cwd: join(root, `run${i}`),
      tests: asked,
      jobs: 4,
      ...(i % 10 === 0 ? large : small),
    });
    tests += Number(wild.json.executed ?? 0);
    processes += wild.processes.length;
    folders += wild.folders.length;
    peak = Math.max(peak, wild.peak);
    if (wild.code !== 0 && wild.code !== 3) {
      broken++;
      console.log(`culprit ended with ${wild.code}:\n${wild.stderr.split('\n').slice(-12).join('\n')}`);
      break;
    }
    console.log(
      `${tests} hostile tests; processes left: ${processes}; folders left: ${folders}; peak ${peak.toFixed(0)} MB`,
    );
  }
  if (processes + folders > 0) broken++;
}
