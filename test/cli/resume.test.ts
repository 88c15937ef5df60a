import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boom, culprit, folderWith, lines, main, start } from './culprit.js';
import { killedAt, uninterrupted } from './killed.js';
import { stableWithout } from './stable.js';

test.each([1, 2])('runs on %i workers killed with -9 and resumed end as if nothing had happened', async jobs => {
  const whole = await uninterrupted({ main, cwd: folderWith(), jobs });
  expect(whole.json).toMatchObject({ ended: 'done' });
  // Moments all over the run, in one, two or three legs; where exactly they fall is up to the machine.
  for (const shares of [[0.3], [0.5, 0.3], [0.85], [0.15, 0.6, 0.4]]) {
    const moments = shares.map(share => share * whole.milliseconds);
    const { finished, ...survival } = await killedAt(moments, { main, cwd: folderWith(), jobs });
    expect(survival).toMatchObject({ again: 0, isBestTrue: true, processes: [], folders: [] });
    expect(finished.result).toBe(whole.result);
    expect(finished.transcript).toEqual(whole.transcript);
    const stable = ({ seconds: _, speculative: __, output: ___, ...rest }: typeof whole.json) => rest;
    expect(stable(finished.json)).toEqual(stable(whole.json));
  }
});

const input = [...Array.from({ length: 60 }, (_, i) => `line ${i}`), 'BOOM', 'the end'].join('\n');

test.each([
  ['--max-tests', '7'],
  ['--max-time', '0.05'],
])('a run that %s stopped says so, and resume goes on to the end without it', async (option, value) => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': boom });
  const args = ['--timeout', '60', '--json', '--', './t.sh', '{}'];
  const whole = await culprit(['reduce', 'in.txt', ...args], { cwd });
  const stopped = await culprit(['reduce', 'in.txt', '--run', 'r', option, value, ...args], { cwd });
  expect(stopped.code).toBe(3);
  expect(JSON.parse(stopped.stdout)).toMatchObject({ ended: 'budget', minimal: [] });
  expect(stopped.stderr).toContain('culprit resume r');
  expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8')).toContain('BOOM');
  const resumed = await culprit(['resume', 'r'], { cwd });
  expect(resumed.code).toBe(0);
  const stable = stableWithout('run');
  expect(stable(resumed.stdout)).toEqual(stable(whole.stdout));
});

test('a budget of tests is the same on any number of workers', async () => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': boom });
  const of = async (jobs: number) => {
    const args = [
      'reduce',
      'in.txt',
      '-j',
      String(jobs),
      '--max-tests',
      '9',
      '--timeout',
      '60',
      '--json',
      '--run',
      `r${jobs}`,
    ];
    const { stdout } = await culprit([...args, '--', './t.sh', '{}'], { cwd });
    const { tests, cached, after } = JSON.parse(stdout);
    return { tests, cached, after, best: readFileSync(join(cwd, `r${jobs}/best/in.txt`), 'utf8') };
  };
  const one = await of(1);
  expect(await of(2)).toEqual(one);
  expect(await of(8)).toEqual(one);
});

test('a budget that is already used up, and Ctrl-C at once, leave the result as it was', async () => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': boom });
  const first = await culprit(['reduce', 'in.txt', '--json', '--run', 'r', '--', './t.sh', '{}'], { cwd });
  const result = () => readFileSync(join(cwd, 'in.reduced.txt'), 'utf8');
  expect(result()).toBe('BOOM');
  for (const budget of [
    ['--max-tests', '3'],
    ['--max-time', '0.01'],
  ]) {
    const { code, stdout } = await culprit(['resume', 'r', ...budget], { cwd });
    expect(result()).toBe('BOOM');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).after).toEqual(JSON.parse(first.stdout).after);
  }
});

test.each([1, 2, 3, 4, 6, 8])(
  'Ctrl-C after %d00 ms of a resumed run never gives a larger result than before',
  async tenths => {
    const cwd = folderWith({ 'in.txt': input, 't.sh': boom });
    await culprit(['reduce', 'in.txt', '--run', 'r', '--max-tests', '25', '--', './t.sh', '{}'], { cwd });
    const size = () => readFileSync(join(cwd, 'in.reduced.txt')).length;
    const before = size();
    const resumed = start(['resume', 'r'], { cwd });
    setTimeout(() => resumed.kill('SIGINT'), tenths * 100);
    const { code } = await resumed.ended;
    expect([null, 0, 3]).toContain(code);
    expect(size()).toBeLessThanOrEqual(before);
  },
);

test('without a name the newest run is resumed, wherever the user stands in between', async () => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': boom });
  const args = ['--max-tests', '3', '--', './t.sh', '{}'];
  await culprit(['reduce', 'in.txt', ...args], { cwd });
  await culprit(['reduce', 'in.txt', ...args], { cwd });
  const { code, stderr } = await culprit(['resume'], { cwd });
  expect(code).toBe(0);
  expect(stderr).toContain('.culprit/in-2/report.html');
  const elsewhere = await culprit(['resume', join(cwd, '.culprit/in-1')], { cwd: '/' });
  expect(elsewhere.code).toBe(0);
  expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8')).toBe('BOOM');
});

