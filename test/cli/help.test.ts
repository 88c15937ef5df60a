/** The help of every command, and what is made from the same source: completions and the man page. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bashCompletion } from '../../src/cli/completion/bash.js';
import { fishCompletion } from '../../src/cli/completion/fish.js';
import { shapesOf } from '../../src/cli/completion/shape.js';
import { zshCompletion } from '../../src/cli/completion/zsh.js';
import { manualOf } from '../../src/cli/manual.js';
import { program } from '../../src/cli/program.js';
import { culprit as call, folderWith } from './culprit.js';

const culprit = program();
const shapes = shapesOf(culprit);

function helpOf(command: typeof culprit): string {
  let text = '';
  command.configureOutput({ writeOut: part => (text += part) }).outputHelp();
  return text;
}

const all = [culprit, ...culprit.commands].map(command => [command.name(), command] as const);

test.each(all)('the help of %s fits into 80 columns', (_, command) => {
  expect(
    helpOf(command)
      .split('\n')
      .filter(line => line.length > 80),
  ).toEqual([]);
});

test.each(all)('the help of %s has an example', (_, command) => {
  expect(helpOf(command)).toMatch(/Examples?:[\s\S]*\n {2}.*culprit /);
});

test.each(all.slice(1))('the options of %s are in groups if there are many', (_, command) => {
  const own = command.options.filter(option => !option.hidden);
  const inDefault = own.filter(option => (option.helpGroupHeading ?? 'Options:') === 'Options:');
  expect(inDefault.length).toBeLessThanOrEqual(20);
  if (own.length > 20) expect(new Set(own.map(option => option.helpGroupHeading)).size).toBeGreaterThan(3);
});

test('the commands are in groups', () => {
  expect(helpOf(culprit)).toMatch(/Find what matters:[\s\S]*\n {2}reduce [\s\S]*Runs:[\s\S]*\n {2}resume [\s\S]*More:/);
});

/** What bash offers for the last word of a line. */
function offered(line: readonly string[], cwd: string): readonly string[] {
  const script = `${bashCompletion(shapes)}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _culprit; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script, 'bash', ...line], { cwd, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

test('bash completes commands, options, their values, files, and the command after --', () => {
  const cwd = folderWith({ 'bug.c': '', 'my bug.c': '', '.culprit/bug-1/journal.jsonl': '' });
  const bash = (...line: string[]) => offered(['culprit', ...line], cwd);
  expect(bash('re')).toEqual(['reduce', 'resume', 'report', 'record']);
  expect(bash('reduce', '--lev')).toEqual(['--level']);
  expect(bash('reduce', '--level', '')).toEqual(['lexical', 'syntactic', 'semantic']);
  expect(bash('reduce', 'b')).toEqual(['bug.c']);
  expect(bash('reduce', 'my')).toEqual(['my bug.c']);
  expect(bash('reduce', 'bug.c', '-o', 'bu')).toEqual(['bug.c']);
  expect(bash('reduce', 'bug.c', '--jobs', '')).toEqual([]);
  expect(bash('reduce', 'bug.c', '--', 'ec')).toContain('echo');
  expect(bash('reduce', 'bug.c', '--', 'gcc', '--')).toEqual([]);
  expect(bash('resume', '')).toEqual(['.culprit/bug-1']);
  expect(bash('completion', '')).toEqual(['bash', 'zsh', 'fish']);
});

test('every option that a help shows is completed in every shell, and is in the man page', () => {
  const texts = [bashCompletion(shapes), zshCompletion(shapes), manualOf(culprit, new Map())];
  const fish = fishCompletion(shapes);
  for (const { name, options } of shapes)
    for (const { long } of options) {
      for (const text of texts) expect(text.replaceAll('\\-', '-'), `${name} ${long}`).toContain(long);
      expect(fish).toContain(`from ${name}; and not contains -- -- (commandline -opc)' -l ${long.slice(2)} `);
    }
});

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

test.skipIf(!has('zsh'))('zsh can read its completion (needs zsh)', () => {
  expect(spawnSync('zsh', ['-n'], { input: zshCompletion(shapes), encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
});

test.skipIf(!has('fish'))('fish can read its completion (needs fish)', () => {
  const cwd = folderWith({ 'culprit.fish': fishCompletion(shapes) });
  expect(spawnSync('fish', ['-n', 'culprit.fish'], { cwd, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});

test.skipIf(!has('groff'))('groff can read the man page (needs groff)', () => {
  const { status, stderr } = spawnSync('groff', ['-man', '-Tascii', '-ww', '-z'], {
    input: manualOf(culprit, new Map()),
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('`culprit completion` prints the script, and refuses other shells', async () => {
  const cwd = folderWith();
  expect((await call(['completion', 'bash'], { cwd })).stdout).toBe(bashCompletion(shapes));
  const other = await call(['completion', 'csh'], { cwd });
  expect(other.stderr).toMatch(/Allowed choices are bash, zsh, fish/);
  expect(other.code).toBe(2);
});
