import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boom, culprit, folderWith, start } from './culprit.js';
import { repositoryWith } from './repository.js';

const input = ['one', 'two', 'BOOM', 'the end'].join('\n');
const reduced = (cwd: string) => readFileSync(join(cwd, 'in.reduced.txt'), 'utf8').trim();
const args = (...more: readonly string[]) => ['reduce', 'in.txt', '--by', 'line', '--timeout', '60', ...more];
/** Fewer runs than by default: these tests are about the way, and the rates are tested elsewhere. */
const sure = ['--confidence', '0.9'];
const fails = '{ echo "Error: boom found" >&2; exit 3; }';

/** A program with a race: two writers, and whoever comes first decides. */
const race = `#!/bin/bash
[[ $(<"$1") == *BOOM* ]] || exit 0
d=$(mktemp -d)
( read -r x < /proc/uptime; mkdir "$d/first" 2>/dev/null && echo slow > "$d/who" ) &
( mkdir "$d/first" 2>/dev/null && echo fast > "$d/who" ) &
wait
who=$(<"$d/who")
rm -r "$d"
[[ $who == fast ]] && ${fails}
exit 0
`;

/** A program that depends on a random seed. */
const seeded = `#!/bin/bash
[[ $(<"$1") == *BOOM* ]] && (( RANDOM % 10 < 8 )) && ${fails}
exit 0
`;

/** A program that gives up if an answer takes too long; one answer in five comes at once. */
const timed = `#!/bin/bash
[[ $(<"$1") == *BOOM* ]] || exit 0
read -t 0.08 answer < <(sleep $(( RANDOM % 5 ? 1 : 0 )); echo yes) && exit 0
${fails}
`;

test.each([
  ['a race', race],
  ['a random seed', seeded],
  ['a time-out', timed],
])('a failure that depends on %s is reduced, and its rate is measured', async (_, script) => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': script });
  const ended = await culprit(args('-j', '8', '--repeat', '40', ...sure, '--json', '--', './t.sh', '{}'), { cwd });
  expect(ended.stderr).toMatch(/flaky: fails in \d+ of 40 runs \(\d+–\d+ %\), the empty input in 0 of 40/);
  expect(ended.stderr).toMatch(/The result fails in \d+ of 40 runs \(\d+–\d+ %\)/);
  expect(ended.code).toBe(0);
  // How exact searches are is measured with seeded coins: these programs are as random as they are.
  expect(reduced(cwd)).toContain('BOOM');
  const { rate } = JSON.parse(ended.stdout);
  expect(rate.runs).toBe(40);
  expect(rate.low).toBeLessThanOrEqual(rate.fails / 40);
});

/** A program whose coin is a function of the input and of how often it has been run on it. `$1`: what decides, given `coin`. */
const coin = (decide: string) => `#!/bin/bash
text=$(<"$1")
name=$COUNTS/runs-\${text//[^A-Za-z]/_}
printf x >> "$name"
runs=$(<"$name")
seed=$(( \${#runs} * 7919 ))
for (( i = 0; i < \${#text}; i++ )); do printf -v code %d "'\${text:i:1}"; seed=$(( (seed * 31 + code) % 32768 )); done
RANDOM=$seed
: $RANDOM $RANDOM $RANDOM
coin=$(( RANDOM % 100 ))
${decide} && ${fails}
exit 0
`;

test('a background of false failures does not lead the search astray', async () => {
  const script = coin('{ [[ $text == *BOOM* ]] && (( coin < 90 )) || (( coin < 5 )); }');
  const cwd = folderWith({ 'in.txt': input, 't.sh': script });
  const env = { COUNTS: folderWith() };
  const command = args('-j', '1', '--repeat', '20', '--confidence', '0.99', '--', './t.sh', '{}');
  const { stderr } = await culprit(command, { cwd, env });
  expect(stderr).toContain('1-minimal');
  expect(reduced(cwd)).toBe('BOOM');
});

test('a failure that looks steady until its result is tested again is searched again, with each test run until it is sure', async () => {
  // With all lines it always fails; with fewer, it shows in six runs of ten.
  const script = coin('[[ $text == *BOOM* ]] && { [[ $text == *one*two* ]] || (( coin < 60 )); }');
  const cwd = folderWith({ 'in.txt': input, 't.sh': script });
  const env = { COUNTS: folderWith() };
  const command = args('-j', '1', '--run', 'r', ...sure, '--json', '--', './t.sh', '{}');
  const { stderr, stdout } = await culprit(command, { cwd, env });
  expect(stderr).toContain('Searching again.');
  expect(stderr).toMatch(/flaky: fails in 40 of 40 runs/);
  // What only made the failure more frequent is kept.
  expect(reduced(cwd)).toBe('one\ntwo\nBOOM');
  expect(JSON.parse(stdout).rate.fails).toBe(40);
  const { rate, minimal } = JSON.parse(stdout);
  expect((await culprit(['resume', 'r'], { cwd, env })).code).toBe(0);
  expect(JSON.parse(readFileSync(join(cwd, 'r/summary.json'), 'utf8'))).toMatchObject({ rate, minimal });
});

