/** Paths that can't be read or written are refused in a sentence, whichever option they are given to. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boom, culprit, folderWith } from './culprit.js';

const command = ['--', './t.sh', '{}'];

/** Root may read everything, unless it gives that up. */
const likeOthers: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];

/** Every place of a command line at which a path is read or written. */
const uses: readonly (readonly [string, (path: string) => readonly string[]])[] = [
  ['reduce', path => ['reduce', path, ...command]],
  ['reduce --output', path => ['reduce', 'in.txt', '-o', path, ...command]],
  ['reduce --run', path => ['reduce', 'in.txt', '--run', path, ...command]],
  ['reduce --grammar', path => ['reduce', 'in.txt', '--grammar', path, ...command]],
  ['isolate', path => ['isolate', 'in.txt', path, ...command]],
  ['changes', path => ['changes', path, path, ...command]],
  ['actions', path => ['actions', path]],
  ['traffic', path => ['traffic', path, '--serve', '--', 'true', '{}']],
  ['env --failing', path => ['env', '--failing', path, '--', './t.sh', 'in.txt']],
  ['options --try-file', path => ['options', '--prevent', '--try-file', path, '--', './t.sh', 'in.txt']],
  ['schedules --replay', path => ['schedules', '--replay', path]],
  ['triage', path => ['triage', path, ...command]],
  ['triage --out', path => ['triage', 'in.txt', '--out', path, ...command]],
  ['triage --reports', path => ['triage', 'in.txt', '--reports', path, ...command]],
  ['worker --trust', path => ['worker', 'redis://127.0.0.1:1', '--allow', 'any', '--trust', path]],
  ['resume', path => ['resume', path]],
  ['report', path => ['report', path]],
  ['verify', path => ['verify', path]],
];

const files = { 'in.txt': 'a\nBOOM\nb\n', 't.sh': boom };

async function expectRefusals(path: string, cwd: string, within: readonly string[] = []): Promise<void> {
  const before = readdirSync(cwd).sort();
  for (const [use, args] of uses) {
    const { code, stderr } = await culprit(args(path), { cwd, within: [...within, 'timeout', '-s', 'KILL', '20'] });
    expect([1, 2], `${use}: exit ${code}\n${stderr}`).toContain(code);
    expect(stderr, use).toMatch(/^culprit: .+\n.+/);
    expect(stderr, use).not.toMatch(/^ {4}at |internal error/m);
    expect(readdirSync(cwd).sort(), use).toEqual(before);
  }
}

test('a name that is too long for the file system is refused', async () => {
  await expectRefusals('L'.repeat(300), folderWith(files));
});

test('a link that leads back to itself is refused', async () => {
  const cwd = folderWith(files);
  symlinkSync('loop', join(cwd, 'loop'));
  await expectRefusals('loop', cwd);
});

test('a path below a file is refused', async () => {
  await expectRefusals('in.txt/x', folderWith(files));
});

test('a pipe that nobody writes into is refused, and not waited for', async () => {
  const cwd = folderWith(files);
  spawnSync('mkfifo', [join(cwd, 'pipe')]);
  await expectRefusals('pipe', cwd);
});

test.each(['closed', 'closed/r'])('a path that may not be looked at is refused: %s', async path => {
  const cwd = folderWith({ ...files, 'closed/r/journal.jsonl': '' });
  chmodSync(join(cwd, 'closed'), 0);
  await expectRefusals(path, cwd, likeOthers);
  chmodSync(join(cwd, 'closed'), 0o700);
});

test('an empty path is refused, and is not the folder that culprit is in', async () => {
  await expectRefusals('', folderWith(files));
});

test('what a damaged file contains does not reach the terminal as it is', async () => {
  const cwd = folderWith({ 'x.har': '\x1b]0;title\x07{' });
  const { code, stderr } = await culprit(['traffic', 'x.har', '--serve', '--', 'true'], { cwd });
  expect(code).toBe(2);
  expect(stderr).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
});

test('a result whose default name is too long is refused before the first test', async () => {
  const name = `${'L'.repeat(250)}.txt`;
  const cwd = folderWith({ [name]: 'BOOM\n', 't.sh': boom });
  const { code, stderr } = await culprit(['reduce', name, ...command], { cwd });
  expect(stderr).toMatch(/can't be written: ENAMETOOLONG.*\nChoose another path with --run or --output\./);
  expect(code).toBe(2);
});

test('a name that is not UTF-8 is explained', async () => {
  const cwd = folderWith(files);
  const { code, stderr } = await culprit([], {
    cwd,
    within: ['bash', '-c', `exec "$0" "$@" reduce $'bad\\xff.txt' -- ./t.sh {}`],
  });
  expect(stderr).toContain('not valid UTF-8');
  expect(code).toBe(2);
});

test('an environment may come from a command of the shell, and its result goes into this folder', async () => {
  const cwd = folderWith({ 't.sh': '#!/bin/sh\n[ -z "$A" ] || { echo "Error: A" >&2; exit 1; }\n' });
  const script = 'exec "$0" "$@" env --failing <(printf "PATH=$PATH\\nA=1\\nB=2\\n") -- ./t.sh';
  const { code, stderr } = await culprit([], { cwd, within: ['bash', '-c', script] });
  expect(code, stderr).toBe(0);
  expect(readdirSync(cwd).sort()).toEqual(['.culprit', 'env.reduced.env', 't.sh']);
});

test('a folder that was deleted while a shell was in it is named as the reason', async () => {
  const cwd = folderWith(files);
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@" reduce ../in.txt -- ../t.sh {}';
  const { code, stderr } = await culprit([], { cwd, within: ['sh', '-c', script] });
  expect(stderr).toContain('The folder that you are in no longer exists.');
  expect(code).toBe(2);
});
