/** Inputs beyond a file by its name: standard input and output, folders with packages and ignored files. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boom, culprit, folderWith, main, start } from './culprit.js';

const piped = (input: string, args: readonly string[], cwd: string) =>
  spawnSync(process.execPath, [main, ...args], { cwd, input, encoding: 'utf8' });

test('`reduce -` reads standard input, and `-o -` writes the result and nothing else to standard output', () => {
  const cwd = folderWith({ 't.sh': boom });
  const ended = piped('a\nBOOM\nb\n', ['reduce', '-', '-o', '-', '--', './t.sh', '{}'], cwd);
  expect(ended.stderr).toContain('1-minimal');
  expect(ended.status).toBe(0);
  expect(ended.stdout).toBe('BOOM');
  expect(readdirSync(cwd).sort()).toEqual(['.culprit', 't.sh']);
});

test('standard input may come slower than culprit starts, and Ctrl-C ends the waiting', async () => {
  const cwd = folderWith({ 't.sh': boom });
  const args = ['reduce', '-', '-o', '-', '--', './t.sh', '{}'];
  const slow = start(args, { cwd, within: ['sh', '-c', '(echo a; sleep 2; echo BOOM) | exec "$@"', 'sh'] });
  const { code, stdout, stderr } = await slow.ended;
  expect(code, stderr).toBe(0);
  expect(stdout).toBe('BOOM');
  const never = spawn(process.execPath, [main, ...args], { cwd, stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = new Promise(resolve => never.on('exit', resolve));
  await new Promise(resolve => setTimeout(resolve, 2000));
  never.kill('SIGINT');
  expect(await ended).toBe(3);
});

test('without --output, the result of standard input is a file in this folder, with the extension of the language', () => {
  const cwd = folderWith({ 't.sh': boom });
  const args = ['reduce', '-', '--language', 'c', '--json', '--', './t.sh', 'stdin.c'];
  const ended = piped('int a;\nint BOOM;\n', args, cwd);
  expect(ended.status, ended.stderr).toBe(0);
  expect(JSON.parse(ended.stdout).output).toBe(join(cwd, 'stdin.reduced.c'));
  expect(readFileSync(join(cwd, 'stdin.reduced.c'), 'utf8')).toContain('BOOM');
});

test('a run of standard input that was stopped is resumed without it', async () => {
  const cwd = folderWith({ 't.sh': boom });
  const ended = piped('a\nb\nBOOM\nc\n', ['reduce', '-', '-o', '-', '--max-tests', '2', '--', './t.sh', '{}'], cwd);
  expect(ended.status).toBe(3);
  expect(ended.stdout).toContain('BOOM');
  const resumed = await culprit(['resume'], { cwd });
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(resumed.stdout).toBe('BOOM');
});

test('--stdin: the command reads the input from its standard input', async () => {
  const cwd = folderWith({ 'in.txt': 'a\nBOOM\nb\n' });
  const args = ['reduce', 'in.txt', '--stdin', '--interesting', '-o', '-', '--', 'grep', '-q', 'BOOM'];
  const ended = await culprit(args, { cwd });
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stdout).toBe('BOOM');
  expect(ended.stderr).toContain('grep -q BOOM < ');
});

test('a command without input gets a hint about --stdin', async () => {
  const cwd = folderWith({ 'in.txt': 'a\nBOOM\nb\n' });
  const ended = await culprit(['reduce', 'in.txt', '--exit', '1', '--', 'grep', '-q', 'BOOM'], { cwd });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/\{\} is missing.*--stdin/);
});

/** Fails as long as a package is installed and the word is there. */
const withPackage = `#!/bin/sh
node -e "
  const { word } = require('word');
  if (require('fs').readFileSync('proj/main.js', 'utf8').includes(word)) { console.error('Error: ' + word); process.exit(3); }
"
`;

const packaged = {
  'proj/main.js': 'one();\nBOOM();\ntwo();\n',
  'proj/node_modules/word/index.js': "exports.word = 'BOOM';\n",
  'proj/node_modules/word/package.json': '{}',
  't.sh': withPackage.replace("require('word')", "require('./proj/node_modules/word')"),
};

test('node_modules of a folder is linked: tests see it, and it is no part of the input', async () => {
  const cwd = folderWith(packaged);
  const ended = await culprit(['reduce', 'proj', '--json', '--', './t.sh'], { cwd });
  expect(ended.code, ended.stderr).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({ before: { bytes: 22, deltas: 1 } });
  expect(readdirSync(join(cwd, 'proj.reduced'))).toEqual(['main.js']);
  expect(readdirSync(join(cwd, '.culprit/proj-1/original/proj'))).toEqual(['main.js']);
  expect(existsSync(join(cwd, 'proj/node_modules/word/index.js'))).toBe(true);
});

