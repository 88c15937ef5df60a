import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeOf, nodesIn, npmInstall, versionOf } from './nodes/install.js';

/**
 * Races in real packages, on each supported Node: at which schedule each is found, how often it replays, how many tests its
 * isolation takes, and what is named. The fixed versions must stay silent. Then real test suites, and the cost of the preload.
 *   npm run bench -- schedules [--nodes 20,22,24,26] [--suites] [--cost] [name …]
 * Packages and Nodes are installed into .cache. Each row is kept there as soon as it is measured, and bench/schedules.md is made
 * from all rows that are kept, so parts can be measured one at a time.
 */
const args = process.argv.slice(2);
const root = fileURLToPath(new URL('../..', import.meta.url));
const programs = join(root, 'bench', 'schedules');
const cache = join(root, '.cache', 'schedules');
const cli = join(root, 'dist', 'cli', 'main.js');
const kept = join(cache, 'rows.json');
const options = ['--nodes', '--suites', '--cost'];
const nodes = nodesIn(args);
const names = args.filter((word, i) => !options.includes(word) && args[i - 1] !== '--nodes');

type Rows = Record<'races' | 'suites' | 'cost', Record<string, readonly (string | number)[]>>;

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

function keep(table: keyof Rows, key: string, cells: readonly (string | number)[]): void {
  console.log(cells.join(' | '));
  rows[table][key] = cells;
  writeFileSync(kept, JSON.stringify(rows, null, 2));
  writeFileSync(join(root, 'bench', 'schedules.md'), report());
}

function report(): string {
  const table = (head: readonly string[], body: readonly (readonly (string | number)[])[]) => [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---|').join('')}`,
    ...body.map(cells => `| ${cells.join(' | ')} |`),
    '',
  ];
  const races = subjects.flatMap(({ spec }) =>
    Object.keys(rows.races)
      .filter(key => key.startsWith(`${spec} `))
      .sort()
      .map(key => rows.races[key]!),
  );
  return [
    '# Schedules',
    '',
    '200 schedules, 100 replays. A fixed version must stay silent.',
    '',
    ...table(
      ['Node', 'package', 'default order', 'found at', 'replays', 'late events', 'tests to isolate', 's', ''],
      races,
    ),
    'The fixes, by the difference between the published versions: node-persist 3.1.3 replaces lines 321–323 of `src/local-storage.js` by a',
    'queue of writes; line 323 is the one that is named. node-json-db 2.1.2 puts lines 235–261 of `dist/JsonDB.js`, the body of `push`, under a',
    'lock; line 235 is in the stack of the second event.',
    '',
    '## Suites under the default schedule',
    '',
    'Each suite runs as it is, without a change, on Node 20. Two tests of bottleneck give a process that they start 1 s: on a very busy',
    'machine they fail, without a schedule too. At a load of 27, one run of proper-lockfile had 2 failures; the next seven had none.',
    '',
    ...table(['suite', 'runner', 'passed', 'failed'], Object.values(rows.suites)),
    '## Cost of the preload',
    '',
    'CPU of the process: medians over 15 pairs of runs, plain and scheduled in turn; "more" and "times" compare the two of a pair.',
    '',
    ...table(['Node', 'program', 'plain', 'default schedule', 'more', 'times'], Object.values(rows.cost)),
  ].join('\n');
}

function install(): void {
  mkdirSync(cache, { recursive: true });
  for (const name of ['settings.js', 'client.js', 'persist.js', 'json-db.js'])
    cpSync(join(programs, name), join(cache, name));
  const missing = chosen.filter(({ name }) => !existsSync(join(cache, 'node_modules', name)));
  if (missing.length > 0)
    npmInstall(
      cache,
      missing.map(({ name, spec }) => `${name}@npm:${spec}`),
    );
}