test('a flaky run that is killed goes on to the result', async () => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': seeded });
  const run = start(args('--run', 'r', '--flaky', '0.7', ...sure, '--', './t.sh', '{}'), { cwd });
  const journal = () => {
    try {
      return readFileSync(join(cwd, 'r/journal.jsonl'), 'utf8');
    } catch {
      return '';
    }
  };
  while (!/"run 3: /.test(journal())) await new Promise(resolve => setTimeout(resolve, 20));
  run.kill('SIGKILL');
  await run.ended;
  const before = journal().trimEnd().split('\n').slice(0, -1);
  const resumed = await culprit(['resume', 'r'], { cwd });
  expect(resumed.code).toBe(0);
  expect(reduced(cwd)).toContain('BOOM');
  // Every run of the first leg is still there, once.
  const names = journal().match(/"test":"run \d+: [^"]+"/g)!;
  expect(new Set(names).size).toBe(names.length);
  expect(before.every(line => journal().includes(line))).toBe(true);
});

test('a test that always answers alike pays three more runs and nothing else', async () => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': boom.replace('if', 'echo run >> "$COUNT"; if') });
  const runs = async (...more: readonly string[]) => {
    const env = { COUNT: join(folderWith(), 'count') };
    const { code, stdout } = await culprit(args('-j', '1', '--json', ...more, '--', './t.sh', '{}'), { cwd, env });
    expect(code).toBe(0);
    const { executed, rate } = JSON.parse(stdout);
    expect(rate).toBeUndefined();
    return { executed, runs: readFileSync(env.COUNT, 'utf8').length / 4 };
  };
  const off = await runs('--flaky', 'off');
  const auto = await runs();
  expect(auto.executed).toBe(off.executed);
  expect(auto.runs - off.runs).toBeLessThanOrEqual(3);
});

test('--flaky, --confidence and --repeat that make no sense are refused in a sentence', async () => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': boom });
  for (const more of [
    ['--flaky', 'often'],
    ['--flaky', '1.2'],
    ['--confidence', '1'],
    ['--flaky', '0.5', '--no-cache'],
    ['--repeat', '3', '--no-cache'],
    ['--flaky', 'off', '--confidence', '0.9'],
  ]) {
    const { code, stderr } = await culprit(args(...more, '--', './t.sh', '{}'), { cwd });
    expect({ more, code }).toEqual({ more, code: 2 });
    expect(stderr).toContain(more[0]);
    expect(stderr).not.toMatch(/\n\s+at /);
  }
});

test('a failure that shows as often without any input is refused', async () => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': coin('(( coin < 50 ))') });
  const env = { COUNTS: folderWith() };
  const ended = await culprit(args('-j', '1', '--repeat', '6', '--', './t.sh', '{}'), { cwd, env });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('too often to distinguish the two');
});

test('the first bad commit of a flaky failure is found by single runs', async () => {
  const cwd = folderWith();
  const files = (i: number) => ({ 'v.txt': `revision ${'x'.repeat(i % 7)}${i}\n${i >= 23 ? 'BOOM\n' : ''}` });
  const history = Array.from({ length: 40 }, (_, i) => ({
    message: `commit ${i}`,
    parents: i === 0 ? [] : [i - 1],
    files: files(i),
  }));
  const ids = repositoryWith(cwd, history);
  const script = join(
    folderWith({ 't.sh': coin('{ [[ $text == *BOOM* ]] && (( coin < 80 )) || (( coin < 5 )); }') }),
    't.sh',
  );
  const env = { COUNTS: folderWith() };
  const versions = ['changes', ids[0]!, ids[39]!, '--granularity', 'commit'];
  const options = ['-j', '1', '--repeat', '10', '--run', 'r', '--json', '--', script, 'v.txt'];
  const { code, stdout, stderr } = await culprit([...versions, ...options], { cwd, env });
  expect(stderr).toMatch(/flaky: fails in \d+ of 40 runs/);
  expect(stderr).toContain('the first bad commit of 39');
  expect(JSON.parse(stdout).commits).toMatchObject([{ id: ids[23] }]);
  expect(code).toBe(0);
});

test('of a failure that shows only sometimes, changes says that its patches make it show in some runs or in none', async () => {
  const rate = (of: string) => ({ [`${of}/rate.js`]: `module.exports = ${of === 'old' ? 0 : 0.7};\n` });
  const program = "if (Math.random() < require('./rate.js')) throw new Error('sometimes');\n";
  const cwd = folderWith({ ...rate('old'), ...rate('new'), 'old/run.js': program, 'new/run.js': program });
  const how = ['--flaky', '0.7', '--confidence', '0.9', '--timeout', '60'];
  const { code, stdout, stderr } = await culprit(['changes', 'old', 'new', ...how, '--', 'node', 'run.js'], { cwd });
  expect(code).toBe(0);
  expect(stdout + stderr).toContain('revert.patch makes new pass in every run');
  expect(stdout + stderr).toContain('culprit.patch makes old fail in some runs');
});
