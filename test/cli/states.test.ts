import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.js';

/** A small program with a fee that is wrong for large amounts, in three languages; this is Node's. */
const app = `const fs = require('fs');
class Account {
  constructor(owner) {
    this.owner = owner;
    this.total = 0;
  }
}
function post(account, amounts) {
  for (const amount of amounts) {
    let fee = 0;
    if (amount > 100)
      fee = amount * 10;
    account.total += amount - fee;
  }
}
const amounts = fs.readFileSync(process.argv[2], 'utf8').trim().split(' ').map(Number);
const account = new Account('me');
post(account, amounts);
if (account.total < 0) throw new Error('negative balance');
`;
const defect = 12;
/** The same in Python, whose runs cost a third of Node's: for what does not depend on the language. */
const script = `import sys

class Account:
    def __init__(self):
        self.total = 0

def post(account, amounts):
    for amount in amounts:
        fee = 0
        if amount > 100:
            fee = amount * 10
        account.total += amount - fee

amounts = [int(word) for word in open(sys.argv[1]).read().split()]
account = Account()
post(account, amounts)
if account.total < 0:
    raise ValueError('negative balance')
`;
const defectInScript = 11;
const inputs = { 'works.txt': '10 90 5\n', 'fails.txt': '10 101 5\n' };
const pair = ['--passing', 'works.txt', '--failing', 'fails.txt'];

interface Range {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}
const holds = ({ file, from, to }: Range, name: string, line: number) =>
  file.endsWith(name) && from <= line && line <= to;
const resultOf = (stdout: string) => {
  const { chain, transitions, places, tests } = JSON.parse(stdout);
  return { chain, transitions, places, tests };
};
const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const pythonTest = test.skipIf(!has('python3'));

test('the first transition holds the defect, and the chain leads from the input to the failure', async () => {
  const cwd = folderWith({ 'app.js': app, ...inputs });
  const { code, stdout, stderr } = await culprit(['states', ...pair, '--json', '--', 'node', 'app.js', '{}'], { cwd });
  expect(stderr).not.toMatch(/bug of culprit|runs in its own order/);
  expect(code).toBe(0);
  const { job, chain, transitions, run, output } = JSON.parse(stdout);
  expect(job).toBe('states');
  expect(holds(transitions[0], 'app.js', defect)).toBe(true);
  expect(transitions[0]).toMatchObject({ cause: 'amount', effect: 'fee', onlyFailing: [defect] });
  expect(chain.map(({ variable }: { variable: string }) => variable)).toEqual(
    expect.arrayContaining(['amount', 'fee', 'account.total']),
  );
  expect(chain.length).toBeLessThanOrEqual(10);
  expect(readFileSync(join(cwd, run, 'report.html'), 'utf8')).toContain('fee = amount * 10');
  expect(readFileSync(join(cwd, output), 'utf8')).toContain('0 → 1010');
});

pythonTest('any number of workers gives the same answer', async () => {
  const answers = [];
  for (const jobs of ['1', '2', '8']) {
    const cwd = folderWith({ 'app.py': script, ...inputs });
    const args = ['states', ...pair, '--json', '-j', jobs, '--places', '6', '--', 'python3', 'app.py', '{}'];
    answers.push(JSON.stringify(resultOf((await culprit(args, { cwd })).stdout)).replaceAll(cwd, ''));
  }
  expect(new Set(answers).size).toBe(1);
});

