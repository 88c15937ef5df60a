import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { culprit, folderWith, leftBehindBy, lines, processesWith, start, until } from './culprit.js';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const hasRspec = spawnSync('rspec', ['--version']).status === 0;
const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;

function project(files: Readonly<Record<string, string>>): string {
  const cwd = folderWith(files);
  symlinkSync(modules, join(cwd, 'node_modules'));
  return cwd;
}

const transcript = (run: string) =>
  lines(join(run, 'journal.jsonl'))
    .map(line => JSON.parse(line).event)
    .filter(event => event?.type === 'answered');

/** What the result says to type, typed. */
function reproduced(stderr: string, cwd: string) {
  const command = /^ *reproduce +(.*)$/m.exec(stderr)![1]!;
  const {
    stdout,
    stderr: errors,
    status,
  } = spawnSync('/bin/sh', ['-c', command], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
  });
  return { status, output: stdout + errors };
}

const numbered = (count: number, make: (n: number) => readonly [string, string]) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => make(n)));
const padded = (n: number) => String(n).padStart(3, '0');

/** 200 files of 10 tests. Test 7 of file 137 fails only after two others, in this order. */
const large = numbered(200, n => [
  `test/${padded(n)}.js`,
  `const assert = require('node:assert');
describe('file ${n}', () => {
  for (let i = 0; i < 10; i++)
    it('test ' + i, () => {
      if (${n} === 23 && i === 4) globalThis.opened = true;
      if (${n} === 88 && i === 2 && globalThis.opened) globalThis.session = 'ann';
      if (${n} === 137 && i === 7) assert.equal(globalThis.session, undefined);
    });
});
`,
]);

test('of 2,000 mocha tests in 200 files two are found, in at most 20 runs', async () => {
  const cwd = project(large);
  const args = ['tests', '--json', '--run', 'r', '--timeout', '100', '--', 'npx', 'mocha', 'test'];
  const { code, stdout, stderr } = await culprit(args, { cwd });
  expect(stderr).toContain(
    'test/137.js › file 137 › test 7 fails only after test/023.js › file 23 › test 4 and test/088.js › file 88 › test 2, in this order.',
  );
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found.runs).toBeLessThanOrEqual(20);
  console.info(`tests: 2,000 tests, ${found.runs} runs of mocha`);
  expect(found).toMatchObject({
    before: { deltas: 2000 },
    after: { deltas: 3 },
    minimal: ['test'],
    unresolved: 0,
    leaves: [
      { kind: 'global', name: 'opened', change: 'added' },
      { kind: 'global', name: 'session', change: 'added' },
    ],
  });
  expect(readdirSync(cwd).sort()).toEqual(['node_modules', 'r', 'test']);
}, 900_000);

const shop = {
  'a-user.js': `const fs = require('node:fs');
describe('user', () => {
  it('logs out', () => {});
  it('logs in', () => { process.env.WHO = 'ann'; fs.writeFileSync('session.txt', 'ann'); });
});
`,
  'b-other.js': "describe('other', () => { it('adds', () => {}); it('clears', () => {}); });\n",
  'cart.js': `const assert = require('node:assert');
it('is outside of any group', () => {});
describe('cart', () => {
  it('adds', () => {});
  it('clears', () => { assert.equal(process.env.WHO, undefined); });
});
`,
};
const mocha = ['--', 'npx', 'mocha', '*.js'];

test('mocha: the polluter, what it leaves behind, and a command that shows it again', async () => {
  const cwd = project(shop);
  const { code, stdout, stderr } = await culprit(['tests', '--json', ...mocha], { cwd });
  expect(stderr).toContain('cart.js › cart › clears fails only after a-user.js › user › logs in.');
  expect(stderr).toContain('environment variable WHO: added');
  expect(stderr).toContain('file session.txt: added');
  expect(code).toBe(0);
  const { test: target, needs, mustFollow, run, runs } = JSON.parse(stdout);
  // The suite, the test alone, the two of them, the other file only loaded, and the result once more: what was left behind says
  // which one to try.
  expect(runs).toBe(5);
  expect({ target, needs, mustFollow }).toEqual({
    target: { file: 'cart.js', name: 'cart › clears' },
    needs: [{ file: 'a-user.js', name: 'user › logs in' }],
    mustFollow: true,
  });
  expect(existsSync(join(cwd, 'session.txt'))).toBe(false);
  expect(JSON.parse(readFileSync(join(cwd, run, 'best/tests.json'), 'utf8')).arrangement).toEqual([
    { file: 'a-user.js', tests: ['user › logs in'] },
    { file: 'cart.js', tests: ['cart › clears'] },
  ]);
  const shown = reproduced(stderr, cwd);
  expect(shown.status).toBe(1);
  expect(shown.output).toContain('clears');
});

