// `npm run bench -- causes-real`: all causes on real programs, each checked by running its ways out. Needs gcc; fetches packages with npm.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
if (!existsSync(cli)) throw new Error('Run `npm run build` first: the command line is measured as it is published.');
const scratch = mkdtempSync(join(tmpdir(), 'culprit-bench-'));
const sh = (cwd: string, line: string, env = {}) =>
  spawnSync('/bin/sh', ['-c', line], { cwd, encoding: 'utf8', env: { ...process.env, ...env } });

function folder(name: string, files: Readonly<Record<string, string>> = {}): string {
  const path = join(scratch, name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

interface Result {
  readonly causes: readonly (readonly string[])[];
  readonly avoid: readonly { readonly use: string }[];
  readonly complete: boolean;
  readonly tests: number;
  readonly unresolved: number;
  readonly before: { readonly deltas: number };
}

/** The same question on 1, 2 and 8 workers: what may differ is the time. */
function ask(cwd: string, args: readonly string[], env = {}): Result {
  const answers = [1, 2, 8].map(jobs => {
    const [job = '', ...rest] = args;
    const words = [cli, job, '--all', '--json', '--quiet', '--force', '-j', String(jobs), ...rest];
    const run = spawnSync(process.execPath, words, { cwd, encoding: 'utf8', env: { ...process.env, ...env } });
    if (run.status !== 0) throw new Error(`${args.join(' ')}: exit ${run.status}\n${run.stderr}`);
    const same = { ...JSON.parse(run.stdout), seconds: 0, executed: 0, speculative: 0, run: '', output: '' };
    return same as Result;
  });
  if (new Set(answers.map(answer => JSON.stringify(answer))).size > 1) throw new Error('the answer depends on workers');
  return answers[0]!;
}

const rows: string[] = [];
function row(name: string, found: Result, checked: string): void {
  const { before, causes, avoid, complete, tests, unresolved } = found;
  const sets = causes.map(cause => cause.map(each => `\`${each}\``).join(' with ')).join('; ');
  const count = `${causes.length}, ${complete ? 'all' : 'at least'}`;
  rows.push(
    `| ${name} | ${before.deltas} | ${count}: ${sets} | ${avoid.length} | ${tests} | ${unresolved} | ${checked} |`,
  );
  console.error(rows.at(-1));
}
const demand = (holds: boolean, what: string) => {
  if (!holds) throw new Error(`not so: ${what}`);
};

function compilerOptions(): void {
  const cwd = folder('gcc', { 'bug.c': 'int main(void) {\n  int unused = 3;\n  return 0;\n}\n' });
  const flags = '-O2 -g -std=c11 -Wall -Werror -Wshadow -Werror=unused-variable -Werror=unused -fno-common'.split(' ');
  const found = ask(cwd, ['options', '--', 'gcc', ...flags, '-c', 'bug.c', '-o', '/dev/null']);
  for (const { use } of found.avoid) demand(sh(cwd, use).status === 0, use);
  for (const cause of found.causes) {
    const compile = (options: readonly string[]) => sh(cwd, `gcc ${options.join(' ')} -c bug.c -o /dev/null`).status;
    demand(compile(cause) !== 0, `${cause} fails`);
    for (const option of cause)
      demand(compile(cause.filter(each => each !== option)) === 0, `${cause} needs ${option}`);
  }
  row(
    'gcc, two options that each fail and a pair',
    found,
    'each cause fails alone, and not without any one of its options; both ways out compile',
  );
}

function compilerEnvironment(): void {
  const cwd = folder('env', {
    'main.c': '#if __has_include(<settings.h>)\n#include <settings.h>\n#endif\nint main(void) { return 0; }\n',
  });
  folder('env/bad', { 'settings.h': '#error "these settings are for another machine"\n' });
  const env = { CPATH: join(cwd, 'bad'), C_INCLUDE_PATH: join(cwd, 'bad') };
  const command = ['gcc', '-c', 'main.c', '-o', '/dev/null'];
  const found = ask(cwd, ['env', '--', ...command], env);
  for (const name of Object.keys(env))
    demand(sh(cwd, `env -u ${name} ${command.join(' ')}`, env).status !== 0, `unsetting ${name} alone does not help`);
  demand(sh(cwd, found.avoid[0]!.use, env).status === 0, found.avoid[0]!.use);
  // The rest of the environment is not the same everywhere.
  const causes = found.causes.map(cause => cause.map(each => each.replace(/=.*/s, '')));
  row(
    'gcc, an environment with two variables that each break it',
    { ...found, causes },
    'with either one unset it still fails; with both unset it compiles',
  );
}

/** Published versions of a package, one commit each. */
function history(name: string, versions: readonly string[]): string {
  const repository = folder(name);
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@example.org', ...args], { cwd: repository });
  git('init', '-q');
  for (const version of versions) {
    const packed = folder(`packed-${name}-${version}`);
    execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: packed, stdio: 'ignore' });
    sh(packed, 'tar xzf *.tgz');
    sh(repository, 'git rm -rqf . ; true');
    cpSync(join(packed, 'package'), repository, { recursive: true });
    git('add', '-A');
    git('commit', '-qm', version);
    git('tag', `v${version}`);
  }
  return repository;
}