pythonTest('a run that is stopped goes on to the same answer, even if what it saw was damaged', async () => {
  const cwd = folderWith({ 'app.py': script, ...inputs });
  const args = [
    'states',
    ...pair,
    '--json',
    '--places',
    '5',
    '--run',
    'a',
    '--max-tests',
    '2',
    '--',
    'python3',
    'app.py',
    '{}',
  ];
  const first = await culprit(args, { cwd });
  expect([first.code, JSON.parse(first.stdout).ended]).toEqual([3, 'budget']);
  // What it saw is kept beside the journal. If that is damaged, as after a power cut, the program is watched again.
  const kept = readdirSync(join(cwd, 'a'), { recursive: true, encoding: 'utf8' }).find(name => name.endsWith('.gz'))!;
  writeFileSync(join(cwd, 'a', kept), readFileSync(join(cwd, 'a', kept)).subarray(0, 20));
  const second = await culprit(['resume', 'a'], { cwd });
  expect(second.code, second.stderr).toBe(0);
  const whole = await culprit(
    args.map(word => (word === 'a' ? 'b' : word === '2' ? '1000' : word)),
    { cwd },
  );
  expect(resultOf(second.stdout)).toEqual(resultOf(whole.stdout));
});

test('nothing that a program can put into a variable is looked at by running it, and none of it is called a cause', async () => {
  const nasty = `const fs = require('fs');
const n = Number(fs.readFileSync(process.argv[2], 'utf8'));
const touched = [];
const state = {
  get getter() { touched.push('getter'); throw new Error('getter'); },
  proxy: new Proxy({}, { get() { touched.push('proxy'); throw new Error('proxy'); }, ownKeys() { touched.push('keys'); throw new Error('keys'); } }),
  map: new Map([[{ id: 1 }, { noise: n }], ['x', 2]]),
  set: new Set([{ id: 2 }, n]),
  many: Array.from({ length: 100000 }, (_, i) => i + n),
  bytes: Buffer.from([1, 2, n]),
  when: new Date(n),
  self: null,
  weak: new WeakMap(), promise: Promise.resolve(n), symbol: Symbol('s'), big: BigInt(n), none: -0, regex: /a/g,
  run() { return n; },
};
state.self = state;
const alias = { list: [1, n] };
const other = alias;
alias.copy = other.list;
let wrong = other.list[1] * 2;
wrong += 1;
if (touched.length > 0) throw new Error('touched: ' + touched);
if (wrong > 10) throw new Error('too large');
`;
  const cwd = folderWith({ 'nasty.js': nasty, 'works.txt': '1', 'fails.txt': '9' });
  const { code, stdout } = await culprit(
    ['states', ...pair, '--json', '--places', '5', '--', 'node', 'nasty.js', '{}'],
    { cwd },
  );
  expect(code).toBe(0);
  const { chain, transitions } = JSON.parse(stdout);
  const named = chain.map(({ variable }: { variable: string }) => variable);
  for (const variable of named)
    expect(variable).toMatch(/^(n|alias\.(list|copy)\[1\]|other\.\w+\[1\]|wrong|touched|args?\b.*)$/);
  expect(named).toContain('wrong');
  expect(transitions[0].file).toMatch(/nasty\.js$/);
});

test('a program that forks is watched in the process that does the work', async () => {
  const main = `const { fork } = require('child_process');
fork('./app.js', [process.argv[2]]).on('exit', code => process.exit(code));
`;
  const cwd = folderWith({ 'main.js': main, 'app.js': app, ...inputs });
  const command = ['--', `sh -c 'cd ${cwd} && node main.js {}'`];
  const { code, stdout } = await culprit(
    ['states', ...pair, '--json', '--places', '6', '--in', '**/app.js', ...command],
    { cwd },
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout).transitions.some((range: Range) => holds(range, 'app.js', defect))).toBe(true);
});

pythonTest('the pair can come from a run of isolate, and from one of reduce', async () => {
  const cwd = folderWith({ 'app.py': script, ...inputs });
  const command = ['--', 'python3', 'app.py', '{}'];
  await culprit(['isolate', 'works.txt', 'fails.txt', '--run', 'i', ...command], { cwd });
  await culprit(['reduce', 'fails.txt', '--run', 'r', ...command], { cwd });
  for (const run of ['i', 'r']) {
    const { code, stdout, stderr } = await culprit(['states', run, '--json', '--places', '8'], { cwd });
    expect([code, stderr.includes('bug of culprit')]).toEqual([0, false]);
    expect(JSON.parse(stdout).transitions.some((range: Range) => holds(range, 'app.py', defectInScript))).toBe(true);
  }
});

