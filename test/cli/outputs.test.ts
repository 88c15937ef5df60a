import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.js';

/** Copies its input to its output, and fails as long as the output has the word in it. */
const tool = '#!/bin/sh\n. "$(dirname "$0")/helper.sh"\ncp "$1" "$3"\nif grep -q bug "$3"; then refuse; fi\n';
const helper = 'refuse() { echo "error: a bug" >&2; exit 3; }\n';

async function reduceWith(out: string, files: Readonly<Record<string, string>>, more: readonly string[] = []) {
  const cwd = folderWith({ 'in.txt': 'one\ntwo bug\nthree\nfour\n', 'tool.sh': tool, 'helper.sh': helper, ...files });
  chmodSync(join(cwd, 'tool.sh'), 0o755);
  const args = ['reduce', 'in.txt', '--json', '--timeout', '60', ...more, '--', './tool.sh', '{}', '-o', out];
  const { code, stdout, stderr } = await culprit(args, { cwd });
  expect(code, stderr).toBe(0);
  return { cwd, stderr, json: JSON.parse(stdout), left: readFileSync(join(cwd, 'in.reduced.txt'), 'utf8') };
}

test.each([1, 4])('a file that the command writes is not written by tests on %i workers', async jobs => {
  const { cwd, left, stderr } = await reduceWith('out.txt', { 'out.txt': 'mine' }, ['-j', String(jobs)]);
  expect(left).toBe('bug');
  expect(readFileSync(join(cwd, 'out.txt'), 'utf8')).toBe('mine');
  expect(stderr).toContain('The command writes to out.txt');
});

test('neither is one in a folder beside the user, or one that is given in full', async () => {
  const elsewhere = folderWith({ 'out.txt': 'mine' });
  const { left } = await reduceWith(join(elsewhere, 'out.txt'), {});
  expect(left).toBe('bug');
  expect(readFileSync(join(elsewhere, 'out.txt'), 'utf8')).toBe('mine');
  const inFolder = await reduceWith('build/out.txt', { 'build/out.txt': 'mine' });
  expect(inFolder.left).toBe('bug');
  expect(readFileSync(join(inFolder.cwd, 'build/out.txt'), 'utf8')).toBe('mine');
});

test.each([
  ['given in full', (cwd: string) => join(cwd, 'build/new.txt')],
  ['given in full after an option', (cwd: string) => `--to=${join(cwd, 'build/new.txt')}`],
  ['in a folder of the user', () => 'build/new.txt'],
])('a new file %s is written in the folder of the test, on any number of workers', async (_, outIn) => {
  const copying =
    '#!/bin/sh\nto=$(echo "$2" | sed s/--to=//)\ncp "$1" "$to" || exit 9\nsleep 0.02\ngrep -q bug "$to" && exit 3\nexit 0\n';
  const cwd = folderWith({ 'in.txt': 'one\ntwo bug\nthree\nfour\n', 'tool.sh': copying, 'build/old.txt': 'mine' });
  chmodSync(join(cwd, 'tool.sh'), 0o755);
  const args = ['reduce', 'in.txt', '-j', '4', '--json', '--', './tool.sh', '{}', outIn(cwd)];
  const { code, stdout, stderr } = await culprit(args, { cwd });
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ minimal: ['line', 'node', 'token', 'character'] });
  expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8')).toBe('bug');
  expect(readdirSync(join(cwd, 'build'))).toEqual(['old.txt']);
});

test('a program among the words may be longer than any name of a file', async () => {
  const cwd = folderWith({ 'in.txt': 'one\nbug\n' });
  const program = `$0 ~ "bug" { exit 3 } # ${'long '.repeat(100)}`;
  const { code, stderr } = await culprit(['reduce', 'in.txt', '--', 'awk', program, '{}'], { cwd });
  expect(code, stderr).toBe(0);
  expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8')).toBe('bug');
});

test('a file that the command only reads is the one of the user', async () => {
  const cwd = folderWith({ 'in.txt': 'one\ntwo bug\n', 'words.txt': 'bug\n' });
  const before = statSync(join(cwd, 'words.txt')).mtimeMs;
  const args = ['reduce', 'in.txt', '--interesting', '--', 'grep', '-q', '-f', 'words.txt', '{}'];
  const { code, stderr } = await culprit(args, { cwd });
  expect(code, stderr).toBe(0);
  expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8')).toBe('bug');
  expect(stderr).not.toContain('writes to');
  expect(stderr).toContain(join(cwd, 'words.txt'));
  expect(statSync(join(cwd, 'words.txt')).mtimeMs).toBe(before);
});

