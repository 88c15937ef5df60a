/**
 * `npm run bench -- tests [name…]`: order-dependent tests in published packages, from which one line that cleans up was removed.
 * How often culprit starts the runner, beside how often a bisection does. Needs python3 with pytest and numpy, and rspec; fetches
 * packages with npm and pip.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Arrangement, TestName } from '../src/circumstances/tests.js';
import { chooseRunner } from '../src/oracle/test-runners/index.js';
import type { TestResult } from '../src/oracle/test-runners/types.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'dist/cli/main.js');
if (!existsSync(cli)) throw new Error('Run `npm run build` first: the command line is measured as it is published.');
const scratch = mkdtempSync(join(tmpdir(), 'culprit-bench-'));

interface Case {
  readonly name: string;
  /** Makes the project; returns its folder. */
  fetch(): string;
  readonly command: readonly string[];
  /** The line that cleans up, and the file it is removed from. */
  readonly removed?: { readonly file: string; readonly line: string };
  /** Checked by hand: the test that the victim fails after. */
  readonly polluter: string;
  readonly peer: (cwd: string, victim: TestName, command: readonly string[]) => { how: string; runs: number };
}

const cases: readonly Case[] = [
  {
    name: 'numeral 2.0.6, mocha',
    fetch: () => npmPackage('numeral', '2.0.6', ['chai@3.5.0', 'mocha@12']),
    command: ['npx', 'mocha', '--recursive', 'tests'],
    removed: { file: 'tests/locales/vi.js', line: '        numeral.reset();\n' },
    polluter: 'tests/locales/vi.js › Locale: vi › ',
    peer: bisectedAsRspecDoes,
  },
  {
    name: 'zod 4.1.12, vitest',
    fetch: () => npmPackage('zod', '4.1.12', []),
    command: ['npx', 'vitest', 'run', '--no-isolate', '--dir', 'src/v4/classic'],
    removed: { file: 'src/v4/classic/tests/error.test.ts', line: '  z.config({ customError: undefined });\n' },
    polluter: 'src/v4/classic/tests/error.test.ts › z.config customError ',
    peer: bisectedAsRspecDoes,
  },
  {
    name: 'joblib 1.6.0, pytest',
    fetch: () => pipPackage('joblib', '1.6.0'),
    command: ['python3', '-m', 'pytest', '-q', 'joblib/test/test_numpy_pickle.py', 'joblib/test/test_func_inspect.py'],
    removed: { file: 'joblib/test/test_numpy_pickle.py', line: '    _COMPRESSORS.pop(compressor_name)\n' },
    polluter: 'joblib/test/test_numpy_pickle.py › test_register_compressor',
    peer: bisectedAsDetectTestPollutionDoes,
  },
  {
    name: 'made: 124 examples in 62 files, RSpec',
    fetch: madeSpecs,
    command: ['rspec'],
    polluter: 'spec/s17_spec.rb › s17 › logs in',
    peer: bisectedByRspec,
  },
];

function npmPackage(name: string, version: string, needs: readonly string[]): string {
  execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: scratch });
  const cwd = join(scratch, name);
  mkdirSync(cwd);
  execFileSync('tar', ['xzf', `../${name}-${version}.tgz`, '--strip-components=1'], { cwd });
  if (needs.length > 0) {
    writeFileSync(join(cwd, 'package.json'), '{}');
    execFileSync('npm', ['install', '--silent', '--no-save', '--ignore-scripts', ...needs], { cwd });
  } else symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
  return cwd;
}

function pipPackage(name: string, version: string): string {
  const cwd = join(scratch, name);
  mkdirSync(cwd);
  execFileSync('python3', ['-m', 'pip', 'download', '-q', '--no-deps', '-d', scratch, `${name}==${version}`]);
  execFileSync('python3', ['-m', 'zipfile', '-e', join(scratch, `${name}-${version}-py3-none-any.whl`), cwd]);
  return cwd;
}

function madeSpecs(): string {
  const cwd = join(scratch, 'specs');
  mkdirSync(join(cwd, 'spec'), { recursive: true });
  writeFileSync(join(cwd, 'session.rb'), 'class Session; class << self; attr_accessor :user; end; end\n');
  for (let n = 10; n < 72; n++) {
    const body = n === 17 ? "Session.user = 'ann'" : n === 66 ? 'expect(Session.user).to be_nil' : '';
    const title = n === 17 ? 'logs in' : 'works';
    const text = `require './session'\nRSpec.describe('s${n}') { it('waits') {}\nit('${title}') { ${body} } }\n`;
    writeFileSync(join(cwd, `spec/s${n}_spec.rb`), text);
  }
  return cwd;
}

/** Runs the suite, or these tests of it, in place; returns how each test ended. */
function results(cwd: string, command: readonly string[], arrangement?: Arrangement): readonly TestResult[] {
  const { runner, called } = chooseRunner(command, cwd);
  const out = join(scratch, 'results.jsonl');
  rmSync(out, { force: true });
  writeFileSync(join(scratch, 'plan.json'), JSON.stringify({ home: cwd, results: out, arrangement }));
  const [program, ...args] = runner.argv(called, arrangement);
  const env = { ...process.env, ...runner.env, CULPRIT_TESTS: join(scratch, 'plan.json') };
  spawnSync(program!, args, { cwd, stdio: 'ignore', env });
  const lines = existsSync(out) ? readFileSync(out, 'utf8').trim().split('\n') : [];
  return lines.map(line => JSON.parse(line)).filter(({ name }) => name !== undefined);
}