test('a test that passes only because another one ran before it is explained the other way round', async () => {
  const cwd = project({
    'a.js': "describe('a', () => { it('sets up', () => { globalThis.ready = true; }); it('rests', () => {}); });\n",
    'b.js':
      "describe('b', () => { it('uses it', () => { if (!globalThis.ready) throw new Error('not ready'); }); });\n",
  });
  const { code, stderr } = await culprit(['tests', '--test', 'uses it', ...mocha], { cwd });
  expect(stderr).toContain('b.js › b › uses it passes only after a.js › a › sets up.');
  expect(stderr).toContain('Otherwise it fails with: Error: not ready');
  expect(code).toBe(0);
});

test('a file that does harm when it is loaded is named, though no test of it matters', async () => {
  const cwd = project({
    'a.js': "require('node:assert'); it('fails', () => { if (globalThis.broken) throw new Error('broken'); });\n",
    'b.js': "globalThis.broken = true; it('is innocent', () => {});\n",
    'c.js': "it('is innocent too', () => {});\n",
  });
  const { stdout, stderr } = await culprit(['tests', '--json', ...mocha], { cwd });
  expect(stderr).toContain('a.js › fails fails only if b.js is loaded.');
  expect(JSON.parse(stdout)).toMatchObject({ needs: [], loaded: ['b.js'], minimal: ['test', 'loaded file'] });
});

test('--shuffle finds the first order in which a test fails, the same one each time', async () => {
  const cwd = project({ ...shop, 'a-user.js': '', 'z-user.js': shop['a-user.js'] });
  const seeds = [];
  for (const run of ['r1', 'r2']) {
    const { code, stdout, stderr } = await culprit(['tests', '--shuffle', '30', '--json', '--run', run, ...mocha], {
      cwd,
    });
    expect(stderr).toContain('cart.js › cart › clears fails only after z-user.js › user › logs in.');
    expect(code).toBe(0);
    seeds.push(JSON.parse(stdout).seed);
  }
  expect(seeds[0]).toBeGreaterThan(0);
  expect(seeds[1]).toBe(seeds[0]);
});

/** What a module keeps for itself can't be seen, so nothing says which of the tests is the likeliest one. */
const hidden = {
  'lib/user.cjs': 'let user; exports.set = name => { user = name; }; exports.get = () => user;\n',
  ...shop,
  'a-user.js': shop['a-user.js']!.replace(/process\.env\.WHO = .*?;.*?; /, "require('./lib/user.cjs').set('ann'); "),
  'cart.js': shop['cart.js']!.replace('process.env.WHO', "require('./lib/user.cjs').get()"),
};

test('the answer is the same on 1, 2 and 8 workers, and after a stop', async () => {
  const cwd = project(hidden);
  const answerOf = (stdout: string, run: string) => {
    const { seconds: _, runs: __, run: ___, output: ____, speculative: _____, ...answer } = JSON.parse(stdout);
    return { answer, transcript: transcript(join(cwd, run)) };
  };
  const answers = [];
  for (const jobs of ['1', '2', '8']) {
    const run = `r${jobs}`;
    const { code, stdout, stderr } = await culprit(['tests', '--json', '-j', jobs, '--run', run, ...mocha], { cwd });
    expect(stderr).toContain('fails only after a-user.js › user › logs in');
    expect(code).toBe(0);
    answers.push(answerOf(stdout, run));
  }
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  const first = await culprit(['tests', '--json', '--run', 'stopped', '--max-tests', '2', ...mocha], { cwd });
  expect(first.code).toBe(3);
  const { code, stdout, stderr } = await culprit(['resume', 'stopped'], { cwd });
  expect(stderr).toContain('fails only after a-user.js › user › logs in');
  expect(code).toBe(0);
  expect(answerOf(stdout, 'stopped').transcript).toEqual(answers[0]!.transcript);
});