test('what the command reads and then writes is as the user has it whenever a test begins', async () => {
  const counting =
    '#!/bin/sh\nread n < "$2"; echo $((n + 1)) > "$2"; [ "$n" = 7 ] && grep -q bug "$1" && exit 3\nexit 0\n';
  const cwd = folderWith({ 'in.txt': 'one\nbug\n', 'tool.sh': counting, count: '7\n' });
  chmodSync(join(cwd, 'tool.sh'), 0o755);
  const { code, stderr } = await culprit(['reduce', 'in.txt', '--', './tool.sh', '{}', 'count'], { cwd });
  expect(code, stderr).toBe(0);
  expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8')).toBe('bug');
  expect(readFileSync(join(cwd, 'count'), 'utf8')).toBe('7\n');
});

test('a shell line finds the files of the user, and writes none of them', async () => {
  const files = { 'out.txt': 'mine', 'log.txt': 'mine', 'words.txt': 'bug\n' };
  const cwd = folderWith({ 'in.txt': 'one\ntwo bug\nthree\n', 'tool.sh': tool, 'helper.sh': helper, ...files });
  const line = 'grep -qf words.txt {} && sh tool.sh {} -o out.txt > log.txt';
  const { code, stderr } = await culprit(['reduce', 'in.txt', '--', line], { cwd });
  expect(code, stderr).toBe(0);
  expect(readFileSync(join(cwd, 'in.reduced.txt'), 'utf8')).toBe('bug');
  expect(stderr).toContain('The command writes to out.txt');
  expect(readFileSync(join(cwd, 'out.txt'), 'utf8')).toBe('mine');
  expect(readFileSync(join(cwd, 'log.txt'), 'utf8')).toBe('mine');
});

test('neither does a test of the result that verify runs again', async () => {
  const { cwd } = await reduceWith('out.txt', { 'out.txt': 'mine' });
  const { code, stderr } = await culprit(['verify', '--rerun', 'all'], { cwd });
  expect(code, stderr).toBe(0);
  expect(readFileSync(join(cwd, 'out.txt'), 'utf8')).toBe('mine');
});

/** A tool that is part of what is searched. It finds its data beside it, and copies it to its output. */
const own = '#!/bin/sh\ncp data.txt "$2"; if grep -q bug "$2"; then echo "error: a bug" >&2; exit 3; fi\n';

test.each([
  ['as a name', () => 'out.txt'],
  ['in full', (cwd: string) => join(cwd, 'out.txt')],
])('changes writes no file of the user that is named %s', async (_, outIn) => {
  const cwd = folderWith({
    'old/data.txt': 'one\ntwo\n',
    'new/data.txt': 'one\nbug\n',
    'old/tool.sh': own,
    'new/tool.sh': own,
    'out.txt': 'mine',
  });
  for (const side of ['old', 'new']) chmodSync(join(cwd, side, 'tool.sh'), 0o755);
  const { code, stderr } = await culprit(['changes', 'old', 'new', '--', './tool.sh', '-o', outIn(cwd)], { cwd });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('The command writes to');
  expect(readFileSync(join(cwd, 'out.txt'), 'utf8')).toBe('mine');
});

test('options writes no file of the user that is named in full', async () => {
  const elsewhere = folderWith({ 'out.txt': 'mine' });
  const cwd = folderWith({ 'data.txt': 'one\nbug\n', 'tool.sh': own, 'out.txt': 'mine' });
  chmodSync(join(cwd, 'tool.sh'), 0o755);
  for (const folder of [cwd, elsewhere]) {
    const { code, stderr } = await culprit(['options', '--', './tool.sh', '-o', join(folder, 'out.txt')], { cwd });
    expect(code, stderr).toBe(0);
    expect(readFileSync(join(folder, 'out.txt'), 'utf8')).toBe('mine');
  }
});

test('schedules writes no file of the user that is named in full', async () => {
  const program = "const { writeFileSync } = require('fs');\nwriteFileSync(process.argv[2], 'written');\n";
  const cwd = folderWith({ 'run.js': program, 'out.txt': 'mine' });
  const args = ['schedules', '--tries', '2', '--', 'node', 'run.js', join(cwd, 'out.txt')];
  const { code, stderr } = await culprit(args, { cwd });
  expect([0, 1], stderr).toContain(code);
  expect(stderr).toContain('The command writes to');
  expect(readFileSync(join(cwd, 'out.txt'), 'utf8')).toBe('mine');
});

test('neither do reduce of a folder and triage', async () => {
  const copying = '#!/bin/sh\ncat "$1"/* > "$3" 2>&1; cat "$1" >> "$3" 2>&1\nif grep -q bug "$3"; then exit 3; fi\n';
  const cwd = folderWith({ 'in/a.txt': 'bug\n', 'in/b.txt': 'one bug\n', 'tool.sh': copying, 'out.txt': 'mine' });
  chmodSync(join(cwd, 'tool.sh'), 0o755);
  for (const job of ['reduce', 'triage']) {
    const { code, stderr } = await culprit([job, 'in', '--', './tool.sh', '{}', '-o', 'out.txt'], { cwd });
    expect(code, stderr).toBe(0);
    expect(readFileSync(join(cwd, 'out.txt'), 'utf8')).toBe('mine');
  }
});