test('a run is resumed from what it was given, also when that is gone', async () => {
  const cwd = folderWith({ 'src/a.txt': input, 'src/b.txt': 'nothing', 't.sh': boom });
  const line = `cat {}/* > "$TMPDIR/all"; ${join(cwd, 't.sh')} "$TMPDIR/all"`;
  await culprit(['reduce', 'src', '--max-tests', '3', '--', line], { cwd });
  rmSync(join(cwd, 'src'), { recursive: true });
  const { code, stderr } = await culprit(['resume'], { cwd });
  expect(stderr).toContain('Done');
  expect(code).toBe(0);
  expect(readFileSync(join(cwd, 'src.reduced/a.txt'), 'utf8')).toBe('BOOM');
});

test('a last line that was cut off is tested again, and nothing else', async () => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': boom.replace('if', 'echo run >> "$LOG"\nif') });
  const how = { cwd, env: { LOG: join(cwd, 'log') } };
  await culprit(['reduce', 'in.txt', '-j', '1', '--timeout', '60', '--run', 'r', '--', './t.sh', '{}'], how);
  const journal = join(cwd, 'r/journal.jsonl');
  const whole = lines(journal);
  const at = whole.findLastIndex(line => line.startsWith('{"test"'));
  writeFileSync(journal, `${whole.slice(0, at).join('\n')}\n${whole[at]!.slice(0, 30)}`);
  writeFileSync(join(cwd, 'log'), '');
  expect((await culprit(['resume', 'r'], how)).code).toBe(0);
  expect(lines(join(cwd, 'log'))).toEqual(['run']);
  const events = (all: readonly string[]) =>
    all.map(line => JSON.parse(line)).flatMap(({ event }) => (event && event.type !== 'ended' ? [event] : []));
  expect(events(lines(journal))).toEqual(events(whole));
});

test('--no-cache tests again what was tested before, and still resumes without a test', async () => {
  const cwd = folderWith({ 'in.txt': 'x\nBOOM\ny\n', 't.sh': boom.replace('if', 'echo run >> "$LOG"\nif') });
  const how = { cwd, env: { LOG: join(cwd, 'log') } };
  await culprit(['reduce', 'in.txt', '--no-cache', '--timeout', '60', '--run', 'r', '--', './t.sh', '{}'], how);
  const { tests } = JSON.parse(readFileSync(join(cwd, 'r/summary.json'), 'utf8'));
  // Twice the original, once the empty input, and every question of the search.
  expect(lines(join(cwd, 'log'))).toHaveLength(tests + 3);
  writeFileSync(join(cwd, 'log'), '');
  expect((await culprit(['resume', 'r'], how)).code).toBe(0);
  expect(lines(join(cwd, 'log'))).toEqual([]);
});

test('what a process left that was killed before it could mark its folder is no obstacle; a file of somebody else is', async () => {
  const reduce = (cwd: string) =>
    culprit(['reduce', 'in.txt', '--run', 'r', '--max-tests', '1', '--', './t.sh', '{}'], { cwd });
  const files = { 'in.txt': 'a\nBOOM\nb\n', 't.sh': boom };
  expect((await reduce(folderWith({ ...files, 'r/.tmp-0123456789abcdef': '# Made' }))).code).toBe(3);
  const refused = await reduce(folderWith({ ...files, 'r/.gitignore': '' }));
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain('.gitignore, which culprit did not write');
});

test('with a larger limit on tests, a resumed search of changes takes the same steps, and asks the ends again when there is room', async () => {
  const values = (from: number) => Array.from({ length: 40 }, (_, i) => `value${i} = ${i + from}\n\n`).join('');
  // From the second time on, the old version fails too.
  const sometimes = `#!/bin/sh
    grep -q 'value20 = 120' $1/a.txt && exit 1
    cmp -s $1/a.txt "$PWD_OLD/a.txt" || exit 0
    echo run >> "$PWD_OLD.runs"
    test "$(wc -l < "$PWD_OLD.runs")" -lt 3`;
  const cwd = folderWith({ 'old/a.txt': values(0), 'new/a.txt': values(100), 't.sh': sometimes });
  const env = { PWD_OLD: join(cwd, 'old') };
  const args = [
    'changes',
    'old',
    'new',
    '--coverage',
    'none',
    '-j',
    '1',
    '--run',
    'r',
    '--max-tests',
    '3',
    '--',
    './t.sh',
    '{}',
  ];
  const stopped = await culprit(args, { cwd, env });
  expect(stopped.code).toBe(3);
  const steps = () => lines(join(cwd, 'r/journal.jsonl')).flatMap(line => JSON.parse(line).event ?? []);
  const before = steps();
  const resumed = await culprit(['resume', 'r', '--max-tests', '60'], { cwd, env });
  const unsteady = 'The test does not always say the same: the old version';
  expect(resumed.stderr).toContain(unsteady);
  expect(steps().slice(0, before.length)).toEqual(before);
  // It is asked where a search that had no room at first asks it: behind everything else.
  const asked = steps().findIndex(({ text }) => text?.startsWith(unsteady));
  expect(asked).toBeGreaterThan(steps().findLastIndex(({ type }) => type === 'answered'));
});