function race({ name, spec, variable, program, isFixed }: Subject, node: string): readonly (string | number)[] {
  const run = join(cache, 'run');
  rmSync(run, { recursive: true, force: true });
  const { stdout } = spawnSync(
    process.execPath,
    [cli, 'schedules', '--json', '--quiet', '--replays', '100', '--run', run, '--', node, program],
    { cwd: cache, env: { ...process.env, [variable]: name }, encoding: 'utf8' },
  );
  const json = JSON.parse(stdout || '{}');
  const isOneStep = name.startsWith('node-persist') && versionOf(node).startsWith('v26.');
  const verdict = isFixed
    ? json.found === undefined
      ? 'silent, as it should be'
      : `NOT SILENT: ${json.sentence}`
    : (json.sentence ?? (isOneStep ? 'not seen: `fs.writeFile` is one operation since Node 26' : 'MISSED'));
  return [
    spec + (isFixed ? ' (fixed)' : ''),
    json.default === 'fail' ? 'fails' : 'passes',
    json.found ?? '–',
    json.replayed === undefined ? '–' : `${json.replayed} of 100`,
    json.isolation ? `${json.isolation.left} of ${json.isolation.late}` : '–',
    json.isolation?.tests ?? '–',
    Math.round(json.seconds ?? 0),
    verdict,
  ];
}

const preload = join(root, 'dist/oracle/schedules/preload/index.cjs');

/** What puts a process under the default schedule. */
function scheduled(): Readonly<Record<string, string>> {
  const schedule = join(cache, 'default.json');
  writeFileSync(schedule, JSON.stringify({ slow: 100, epoch: Date.now() }));
  return { CULPRIT_SCHEDULE: schedule, UV_THREADPOOL_SIZE: '1', NODE_OPTIONS: `--require ${preload}` };
}

interface Suite {
  readonly name: string;
  readonly runner: string;
  readonly cwd: string;
  readonly command: readonly string[];
}

/** Suites that packages ship to npm, with what they need. */
function suites(): readonly Suite[] {
  const folder = join(cache, 'suites');
  const shipped = ['bottleneck', 'avvio', 'light-my-request', 'proper-lockfile', '@tanstack/query-core'];
  if (!existsSync(join(folder, 'node_modules', 'end-of-stream')))
    npmInstall(folder, [
      ...['bottleneck@2.19.5', 'mocha@10', 'assert@1'],
      ...['proper-lockfile@1.2.0', 'expect.js@0.3', 'async@1', 'buffered-spawn@2', 'rimraf@2', 'stable@0.1'],
      ...[
        '@tanstack/query-core@5.59.0',
        'vitest@2',
        'jsdom@25',
        '@testing-library/react@16',
        '@testing-library/dom@10',
      ],
      ...['react@18', 'react-dom@18'],
      ...['avvio@9', 'light-my-request@6', 'end-of-stream@1', 'express@5', 'form-auto-content@3', 'form-data@4'],
      ...['formdata-node@6', 'multer@2', 'undici@7', '@fastify/ajv-compiler@4'],
    ]);
  for (const name of shipped) cpSync(join(folder, 'node_modules', name), join(folder, name), { recursive: true });
  // Without files of its own, vitest would take those of culprit. The package's repository compiles for ES2020.
  const settings = {
    'vitest.config.mjs': "export default { test: { environment: 'jsdom', globals: true } };",
    'tsconfig.json': '{ "compilerOptions": { "target": "ES2020" } }',
  };
  for (const [name, text] of Object.entries(settings))
    writeFileSync(join(folder, '@tanstack/query-core', name), `${text}\n`);
  const files = [
    'DLList',
    'batcher',
    'context',
    'general',
    'group',
    'priority',
    'promises',
    'retries',
    'states',
    'stop',
  ];
  const mocha = (word: string) => [join(folder, 'node_modules/mocha/bin/mocha.js'), '--grep', word, '--invert'];
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  return [
    {
      name: 'bottleneck 2.19.5, without the tests that need Redis or measure memory',
      runner: 'mocha 10',
      cwd: join(folder, 'bottleneck'),
      command: [...mocha('leak memory'), ...files.map(file => `test/${file}.js`)],
    },
    {
      name: 'proper-lockfile 1.2.0, without its stress test of a minute',
      runner: 'mocha 10',
      cwd: join(folder, 'proper-lockfile'),
      command: [...mocha('stress'), 'test/test.js'],
    },
    {
      name: '@tanstack/query-core 5.59.0',
      runner: 'vitest 2, jsdom',
      cwd: join(folder, '@tanstack/query-core'),
      command: [vitest, 'run', 'src/__tests__'],
    },
    ...['avvio', 'light-my-request'].map(name => ({
      name: `${name} ${JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8')).version}`,
      runner: 'node:test',
      cwd: join(folder, name),
      command: ['--test', '--test-reporter=tap'],
    })),
    {
      name: 'culprit: test/core',
      runner: 'vitest 4',
      cwd: root,
      command: ['node_modules/vitest/vitest.mjs', 'run', 'test/core'],
    },
  ];
}