test('Ctrl-C leaves nothing running and nothing behind', async () => {
  const slow = "it('waits', done => { setTimeout(done, 300); }).timeout(9000);\n";
  const cwd = project({ ...shop, ...numbered(20, n => [`w${padded(n)}.js`, slow]) });
  const run = start(['tests', '--run', 'run', ...mocha], { cwd });
  expect(await until(() => existsSync(join(cwd, 'run/journal.jsonl')))).toBe(true);
  run.kill('SIGINT');
  const { code, stderr } = await run.ended;
  expect(stderr).toMatch(/stopped|Interrupted/);
  expect(code).toBe(3);
  expect(leftBehindBy(run.pid!)).toEqual([]);
  expect(processesWith(`culprit-${run.pid}-`)).toEqual([]);
});

test('vitest: tests of a file are chosen one by one, in files that share their globals', async () => {
  const file = (body: string) => `import { expect, test, describe } from 'vitest';\n${body}`;
  const cwd = project({
    'a-user.test.ts': file(
      "describe('user', () => { test('logs out', () => {}); test('logs in', () => { (globalThis as any).user = 1; }); });\n",
    ),
    'b.test.ts': file("test('clears', () => {});\n"),
    'cart.test.ts': file(
      "test('adds', () => {});\ntest('clears', () => { expect((globalThis as any).user).toBeUndefined(); });\n",
    ),
  });
  const { code, stdout, stderr } = await culprit(['tests', '--json', '--', 'npx', 'vitest', 'run', '--no-isolate'], {
    cwd,
  });
  expect(stderr).toContain('cart.test.ts › clears fails only after a-user.test.ts › user › logs in.');
  expect(JSON.parse(stdout).leaves).toEqual([{ kind: 'global', name: 'user', change: 'added' }]);
  expect(code).toBe(0);
  const shown = reproduced(stderr, cwd);
  expect(shown.status).toBe(1);
  expect(shown.output).toMatch(/1 failed \| 1 passed/);
}, 300_000);

test('node --test: a file on disk that one test file leaves for another, the same name in both', async () => {
  const head = "const { test, describe, it } = require('node:test'); const fs = require('node:fs');\n";
  const cwd = folderWith({
    'a-user.test.js': `${head}test('adds', () => {}); describe('user', () => { it('logs in', () => fs.writeFileSync('who.txt', 'ann')); });\n`,
    'b.test.js': `${head}test('other', () => {});\n`,
    'cart.test.js': `${head}test('adds', () => {}); test('clears', () => { if (fs.existsSync('who.txt')) throw new Error('not empty'); });\n`,
  });
  const { code, stdout, stderr } = await culprit(['tests', '--json', '--', 'node', '--test'], { cwd });
  expect(stderr).toContain('cart.test.js › clears fails only after a-user.test.js › user › logs in.');
  expect(JSON.parse(stdout).leaves).toEqual([{ kind: 'file', name: 'who.txt', change: 'added' }]);
  expect(code).toBe(0);
  expect(existsSync(join(cwd, 'who.txt'))).toBe(false);
  expect(reproduced(stderr, cwd).output).toContain('not empty');
});

test.skipIf(!hasPytest && !process.env.CI)(
  'pytest: a list in a module that a test of another file fills (pytest)',
  async () => {
    const cwd = folderWith({
      'state.py': 'users = []\n',
      'test_a.py': "import state\ndef test_out(): pass\ndef test_in(): state.users.append('ann'); state.last = 1\n",
      'test_b.py': 'import pytest\n@pytest.mark.parametrize("n", [1, 2])\ndef test_b(n): pass\n',
      'test_cart.py': 'import state\nclass TestCart:\n    def test_clears(self): assert len(state.users) == 0\n',
    });
    const { code, stdout, stderr } = await culprit(['tests', '--json', '--', 'python3', '-m', 'pytest', '-q'], { cwd });
    expect(stderr).toContain('test_cart.py › TestCart › test_clears fails only after test_a.py › test_in.');
    expect(JSON.parse(stdout).leaves).toEqual([
      { kind: 'module state', name: 'state.last', change: 'added' },
      { kind: 'module state', name: 'state.users', change: 'changed' },
    ]);
    expect(stderr).toContain('python3 -m pytest -q test_a.py::test_in test_cart.py::TestCart::test_clears');
    expect(code).toBe(0);
    expect(reproduced(stderr, cwd).output).toContain('1 failed, 1 passed');
  },
  300_000,
);

