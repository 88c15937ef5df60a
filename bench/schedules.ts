import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Races in real packages: at which schedule each is found, how often it replays, how many tests its isolation takes, and what is
 * named. The fixed versions must stay silent. Then the cost of the preload.
 *   npm run bench -- schedules [--write] [--node <path of a node>] [name …]
 * The packages are installed into .cache. `--write`: keeps the tables in bench/schedules.md.
 */
const args = process.argv.slice(2);
const root = fileURLToPath(new URL('../..', import.meta.url));
const programs = join(root, 'bench', 'schedules');
const cache = join(root, '.cache', 'schedules');
const cli = join(root, 'dist', 'cli', 'main.js');
const node = args.includes('--node') ? args[args.indexOf('--node') + 1]! : process.execPath;
const names = args.filter((word, i) => !word.startsWith('--') && args[i - 1] !== '--node');

interface Subject {
  readonly name: string;
  readonly spec: string;
  readonly variable: string;
  readonly program: string;
  readonly isFixed?: boolean;
}

const subject = (spec: string, variable: string, program: string, isFixed = false): Subject => ({
  name: spec.replace(/[^\w]+/g, '-'),
  spec,
  variable,
  program,
  isFixed,
});
const subjects: readonly Subject[] = [
  subject('write-file-atomic@1.1.4', 'WFA', 'settings.js'),
  subject('write-file-atomic@2.1.0', 'WFA', 'settings.js'),
  subject('write-file-atomic@2.4.3', 'WFA', 'settings.js', true),
  subject('write-file-atomic@3.0.3', 'WFA', 'settings.js', true),
  subject('agentkeepalive@2.0.0', 'AKA', 'client.js'),
  subject('agentkeepalive@2.0.2', 'AKA', 'client.js', true),
  subject('node-persist@3.1.0', 'NP', 'persist.js'),
  subject('node-persist@3.1.3', 'NP', 'persist.js', true),
  subject('node-json-db@2.0.0', 'NJD', 'json-db.js'),
  subject('node-json-db@2.2.0', 'NJD', 'json-db.js', true),
];
const chosen = subjects.filter(({ spec }) => names.length === 0 || names.some(name => spec.startsWith(name)));

install();
const lines = [
  '# Schedules',
  '',
  `Node ${version()}. 200 schedules, 100 replays. A fixed version must stay silent.`,
  '',
  '| package | in the default order | found at schedule | replays | late events | tests of the isolation | seconds | |',
  '|---|---|---|---|---|---|---|---|',
  ...chosen.map(row),
  '',
  ...cost(),
];
console.log(lines.join('\n'));
if (args.includes('--write')) writeFileSync(join(root, 'bench', 'schedules.md'), `${lines.join('\n')}\n`);

function install(): void {
  mkdirSync(cache, { recursive: true });
  for (const name of ['settings.js', 'client.js', 'persist.js', 'json-db.js'])
    cpSync(join(programs, name), join(cache, name));
  if (!existsSync(join(cache, 'package.json'))) writeFileSync(join(cache, 'package.json'), '{"private":true}\n');
  const missing = chosen.filter(({ name }) => !existsSync(join(cache, 'node_modules', name)));
  if (missing.length === 0) return;
  const wanted = missing.map(({ name, spec }) => `${name}@npm:${spec}`);
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...wanted], {
    cwd: cache,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The packages could not be installed.');
}

function version(): string {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
}

function row({ name, spec, variable, program, isFixed }: Subject): string {
  const run = join(cache, 'run');
  rmSync(run, { recursive: true, force: true });
  const { stdout } = spawnSync(
    process.execPath,
    [cli, 'schedules', '--json', '--quiet', '--replays', '100', '--run', run, '--', node, program],
    { cwd: cache, env: { ...process.env, [variable]: name }, encoding: 'utf8' },
  );
  const json = JSON.parse(stdout || '{}');
  const verdict = isFixed
    ? json.found === undefined
      ? 'silent, as it should be'
      : `NOT SILENT: ${json.sentence}`
    : (json.sentence ?? 'MISSED');
  const cells = [
    spec + (isFixed ? ' (fixed)' : ''),
    json.default === 'fail' ? 'fails' : 'passes',
    json.found ?? '–',
    json.replayed === undefined ? '–' : `${json.replayed} of 100`,
    json.isolation ? `${json.isolation.left} of ${json.isolation.late}` : '–',
    json.isolation?.tests ?? '–',
    Math.round(json.seconds ?? 0),
    verdict,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** CPU of a process and its children, the least of five runs: the rest is what else the machine does. */
function cost(): readonly string[] {
  const preload = join(root, 'dist/oracle/schedules/preload/index.cjs');
  const schedule = join(cache, 'default.json');
  writeFileSync(schedule, '{"slow":100,"epoch":0}');
  const cases: readonly (readonly [string, string])[] = [
    ['an empty program', ''],
    ['10,000 `fs.stat` at once', "for (let i = 0; i < 10000; i++) require('fs').stat('.', () => {})"],
    [
      '10,000 `fs.stat` one after the other',
      "(async () => { for (let i = 0; i < 10000; i++) await new Promise(done => require('fs').stat('.', done)) })()",
    ],
  ];
  const environment = { CULPRIT_SCHEDULE: schedule, UV_THREADPOOL_SIZE: '1', NODE_OPTIONS: `--require ${preload}` };
  const rows = cases.map(([name, code]) => {
    const [plain, scheduled] = [cpu(code, {}), cpu(code, environment)];
    return `| ${name} | ${Math.round(plain)} ms | ${Math.round(scheduled)} ms | ${(scheduled / plain).toFixed(1)} |`;
  });
  return ['| CPU | plain | under the default schedule | times |', '|---|---|---|---|', ...rows];
}

function cpu(code: string, env: Readonly<Record<string, string>>): number {
  const file = join(cache, 'cost.js');
  const report =
    "process.on('exit', () => { const { user, system } = process.cpuUsage(); require('fs').writeSync(3, String(user + system)) });";
  writeFileSync(file, `${report}\n${code}\n`);
  const once = () =>
    Number(
      spawnSync(node, [file], { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
        .output[3],
    ) / 1000;
  return Math.min(...Array.from({ length: 5 }, once));
}