function runSuite({ name, runner, cwd, command }: Suite): readonly (string | number)[] {
  const { stdout } = spawnSync(process.execPath, command, {
    cwd,
    env: { ...process.env, ...scheduled(), NO_COLOR: '1' },
    encoding: 'utf8',
    timeout: 300_000,
    maxBuffer: 2 ** 28,
  });
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0);
  const passed = number(/^# pass (\d+)/m) || number(/^\s+(\d+) passing/m) || number(/Tests .*?(\d+) passed/);
  const failed = number(/^# fail (\d+)/m) || number(/^\s+(\d+) failing/m) || number(/Tests .*?(\d+) failed/);
  return [name, runner, passed, failed];
}

const programsOfCost: readonly (readonly [string, string])[] = [
  ['an empty program', ''],
  ['10,000 `fs.stat` at once', "for (let i = 0; i < 10000; i++) require('fs').stat('.', () => {})"],
  [
    '10,000 `fs.stat` one after the other',
    "(async () => { for (let i = 0; i < 10000; i++) await new Promise(done => require('fs').stat('.', done)) })()",
  ],
];

/** Plain and scheduled runs take turns, so that what else the machine does slows down both alike. */
function cost(line: string): readonly (readonly [string, readonly string[]])[] {
  const node = nodeOf(line);
  return programsOfCost.map(([name, code]) => {
    const pairs = Array.from({ length: 15 }, () => [cpu(node, code, {}), cpu(node, code, scheduled())] as const);
    const [plain, under] = [median(pairs.map(([a]) => a)), median(pairs.map(([, b]) => b))];
    const more = `+${Math.round(median(pairs.map(([a, b]) => b - a)))} ms`;
    const times = median(pairs.map(([a, b]) => b / a)).toFixed(1);
    return [
      `${name} ${line}`,
      [versionOf(node), name, `${Math.round(plain)} ms`, `${Math.round(under)} ms`, more, times],
    ];
  });
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

/** In ms. */
function cpu(node: string, code: string, env: Readonly<Record<string, string>>): number {
  const file = join(cache, 'cost.js');
  const tell =
    "process.on('exit', () => { const { user, system } = process.cpuUsage(); require('fs').writeSync(3, String(user + system)) });";
  writeFileSync(file, `${tell}\n${code}\n`);
  const { output } = spawnSync(node, [file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  return Number(output[3]) / 1000;
}

install();
const rows: Rows = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : { races: {}, suites: {}, cost: {} };
for (const line of nodes)
  for (const each of chosen)
    keep('races', `${each.spec} ${line}`, [versionOf(nodeOf(line)), ...race(each, nodeOf(line))]);
if (args.includes('--suites')) for (const suite of suites()) keep('suites', suite.name, runSuite(suite));
if (args.includes('--cost'))
  for (const line of nodes) for (const [name, cells] of cost(line)) keep('cost', name, cells);