test('what cannot be compared is answered with a sentence', async () => {
  const minified = app.replaceAll('\n', ' ').replace('require', `/*${'x'.repeat(3000)}*/require`);
  const cwd = folderWith({
    'app.js': app,
    'min.js': minified,
    'unknown.sh': '#!/bin/sh\nexit 0\n',
    ...inputs,
  });
  const run = async (...args: string[]) => {
    const { code, stderr } = await culprit(['states', ...args], { cwd });
    expect(stderr).not.toMatch(/bug of culprit|\n {4}at .*dist/);
    return [code, stderr] as const;
  };
  const node = ['--', 'node', 'app.js', '{}'];
  const cases: readonly (readonly [number, RegExp, readonly string[]])[] = [
    [1, /inputs are the same/, ['--passing', 'fails.txt', '--failing', 'fails.txt', ...node]],
    // It has no --differs, no --hang and no --repeat.
    [
      1,
      /^(?![\s\S]*(--differs|--hang|--repeat))[\s\S]*No failure found[\s\S]*use --match\./,
      ['--passing', 'fails.txt', '--failing', 'works.txt', ...node],
    ],
    [
      1,
      /^(?![\s\S]*--hang)[\s\S]*not finish in time[\s\S]*Raise the timeout/,
      [...pair, '--timeout', '1', '--', 'node', '-e', 'setInterval(String, 1000)', '{}'],
    ],
    [2, /--failing is missing/, ['--passing', 'works.txt', ...node]],
    [2, /No command to run/, pair],
    [2, /not a debugger/, [...pair, '--with', 'perl', ...node]],
    [2, /does not take --hang/, [...pair, '--hang', ...node]],
    [2, /does not take --strategy/, [...pair, '--strategy', 'ddmin', ...node]],
    [2, /does not take --differs/, [...pair, '--differs', 'cat', ...node]],
    [2, /either one run, or two inputs/, ['nowhere', ...pair, ...node]],
    [2, /either one run, or two inputs/, ['nowhere', 'nowhere-else']],
    [2, /can't tell in which language/, [...pair, '--', './unknown.sh', '{}']],
    [1, /No statement(?![\s\S]*resume)/, [...pair, '--in', 'nowhere/**', ...node]],
    [2, /There is no run|no journal|journal/, ['nowhere']],
  ];
  for (const [code, words, args] of cases) {
    expect(await run(...args), args.join(' ')).toEqual([code, expect.stringMatching(words)]);
  }
  const [, said] = await run(...pair, '--places', '2', '--', 'node', 'min.js', '{}');
  expect(said).toContain('looks minified');
});

test('both inputs fail: said, and nothing is searched', async () => {
  const cwd = folderWith({ 'app.js': app, 'fails.txt': '10 101 5\n', 'works.txt': '10 102 5\n' });
  const { code, stderr } = await culprit(['states', ...pair, '--', 'node', 'app.js', '{}'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining('Both inputs fail')]);
});

test('the passing input is run without a debugger only if it does not pass with one', async () => {
  const plain = `const log = process.env.PLAIN_RUNS;
if (process.env.CULPRIT_STATES === undefined) fs.appendFileSync(log, fs.readFileSync(process.argv[2]));
`;
  const counted = app.replace(/\n/, `\n${plain}`);
  const cwd = folderWith({
    'app.js': counted,
    'shy.js': counted.replace('< 0)', '< 0 || process.env.CULPRIT_STATES !== undefined)'),
    ...inputs,
  });
  const runsOf = async (program: string, places: string) => {
    const env = { ...process.env, PLAIN_RUNS: join(cwd, `${program}.runs`) };
    const args = ['states', ...pair, '--json', '--places', places, '--', 'node', program, '{}'];
    const { code, stdout, stderr } = await culprit(args, { cwd, env });
    return { code, stdout, stderr, plain: readFileSync(env.PLAIN_RUNS, 'utf8').trim().split('\n') };
  };
  const watched = await runsOf('app.js', '2');
  expect([watched.code, watched.plain]).toEqual([0, ['10 101 5', '10 101 5']]);
  const shy = await runsOf('shy.js', '2');
  expect([shy.code, shy.plain]).toEqual([1, ['10 101 5', '10 101 5', '10 90 5']]);
  expect(shy.stderr).toContain('The passing input does not pass when the program is watched');
});

test('no common place: said, and nothing is searched', async () => {
  const main = `const word = require('fs').readFileSync(process.argv[2], 'utf8').trim();
require('./lib/' + word + '.js');
`;
  const cwd = folderWith({
    'main.js': main,
    'lib/good.js': 'let sum = 1;\nsum += 2;\n',
    'lib/bad.js': "let sum = 1;\nthrow new Error('bad ' + sum);\n",
    'works.txt': 'good\n',
    'fails.txt': 'bad\n',
  });
  const args = ['states', ...pair, '--in', 'lib/**', '--', 'node', 'main.js', '{}'];
  const { code, stderr } = await culprit(args, { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining('no place in common')]);
  expect(stderr).not.toContain('resume');
});

test('asynchronous code runs in a fixed order with a fixed clock: the answer is the same every time', async () => {
  const racing = `import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
const account = { total: 0, log: [], at: Date.now() };
async function post(amount) {
  await wait(Math.random() * 20);
  let fee = 0;
  if (amount > 100)
    fee = amount * 10;
  account.log.push(amount, Date.now());
  account.total += amount - fee;
}
const amounts = (await readFile(process.argv[2], 'utf8')).trim().split(' ').map(Number);
await Promise.all(amounts.map(post));
if (account.total < 0) throw new Error('negative balance');
`;
  const answers = [];
  for (const jobs of ['1', '8']) {
    const cwd = folderWith({ 'app.mjs': racing, 'works.txt': '10 90 5 7 3\n', 'fails.txt': '10 101 5 7 3\n' });
    const args = ['states', ...pair, '--json', '-j', jobs, '--places', '4', '--', 'node', 'app.mjs', '{}'];
    const { code, stdout } = await culprit(args, { cwd });
    expect(code).toBe(0);
    answers.push(JSON.stringify(resultOf(stdout)).replaceAll(cwd, ''));
  }
  expect(answers[0]).toContain('account.total');
  expect(answers[1]).toBe(answers[0]);
});

test('a failure that does not show in the fixed order is examined in the order that the program has, and that is said', async () => {
  const cwd = folderWith({
    'app.js': app.replace('account.total < 0', "account.total < 0 && process.env.UV_THREADPOOL_SIZE !== '1'"),
    ...inputs,
  });
  const { code, stderr } = await culprit(['states', ...pair, '--places', '3', '--', 'node', 'app.js', '{}'], { cwd });
  expect([code, stderr]).toEqual([0, expect.stringContaining('runs in its own order')]);
});

pythonTest('--output names the file for the chain, and --quiet prints the most likely defect in one line', async () => {
  const cwd = folderWith({ 'app.py': script, ...inputs });
  const args = ['states', ...pair, '--places', '8', '--quiet', '-o', 'why.txt', '--', 'python3', 'app.py', '{}'];
  const { code, stderr } = await culprit(args, { cwd });
  expect(code).toBe(0);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).toContain('amount → fee');
  expect(readFileSync(join(cwd, 'why.txt'), 'utf8')).toContain('amount → fee');
});