function npmHistory(): void {
  const cwd = history('uuid', ['7.0.0', '7.0.2', '7.0.3', '8.0.0']);
  const check = join(scratch, 'deep.js');
  writeFileSync(
    check,
    "for (const name of ['v1', 'v4'])\n  try {\n    require(process.argv[2] + '/' + name + '.js')();\n  } catch {\n    throw new Error('no identifier');\n  }\n",
  );
  const found = ask(cwd, ['changes', 'v7.0.3', 'v8.0.0', '--', 'node', check, '{}']);
  const copy = folder('uuid-copy');
  cpSync(cwd, copy, { recursive: true, filter: path => !path.includes('.culprit') });
  for (const [way, { use }] of found.avoid.entries()) {
    sh(copy, 'git checkout -qf v8.0.0');
    demand(sh(copy, use).status === 0, use);
    demand(sh(copy, `node ${check} ${copy}`).status === 0, `way ${way + 1} passes`);
  }
  row(
    'npm history, uuid 7.0.3 → 8.0.0, a program that loads `uuid/v1` and `uuid/v4`',
    found,
    'every revert patch was applied to 8.0.0, and the program works',
  );
}

function lockfiles(): void {
  const cwd = folder('locks');
  const install = (name: string, versions: Readonly<Record<string, string>>) => {
    const at = folder(`locks/${name}`, {
      'package.json': JSON.stringify({ name: 'app', version: '1.0.0', dependencies: versions }),
    });
    execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund'], { cwd: at, stdio: 'ignore' });
    // A project that asks for ranges, so that its upgrades do not all hang together.
    const dependencies = Object.fromEntries(Object.keys(versions).map(each => [each, '*']));
    for (const file of ['package.json', 'package-lock.json']) {
      const parsed = JSON.parse(readFileSync(join(at, file), 'utf8'));
      (parsed.packages?.[''] ?? parsed).dependencies = dependencies;
      writeFileSync(join(at, file), JSON.stringify(parsed, null, 2));
    }
  };
  install('old', { commander: '6.2.1', mkdirp: '0.5.6', ms: '2.0.0', semver: '6.3.0', once: '1.3.3' });
  install('new', { commander: '7.2.0', mkdirp: '1.0.4', ms: '2.1.3', semver: '6.3.1', once: '1.4.0' });
  const check = join(cwd, 'app.js');
  writeFileSync(
    check,
    `const at = name => require(process.argv[2] + '/node_modules/' + name);
at('ms')('1d'); at('semver').valid('1.2.3'); at('once')(() => {});
const { program } = at('commander');
program.option('-d, --debug').parse(['node', 'app', '-d']);
let made = false;
try { at('mkdirp')(require('os').tmpdir(), () => { made = true; }); } catch {}
setTimeout(() => { if (!program.debug || !made) throw new Error('the tool is broken'); }, 50);
`,
  );
  const locks = ['old', 'new'].map(name => `${name}/package-lock.json`);
  const found = ask(cwd, ['changes', ...locks, '--', 'node', check, '{}']);
  const copy = folder('locks/copy');
  cpSync(join(cwd, 'new'), copy, { recursive: true });
  demand(sh(copy, `${found.avoid[0]!.use} --silent --no-audit --no-fund`).status === 0, found.avoid[0]!.use);
  demand(sh(cwd, `node ${check} ${copy}`).status === 0, 'the pinned project works');
  row(
    'lockfiles, five upgrades of which two break the program',
    found,
    `\`${found.avoid[0]!.use}\` was run, and the program works`,
  );
}

/** The places that only the failing run comes to: the decisive branch of bignumber.js 9.0.0 is at line 2398. */
function places(): string {
  const cwd = folder('places', {
    good: `19${'0'.repeat(390)}`,
    bad: `19${'0'.repeat(389)}1`,
    'root.js': `const Big = require('bignumber.js');
Big.config({ EXPONENTIAL_AT: 1e5, ROUNDING_MODE: 1, DECIMAL_PLACES: 20 });
const x = new Big(require('fs').readFileSync(process.argv[2], 'utf8').trim());
const r = x.squareRoot();
if (!r.times(r).div(x).minus(1).abs().lt('1e-10')) throw new Error('wrong root');
`,
    'package.json': '{}',
  });
  execFileSync('npm', ['install', '--silent', '--no-save', 'bignumber.js@9.0.0'], { cwd, stdio: 'ignore' });
  const words = [cli, 'isolate', 'good', 'bad', '--json', '--quiet', '--', 'node', 'root.js', '{}'];
  const { stdout } = spawnSync(process.execPath, words, { cwd, encoding: 'utf8' });
  const found = JSON.parse(stdout).onlyFailing as readonly { readonly file: string; readonly line: number }[];
  demand(
    found.some(({ file, line }) => file.endsWith('bignumber.js') && line === 2398),
    'line 2398 is among the five',
  );
  return found.map(({ file, line }) => `${file.replace(/^node_modules\/[^/]+\//, '')}:${line}`).join(', ');
}

try {
  for (const subject of [compilerOptions, compilerEnvironment, npmHistory, lockfiles]) subject();
  const named = places();
  const head =
    '| program | deltas | causes | ways to avoid | tests | unresolved | checked by the script |\n|---|--:|---|--:|--:|--:|---|';
  const text = `${head}\n${rows.join('\n')}\n\nEach was asked on 1, 2 and 8 workers, with the same answer.\n\nbignumber.js 9.0.0, a wrong square root: only the failing run comes to ${named}. The decisive branch is at line 2398.\n`;
  const note = fileURLToPath(new URL('../../bench/causes.md', import.meta.url));
  const before = readFileSync(note, 'utf8').replace(/\n## Real programs\n[\s\S]*$/, '');
  writeFileSync(
    note,
    `${before}\n## Real programs\n\n\`npm run bench -- causes-real\` writes this part. "Tests" has the final check of every cause and way out in it.\n\n${text}`,
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