test('a resumed run has the links again', async () => {
  const cwd = folderWith(packaged);
  const stopped = await culprit(['reduce', 'proj', '--max-tests', '1', '--', './t.sh'], { cwd });
  expect(stopped.code, stopped.stderr).toBe(3);
  const resumed = await culprit(['resume'], { cwd });
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(readFileSync(join(cwd, 'proj.reduced/main.js'), 'utf8')).toContain('BOOM');
});

test('with --include node_modules, it is part of the input', async () => {
  const cwd = folderWith(packaged);
  const args = ['reduce', 'proj', '--include', 'node_modules', '--json', '--max-tests', '1', '--', './t.sh'];
  const ended = await culprit(args, { cwd });
  expect(JSON.parse(ended.stdout)).toMatchObject({ before: { deltas: 3 } });
});

test('a file finds the packages of its project', async () => {
  const cwd = folderWith({
    'src/bug.js': "const a = 1;\nif (require('word').word) throw new Error('boom');\n",
    'node_modules/word/index.js': 'exports.word = 1;\n',
  });
  const ended = await culprit(['reduce', 'src/bug.js', '--match', 'Error: boom', '--', 'node', '{}'], { cwd });
  expect(ended.code, ended.stderr).toBe(0);
  const without = ['reduce', 'src/bug.js', '--exclude', 'node_modules', '--match', 'Error: boom', '--', 'node', '{}'];
  expect((await culprit(without, { cwd })).code).toBe(1);
});

test('a folder is read as git sees it: without ignored files, with those that were added all the same', async () => {
  const cwd = folderWith({
    'proj/.gitignore': '*.log\n/dist/\n!keep.log\n',
    'proj/main.txt': 'BOOM\nx\n',
    'proj/a.log': 'log\n',
    'proj/forced.log': 'log\n',
    'proj/keep.log': 'log\n',
    'proj/dist/out.txt': 'out\n',
    'proj/sub/dist/in.txt': 'in\n',
    't.sh': boom,
  });
  const git = (...args: string[]) => spawnSync('git', args, { cwd: join(cwd, 'proj') });
  git('init', '-q');
  git('add', '-f', 'forced.log');
  const args = ['reduce', 'proj', '--max-tests', '1', '--', './t.sh', '{}/main.txt'];
  const ended = await culprit(args, { cwd });
  expect(ended.stderr).toContain('Left out of the input: proj/a.log, proj/dist (.gitignore or --exclude');
  const original = join(cwd, '.culprit/proj-1/original/proj');
  expect(readdirSync(original).sort()).toEqual(['.gitignore', 'forced.log', 'keep.log', 'main.txt', 'sub']);
});

test('--exclude leaves files out, and a pattern that matches nothing is an error', async () => {
  const cwd = folderWith({
    'proj/main.txt': 'BOOM\n',
    'proj/docs/a.md': '# a\n',
    'proj/docs/b.txt': 'b\n',
    't.sh': boom,
  });
  const call = (...globs: string[]) =>
    culprit(
      ['reduce', 'proj', ...globs.flatMap(glob => ['--exclude', glob]), '--json', '--', './t.sh', '{}/main.txt'],
      {
        cwd,
      },
    );
  const ended = await call('*.md', 'docs/*.txt');
  expect(ended.code, ended.stderr).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({ before: { deltas: 1 } });
  const wrong = await call('*.nope');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/--exclude \*\.nope matches nothing in proj/);
});

test('a folder whose .gitignore names everything is read as a whole', async () => {
  const cwd = folderWith({ 'proj/.gitignore': '*\n', 'proj/main.txt': 'BOOM\n', 't.sh': boom });
  const ended = await culprit(['reduce', 'proj', '--json', '--', './t.sh', '{}/main.txt'], { cwd });
  expect(ended.code, ended.stderr).toBe(0);
});

test('isolate reads folders in the same way, and passes a file to --stdin', async () => {
  const cwd = folderWith({ 'good.txt': 'a\n', 'bad.txt': 'a\nBOOM\n' });
  const args = ['isolate', 'good.txt', 'bad.txt', '--stdin', '--interesting', '--', 'grep', '-q', 'BOOM'];
  const ended = await culprit(args, { cwd });
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).toContain('+BOOM');
});

test('packages that are a link themselves are linked to where they are', async () => {
  const cwd = folderWith({ ...packaged, 'store/word/index.js': "exports.word = 'BOOM';\n" });
  const project = folderWith({ 'proj/main.js': 'BOOM();\nx();\n', 't.sh': packaged['t.sh'] });
  symlinkSync(join(cwd, 'store'), join(project, 'proj/node_modules'));
  mkdirSync(join(project, 'empty'));
  const ended = await culprit(['reduce', 'proj', '--json', '--', './t.sh'], { cwd: project });
  expect(ended.code, ended.stderr).toBe(0);
});