const same = (a: TestName, b: TestName) => a.file === b.file && a.name === b.name;

/** A suite as a bisection sees it: the tests in order, and whether the victim fails with some of them. */
function bisected(cwd: string, victim: TestName, command: readonly string[]) {
  const all = results(cwd, command);
  let runs = 1;
  const files = [...new Set(all.map(({ file }) => file))];
  const fails = (tests: readonly TestName[]): boolean => {
    runs++;
    const chosen = all.filter(test => same(test, victim) || tests.some(each => same(each, test)));
    const arrangement = files
      .map(file => ({ file, tests: chosen.filter(test => test.file === file).map(({ name }) => name) }))
      .filter(({ tests }) => tests.length > 0);
    return results(cwd, command, arrangement).some(test => same(test, victim) && test.state === 'failed');
  };
  return { others: all.filter(test => !same(test, victim)), fails, runs: () => runs };
}

/** The procedure of detect-test-pollution: list the tests, the victim alone, with all, halves, the last one once more. */
function bisectedAsDetectTestPollutionDoes(cwd: string, victim: TestName, command: readonly string[]) {
  const { others, fails, runs } = bisected(cwd, victim, command);
  fails([]);
  fails(others);
  let left: readonly TestName[] = others;
  while (left.length > 1) {
    const [first, second] = halves(left, Math.floor(left.length / 2));
    left = fails(first) ? first : second;
  }
  fails(left);
  return { how: "detect-test-pollution's procedure", runs: runs() };
}

/** The procedure of rspec --bisect: all, the failing tests alone, then a half is ignored if the failure stays without it. */
function bisectedAsRspecDoes(cwd: string, victim: TestName, command: readonly string[]) {
  const { others, fails, runs } = bisected(cwd, victim, command);
  let remaining = others.filter(({ state }) => state === 'passed');
  fails([]);
  const over = (candidates: readonly TestResult[]): void => {
    if (candidates.length < 2) return;
    const parts = halves(candidates, Math.ceil(candidates.length / 2));
    const ignored = parts.find(part => fails(remaining.filter(test => !part.includes(test))));
    if (!ignored) {
      for (const part of parts) over(part);
      return;
    }
    remaining = remaining.filter(test => !ignored.includes(test));
    over(candidates.filter(test => !ignored.includes(test)));
  };
  over(remaining);
  return { how: "rspec --bisect's procedure", runs: runs() };
}

const halves = <Item>(items: readonly Item[], at: number) => [items.slice(0, at), items.slice(at)] as const;

/** rspec itself; each run of it leaves a mark. */
function bisectedByRspec(cwd: string) {
  const marks = join(scratch, 'marks');
  writeFileSync(
    join(cwd, 'count.rb'),
    `RSpec.configure { |c| c.before(:suite) { File.write('${marks}', '.', mode: 'a') } }\n`,
  );
  spawnSync('rspec', ['--require', './count.rb', '--order', 'defined', '--bisect'], { cwd, stdio: 'ignore' });
  return { how: 'rspec --bisect', runs: readFileSync(marks, 'utf8').length };
}

interface Found {
  readonly before: { readonly deltas: number };
  readonly test: TestName;
  readonly needs: readonly TestName[];
  readonly leaves: readonly { readonly kind: string; readonly name: string }[];
  readonly runs: number;
}

function ask(cwd: string, command: readonly string[], jobs: number): Found {
  const words = [cli, 'tests', '--json', '--quiet', '-j', String(jobs), '--run', join(scratch, `run-${jobs}`)];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...words, '--', ...command], {
    cwd,
    encoding: 'utf8',
  });
  rmSync(join(scratch, `run-${jobs}`), { recursive: true, force: true });
  if (status !== 0) throw new Error(`culprit ended with ${status}\n${stderr}`);
  return JSON.parse(stdout);
}

console.log('| suite | tests | fails | only after | culprit | a bisection |');
console.log('|---|--:|---|---|--:|--:|');
const shown = ({ file, name }: TestName) => `${file} › ${name}`;
const asked = process.argv.slice(2);
try {
  for (const { name, fetch, command, removed, polluter, peer } of cases) {
    if (asked.length > 0 && !asked.some(each => name.includes(each))) continue;
    const cwd = fetch();
    if (removed) {
      const path = join(cwd, removed.file);
      const text = readFileSync(path, 'utf8');
      if (!text.includes(removed.line)) throw new Error(`${removed.file} has no such line: ${removed.line}`);
      writeFileSync(path, text.replace(removed.line, ''));
    }
    const found = ask(cwd, command, 1);
    const again = ask(cwd, command, 2);
    if (JSON.stringify(again.needs) !== JSON.stringify(found.needs)) throw new Error('the answer depends on workers');
    const needs = found.needs.map(shown);
    if (needs.length !== 1 || !needs[0]!.startsWith(polluter)) throw new Error(`found ${needs}, and not ${polluter}`);
    const { how, runs } = peer(cwd, found.test, command);
    console.log(
      `| ${name} | ${found.before.deltas} | ${shown(found.test)} | ${needs} | ${found.runs} (${again.runs} with 2 workers) | ${runs}: ${how} |`,
    );
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
