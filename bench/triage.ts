/**
 * Triage against ground truth: `npm run bench -- triage [files]`. A calculator with 20 planted defects and a frozen folder of crashes
 * (bench/triage/): are two defects ever in one variant, how many groups are there, and how many tests does it take?
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crashes, defects } from './triage/generate.js';
import { scoreOf } from './triage/score.js';

const count = Number(process.argv[2] ?? 500);
/** How many files are reduced one by one, to know what reducing every file would cost. */
const sampled = 10;
const root = fileURLToPath(new URL('../..', import.meta.url));
const main = join(root, 'dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'culprit-triage-'));
const culprit = (...args: readonly string[]) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`culprit ${args.join(' ')} ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
};

try {
  execFileSync(process.execPath, [join(root, 'scripts/build.js')], { cwd: root });
  const source = join(root, 'bench/triage/target.c');
  execFileSync('gcc', ['-O0', '-g', '-rdynamic', '-o', join(folder, 'target'), source]);
  execFileSync('gcc', ['-O0', '-DTRUTH', '-o', join(folder, 'truth'), source]);
  mkdirSync(join(folder, 'crashes'));
  const all = crashes(count);
  for (const { name, text } of all) writeFileSync(join(folder, 'crashes', name), text);
  for (const { name, defect } of all) {
    const said = execFileSync(join(folder, 'truth'), [join(folder, 'crashes', name)], { encoding: 'utf8' });
    if (!said.endsWith(`\ndefect ${defect}\n`)) throw new Error(`${name} does not hit defect ${defect}.`);
  }
  const triage = culprit('triage', 'crashes', '--json', '--', './target', '{}');
  const score = scoreOf(triage, all);
  const step = Math.max(1, Math.floor(count / sampled));
  const sample = all.filter((_, i) => i % step === 0).slice(0, sampled);
  const single = sample.map(
    ({ name }) => culprit('reduce', `crashes/${name}`, '--json', '--', './target', '{}').executed,
  );
  const each = single.reduce((sum, n) => sum + n, 0) / single.length;
  console.log(`${count} files, ${defects} defects`);
  console.log(`groups             ${score.groups}  (${(score.groups / defects).toFixed(2)} × defects)`);
  console.log(`variants           ${score.variants}  (${score.mixed} with two defects in them)`);
  console.log(`tests              ${triage.executed}  in ${triage.seconds} s`);
  console.log(`reducing each file ${Math.round(each * count)}  (${Math.round(each)} for each of ${sample.length})`);
  console.log(`share              ${((100 * triage.executed) / (each * count)).toFixed(1)} %`);
} finally {
  rmSync(folder, { recursive: true });
}
