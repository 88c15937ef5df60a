import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boom, culprit, folderWith, leftBehindBy, lines, processesWith, start, until } from './culprit.js';
import { stableWithout } from './stable.js';

/** Of this, one line matters: enough to be busy with for a while. */
const input = [...Array.from({ length: 120 }, (_, i) => `line ${i} of the input`), 'BOOM', ''].join('\n');
const slow = boom.replace('if grep', 'sleep 0.05\nif grep');
const command = ['--timeout', '60', '--', './t.sh', '{}'];

/** Writes fail where a full disk would make them fail; the signal that comes with this limit is ignored. */
const withFilesOf = (blocks: number) => ['/bin/sh', '-c', `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`, 'sh'];

test.each([
  ['the journal', 16],
  ['the page', 200],
])('a disk that is full when %s is written ends the run in a sentence, and it can go on', async (what, blocks) => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': boom });
  const args = ['reduce', 'in.txt', '--run', 'r', '--json', ...command];
  const whole = await culprit(args.with(3, 'whole'), { cwd });
  const full = await culprit(args, { cwd, within: withFilesOf(blocks) });
  expect(full.stderr).not.toMatch(/^ {4}at /m);
  expect(full.stderr).toMatch(/(can't|could not) be written: EFBIG/);
  if (what === 'the page') {
    expect(full.code).toBe(0);
    expect(JSON.parse(full.stdout)).toMatchObject({ ended: 'done' });
  } else {
    expect(full.code).toBe(1);
    expect(full.stderr).toContain('Free some disk space');
    expect(full.stderr).toContain('culprit resume r');
    expect(readFileSync(join(cwd, 'r/best/in.txt'), 'utf8')).toContain('BOOM');
  }
  const resumed = await culprit(['resume', 'r'], { cwd });
  expect(resumed.code).toBe(0);
  const stable = stableWithout('run');
  expect(stable(resumed.stdout)).toEqual(stable(whole.stdout));
});

test('a result that standard output has no room for is an error, and one that nobody reads to the end is none', async () => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': boom });
  const run = (name: string, redirected: string) =>
    culprit(['reduce', 'in.txt', '--run', name, '-o', '-', ...command], {
      cwd,
      within: ['bash', '-c', `set -o pipefail; "$@" ${redirected}`, 'bash'],
    });
  const full = await run('full', '>/dev/full');
  expect(full.stderr).toContain("Standard output can't be written: ENOSPC");
  expect(full.stderr).toContain('The result is kept in full.');
  expect(full.code).toBe(1);
  expect((await run('head', '| true')).code).toBe(0);
});

test('a second culprit is kept out of a run folder that is in use, and the first continues', async () => {
  // It is slow until a file says otherwise: the others must find it running.
  const waiting = boom.replace('if grep', '[ -e "$GO" ] || sleep 0.5\nif grep');
  const cwd = folderWith({ 'in.txt': input, 't.sh': waiting });
  const first = start(['reduce', 'in.txt', '--run', 'r', ...command], { cwd, env: { GO: join(cwd, 'go') } });
  expect(await until(() => existsSync(join(cwd, 'r/best/in.txt')))).toBe(true);
  for (const args of [
    ['resume', 'r'],
    ['reduce', 'in.txt', '--run', 'r', ...command],
  ]) {
    const second = await culprit(args, { cwd });
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`in use by another culprit (process ${first.pid})`);
  }
  writeFileSync(join(cwd, 'go'), '');
  expect((await first.ended).code).toBe(0);
  expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8')).toBe('BOOM');
  expect(existsSync(join(cwd, 'r/lock'))).toBe(false);
});

test('culprits that start in the same moment each have a folder of their own', async () => {
  const cwd = folderWith({ 'in.txt': 'x\nBOOM\n', 't.sh': boom });
  const args = (n: number) => ['reduce', 'in.txt', '-o', `out${n}`, '--json', ...command];
  const all = await Promise.all([1, 2, 3].map(n => culprit(args(n), { cwd })));
  expect(all.map(each => each.code)).toEqual([0, 0, 0]);
  const runs = all.map(each => JSON.parse(each.stdout).run);
  expect(new Set(runs).size).toBe(3);
});