pythonTest('Python: the first transition holds the defect (needs python3)', async () => {
  const cwd = folderWith({ 'app.py': script, ...inputs });
  const { code, stdout } = await culprit(['states', ...pair, '--json', '--', 'python3', 'app.py', '{}'], { cwd });
  expect(code).toBe(0);
  const { chain, transitions } = JSON.parse(stdout);
  expect(holds(transitions[0], 'app.py', defectInScript)).toBe(true);
  expect(chain.map(({ variable }: { variable: string }) => variable)).toEqual(
    expect.arrayContaining(['amount', 'fee', 'account.total']),
  );
});

const c = `#include <stdio.h>
#include <stdlib.h>
struct account { char owner[8]; int total; };
static void post(struct account *account, int amount) {
  int fee = 0;
  if (amount > 100)
    fee = amount * 10;
  account->total += amount - fee;
}
int main(int argc, char **argv) {
  FILE *file = fopen(argv[1], "r");
  struct account account = {"me", 0};
  int amount;
  while (fscanf(file, "%d", &amount) == 1)
    post(&account, amount);
  fclose(file);
  if (account.total < 0) {
    fprintf(stderr, "app: error: negative balance\\n");
    return 3;
  }
  return 0;
}
`;

test.skipIf(!has('gcc') || !has('gdb'))('C: the first transition holds the defect (needs gcc and gdb)', async () => {
  const cwd = folderWith({ 'app.c': c, ...inputs });
  expect(spawnSync('gcc', ['-g', '-O0', 'app.c', '-o', 'app'], { cwd }).status).toBe(0);
  const { code, stdout } = await culprit(['states', ...pair, '--json', '--', './app', '{}'], { cwd });
  expect(code).toBe(0);
  const { chain, transitions } = JSON.parse(stdout);
  expect(holds(transitions[0], 'app.c', 7)).toBe(true);
  expect(chain.map(({ variable }: { variable: string }) => variable)).toEqual(expect.arrayContaining(['fee']));
});

