import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { preventing } from '../../../src/circumstances/options/prevent.js';
import { all, type Circumstance, deltasOf, invert, type Outcome, runInOrder } from '../../../src/core/index.js';
import { candidatesInFile, candidatesInHelp } from '../../../src/sources/command-line/candidates.js';
import { ddmin } from '../../../src/strategies/index.js';
import { preventions } from '../../../src/strategies/prevent.js';

const folder = fileURLToPath(new URL('../../../examples/compiler-options/', import.meta.url));
const noClang = !existsSync('/usr/bin/clang-16') && !process.env.CI;
const noGcc = !existsSync('/usr/bin/gcc') && !process.env.CI;

/** The crash, and only the crash, is the failure; a compiler that refuses its options is not judged. */
function crashes(args: readonly string[]): Outcome {
  const { status, stderr } = spawnSync('clang-16', args, { cwd: folder, encoding: 'utf8' });
  if (stderr.includes('X86 Domain Reassignment')) return 'fail';
  return status === 0 ? 'pass' : 'unresolved';
}
const outcomeOf = (circumstance: Circumstance<readonly string[]>) => (configuration: readonly number[]) => {
  const args = circumstance.build(configuration);
  return args ? crashes(args) : 'unresolved';
};

test.skipIf(noClang)('the options that prevent the crash of clang 16 are found one by one (needs clang-16)', () => {
  const base = '-Og -march=skylake-avx512 -fexperimental-isel -fno-crash-diagnostics -w -S filter.c -o /dev/null'.split(
    ' ',
  );
  const candidates = candidatesInFile(readFileSync(`${folder}try.txt`, 'utf8'), 'try.txt');
  const circumstance = preventing(base, candidates);
  const ask = outcomeOf(circumstance);
  const { result, transcript } = runInOrder(preventions(ddmin()), all(candidates.length), each => invert(ask(each)));
  console.info(`prevent: ${candidates.length} candidates, ${result.length} preventions, ${transcript.length} tests`);
  const found = result.map(set => [...deltasOf(set)].map(delta => circumstance.describe!(delta)).join(' + '));
  expect(found).toContain('-mno-avx512bw');
  expect(found).toContain('-ftrapv');
  expect(found).not.toContain('-fPIC');
  for (const set of result) expect(ask(set)).toBe('pass');
});

test.skipIf(noGcc)("gcc's own help names over a hundred optimisations to try (needs gcc)", () => {
  const candidates = candidatesInHelp(
    execFileSync('gcc', ['-O2', '-Q', '--help=optimizers'], { encoding: 'utf8' }),
    'gcc -O2',
  );
  expect(candidates.length).toBeGreaterThan(100);
  expect(candidates).toContainEqual(['-fno-gcse']);
  expect(candidates).toContainEqual(['-funroll-loops']);
});