test.skipIf(!hasRspec && !process.env.CI)(
  'RSpec: what a class keeps, although .rspec asks for a random order (rspec)',
  async () => {
    const spec = (title: string, body: string) => `require './session'\nRSpec.describe '${title}' do\n${body}\nend\n`;
    const cwd = folderWith({
      '.rspec': '--order rand\n',
      'session.rb': 'class Session; class << self; attr_accessor :user; end; end\n',
      'spec/a_spec.rb': spec('user', "it('logs out') {}\nit('logs in') { Session.user = 'ann'; ENV['WHO'] = 'ann' }"),
      'spec/b_spec.rb': spec('other', "it('works') {}"),
      'spec/z_spec.rb': spec(
        'cart',
        "it { expect(1).to eq 1 }\ncontext 'when new' do it('is empty') { expect(Session.user).to be_nil } end",
      ),
    });
    const { code, stdout, stderr } = await culprit(['tests', '--json', '--', 'rspec'], { cwd });
    expect(stderr).toContain(
      'spec/z_spec.rb › cart › when new › is empty fails only after spec/a_spec.rb › user › logs in.',
    );
    expect(JSON.parse(stdout).leaves).toEqual([
      { kind: 'environment variable', name: 'WHO', change: 'added' },
      { kind: 'constant', name: 'Session', change: 'changed' },
    ]);
    expect(code).toBe(0);
    const { order } = JSON.parse(stdout);
    expect(order.map(({ file }: { file: string }) => file)).toEqual(['spec/a_spec.rb', 'spec/z_spec.rb']);
  },
  300_000,
);

const passing = { 'a.js': "describe('a', () => { it('works', () => {}); it('works well', () => {}); });\n" };
const failing = { 'a.js': "it('fails', () => { throw new Error('boom'); }); it('works', () => {});\n" };
const random = {
  'a.js':
    "const fs = require('node:fs'); it('fails once', () => { const at = process.env.ONCE; if (!fs.existsSync(at)) { fs.writeFileSync(at, ''); throw new Error('boom'); } });\n",
};

test.each([
  ['a runner that is not installed', {}, [], ['npx', 'vitest', 'run'], 1, 'vitest is not installed here'],
  ['an unknown runner', {}, [], ['make', 'check'], 2, 'does not know the test runner in: make check'],
  ['a suite that passes', passing, [], ['mocha', '*.js'], 1, 'All 2 tests pass'],
  ['a suite that passes in every order', passing, ['--shuffle', '2'], ['mocha', '*.js'], 1, 'and in 2 others'],
  ['a test that passes both ways', passing, ['--test', 'well'], ['mocha', '*.js'], 1, 'passes, alone and among all'],
  ['a name that matches nothing', passing, ['--test', 'x'], ['mocha', '*.js'], 2, 'No test that ran is called x'],
  ['a name that matches two', passing, ['--test', 'work'], ['mocha', '*.js'], 2, 'names 2 tests'],
  ['a test that fails alone', failing, [], ['mocha', '*.js'], 1, 'a.js › fails fails alone too: Error: boom'],
  ['a test that fails once', random, [], ['mocha', '*.js'], 1, 'a.js › fails once failed once, and not'],
  ['no tests at all', { 'a.js': '' }, [], ['mocha', '*.js'], 1, 'mocha reported no test'],
  ['a file that does not load', { 'a.js': 'throw 1' }, [], ['mocha', '*.js'], 1, 'mocha reported no test'],
  ['orders that node decides', {}, ['--shuffle', '3'], ['node', '--test'], 2, '--shuffle does not work with node'],
  ['an input', {}, ['a.js'], ['mocha'], 2, 'tests takes no input'],
] as const)('%s is refused with a sentence', async (_, files, options, words, code, sentence) => {
  const cwd = words[1] === 'vitest' ? folderWith(files) : project(files);
  const env = { ONCE: join(folderWith(), 'once') };
  const ended = await culprit(['tests', ...options, '--', ...words], { cwd, env });
  expect(ended.stderr).toContain(sentence);
  expect(ended.stderr).not.toMatch(/bug in culprit|^ {4}at .*culprit/m);
  expect(ended.code).toBe(code);
  expect(existsSync(join(cwd, '.culprit'))).toBe(false);
});