const cpp = `#include <fstream>
#include <map>
#include <string>
#include <vector>
struct Line {
  std::string name;
  int count;
};
static int average(const std::map<std::string, int> &totals) {
  int sum = 0;
  int used = 0;
  for (const auto &total : totals) {
    if (total.second > 0) {
      sum += total.second;
      used++;
    }
  }
  return sum / used;
}
int main(int argc, char **argv) {
  std::ifstream in(argv[1]);
  std::vector<Line> lines;
  std::map<std::string, int> totals;
  std::string name;
  int count;
  while (in >> name >> count) {
    Line line{name, count};
    lines.push_back(line);
    totals[name] += count;
  }
  return average(totals) < 0;
}
`;

test.skipIf(!has('g++') || !has('gdb'))(
  'C++: containers and base classes are in memory, and a variable that they decide is found (needs g++ and gdb)',
  async () => {
    const cwd = folderWith({ 'app.cpp': cpp, 'works.txt': 'pen 2\nink 1\n', 'fails.txt': 'pen 0\nink 0\n' });
    expect(spawnSync('g++', ['-g', '-O0', 'app.cpp', '-o', 'app'], { cwd }).status).toBe(0);
    const { code, stdout, stderr } = await culprit(['states', ...pair, '--verbose', '--json', '--', './app', '{}'], {
      cwd,
    });
    expect(code).toBe(0);
    expect(stderr).not.toContain('no member or method');
    const { chain } = JSON.parse(stdout);
    expect(chain.at(-1)).toMatchObject({ variable: 'used', passing: '2', failing: '0' });
  },
);

test('the program finds the packages beside its input, as it does where the command is typed', async () => {
  const cwd = folderWith({
    'app.js': app,
    'node_modules/tools/package.json': '{"name":"tools","exports":"./load.js"}',
    'node_modules/tools/load.js': 'globalThis.loaded = true;',
    ...inputs,
  });
  const command = ['--', 'node', '--import', 'tools', 'app.js', '{}'];
  const { code, stdout } = await culprit(['states', ...pair, '--places', '4', '--json', ...command], { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).chain.length).toBeGreaterThan(0);
});