test('an original that changes while it is reduced is reported, and the result is that of the old one', async () => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': slow });
  const run = start(['reduce', 'in.txt', '--run', 'r', '--json', ...command], { cwd });
  expect(await until(() => existsSync(join(cwd, 'r/best/in.txt')))).toBe(true);
  writeFileSync(join(cwd, 'in.txt'), 'something else\n');
  const { code, stdout, stderr } = await run.ended;
  expect(code).toBe(1);
  expect(stderr).toContain('in.txt changed while it was being reduced');
  expect(stderr).toContain('r/original');
  expect(JSON.parse(stdout)).toMatchObject({ ended: 'done' });
  expect(readFileSync(join(cwd, 'r/original/in.txt'), 'utf8')).toBe(input);
  expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8')).toBe('BOOM');
  expect(readFileSync(join(cwd, 'in.txt'), 'utf8')).toBe('something else\n');
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s stops a run with its best on disk, exit 3 and the way on',
  async signal => {
    const cwd = folderWith({ 'in.txt': input, 't.sh': slow });
    const mark = `mark${process.pid}-${signal}`;
    const run = start(['reduce', 'in.txt', '--run', 'r', '--json', ...command], { cwd, env: { MARK: mark } });
    expect(
      await until(() => existsSync(join(cwd, 'r/journal.jsonl')) && lines(join(cwd, 'r/journal.jsonl')).length > 20),
    ).toBe(true);
    run.kill(signal);
    const { code, stdout, stderr } = await run.ended;
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ ended: 'interrupted', minimal: [], run: 'r' });
    expect(stderr).toContain('culprit resume r');
    expect(stderr).toContain(join(cwd, 'in.reduced.txt'));
    const best = readFileSync(join(cwd, 'r/best/in.txt'), 'utf8');
    expect(best).toContain('BOOM');
    expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8')).toBe(best);
    expect(processesWith(mark)).toEqual([]);
    expect(leftBehindBy(run.pid!)).toEqual([]);
    expect((await culprit(['resume'].concat('r'), { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8')).toBe('BOOM');
  },
);

test('an interrupt during the first run is no bug, and resume begins where it was', async () => {
  const cwd = folderWith({ 'in.txt': 'x\nBOOM\n', 't.sh': boom.replace('if', 'echo run >> "$LOG"; sleep 0.4\nif') });
  const how = { cwd, env: { LOG: join(cwd, 'log') } };
  // How many more runs look for a flaky failure depends on how long a run takes, so there are none here.
  const run = start(['reduce', 'in.txt', '--run', 'r', '--flaky', 'off', ...command], how);
  expect(await until(() => existsSync(join(cwd, 'log')) && lines(join(cwd, 'log')).length === 2)).toBe(true);
  run.kill('SIGINT');
  const { code, stderr } = await run.ended;
  expect(code).toBe(3);
  expect(stderr).toContain('stopped during the first run');
  expect(stderr).toContain('culprit resume r');
  writeFileSync(join(cwd, 'log'), '');
  expect((await culprit(['resume', 'r'], how)).code).toBe(0);
  // The second go at the original, the empty input, and the search; but not the first go.
  const { length } = lines(join(cwd, 'log'));
  const { executed, speculative } = JSON.parse(readFileSync(join(cwd, 'r/summary.json'), 'utf8'));
  // The search may ask for the empty input, which is not run again.
  expect([executed + speculative, executed + speculative - 1]).toContain(length - 2);
});

test('a reader of the output that goes away does not end a run', async () => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': boom });
  const run = start(['reduce', 'in.txt', ...command], { cwd });
  run.stderr?.once('data', () => run.stderr?.destroy());
  expect((await run.ended).code).toBe(0);
  expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8')).toBe('BOOM');
});

test('nothing is left beside the original but the result and the run', async () => {
  const cwd = folderWith({ 'in.txt': input, 't.sh': boom });
  const run = start(['reduce', 'in.txt', ...command], { cwd });
  await run.ended;
  expect(readdirSync(cwd).sort()).toEqual(['.culprit', 'in.reduced.txt', 'in.txt', 't.sh']);
  expect(readdirSync(join(cwd, '.culprit')).sort()).toEqual(['.gitignore', 'in-1', 'made']);
  expect(readdirSync(join(cwd, '.culprit/in-1')).sort()).toEqual([
    '.gitignore',
    'best',
    'journal.jsonl',
    'made',
    'original',
    'origins.json',
    'report.html',
    'summary.json',
  ]);
  expect(leftBehindBy(run.pid!)).toEqual([]);
});
