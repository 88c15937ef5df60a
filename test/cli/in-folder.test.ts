/** Commands that need more of the user's folder than the input: they run in a copy of it, and nothing there is changed. */
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.js';

const read = (...parts: readonly string[]): string => readFileSync(join(...parts), 'utf8');

/** A program whose script and settings are beside its sources. */
const project = () =>
  folderWith({
    'settings.json': '{ "limit": 3 }\n',
    'index.js': "const { limit } = require('./settings.json');\nrequire('./src/main.js')(limit);\n",
    'src/main.js':
      "const unused = require('./unused.js');\nmodule.exports = limit => {\n  const text = 'abc';\n  if (limit > 2) throw new RangeError('over the limit');\n  return text;\n};\n",
    'src/unused.js': 'exports.a = 1;\n',
    'log.txt': 'mine\n',
  });
const command = ['--', 'node', 'index.js'];

test.each([1, 2])('sources that a script beside them requires are reduced, on %i workers', async jobs => {
  const cwd = project();
  const { code, stderr } = await culprit(['reduce', 'src', '--run', 'r', '-j', `${jobs}`, ...command], { cwd });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('The command needs other files of this folder: each test runs in a copy of it.');
  expect(stderr).toContain('RangeError: over the limit');
  expect(read(cwd, 'src.reduced/main.js')).toBe("throw RangeError('over the limit')");
  expect(existsSync(join(cwd, 'src.reduced/unused.js'))).toBe(false);
  expect(read(cwd, 'src/unused.js')).toBe('exports.a = 1;\n');
  // The claim can be checked, from the run and from a certificate.
  for (const claim of ['r', 'c.json']) {
    const how = claim === 'r' ? ['all', '--certificate', 'c.json'] : ['result'];
    const checked = await culprit(['verify', claim, '--rerun', ...how], { cwd });
    expect(checked.code, checked.stderr).toBe(0);
  }
});

test('a run that was stopped goes on in copies of the folder, to the same result', async () => {
  const cwd = project();
  const stopped = await culprit(['reduce', 'src', '--run', 'r', '-j', '1', '--max-tests', '4', ...command], { cwd });
  expect(stopped.code, stopped.stderr).toBe(3);
  const { code, stderr } = await culprit(['resume', 'r'], { cwd });
  expect(code, stderr).toBe(0);
  expect(stderr).not.toContain('have changed since the run began');
  expect(read(cwd, 'src.reduced/main.js')).toBe("throw RangeError('over the limit')");
});

test('a run that is resumed in a folder that has changed says so', async () => {
  const cwd = project();
  await culprit(['reduce', 'src', '--run', 'r', '-j', '1', '--max-tests', '4', ...command], { cwd });
  writeFileSync(join(cwd, 'settings.json'), '{ "limit": 4 }\n');
  const { code, stderr } = await culprit(['resume', 'r'], { cwd });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('The files in this folder have changed since the run began');
});

test('an input in a folder below lies at its own place, and what a test writes stays in its copy', async () => {
  const cwd = folderWith({
    'check.sh':
      'echo "a test was here" >> log.txt\nif grep -q "$(cat lib/word.txt)" lib/data/in.txt; then echo "error: it is there" >&2; exit 1; fi\n',
    'lib/word.txt': 'BOOM\n',
    'lib/data/in.txt': 'one\ntwo BOOM two\nthree\n',
    'log.txt': 'mine\n',
  });
  const { code, stderr } = await culprit(['reduce', 'lib/data/in.txt', '--', 'sh -c "sh ./check.sh"'], { cwd });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('runs in a copy of it');
  expect(read(cwd, 'lib/data/in.reduced.txt')).toBe('BOOM');
  expect(read(cwd, 'log.txt')).toBe('mine\n');
});

test('{} is the path of the input in the copy, so that settings around it count', async () => {
  const cwd = folderWith({
    'tool.js':
      "const { existsSync, readFileSync } = require('node:fs'); const { dirname, join } = require('node:path');\nlet at = dirname(process.argv[2]);\nwhile (!existsSync(join(at, 'tool.json')) && at !== '/') at = dirname(at);\nif (at === '/') throw new Error('no tool.json was found above the input');\nif (readFileSync(process.argv[2], 'utf8').includes(JSON.parse(readFileSync(join(at, 'tool.json'))).bad)) throw new Error('a bad word');\n",
    'tool.json': '{ "bad": "BOOM" }',
    'deep/in.txt': 'one\ntwo BOOM two\nthree\n',
  });
  const { code, stderr } = await culprit(['reduce', 'deep/in.txt', '--', 'node', 'tool.js', '{}'], { cwd });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('Error: a bad word');
  expect(read(cwd, 'deep/in.reduced.txt')).toBe('BOOM');
});

test('a failure that is there without the folder is reduced without it', async () => {
  const cwd = folderWith({ 'in.txt': 'one\nBOOM\n', 'notes.txt': '' });
  const { code, stderr } = await culprit(['reduce', 'in.txt', '--', 'sh -c "! grep BOOM in.txt"'], { cwd });
  expect(code, stderr).toBe(0);
  expect(stderr).not.toContain('copy of it');
});

test('if there is nothing to reduce there, either, the message is about the command as it is typed', async () => {
  const cwd = folderWith({ 'in.txt': 'one\n', 'check.sh': 'echo "no such script" >&2\nexit 3\n' });
  const { code, stderr } = await culprit(['reduce', 'in.txt', '--', 'sh -c "sh ./check.sh"'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain('the command fails in the same way on an empty input');
  expect(stderr).toContain('no such script');
});

test('an input behind a link is never written through it', async () => {
  const cwd = folderWith({
    'check.sh': 'grep -q BOOM real/in.txt link/in.txt && exit 1; exit 0\n',
    'real/in.txt': 'one\nBOOM\n',
  });
  renameSync(join(cwd, 'real'), join(cwd, 'elsewhere'));
  mkdirSync(join(cwd, 'real'));
  writeFileSync(join(cwd, 'real/in.txt'), '');
  symlinkSync(join(cwd, 'elsewhere'), join(cwd, 'link'));
  const { code } = await culprit(['reduce', 'link/in.txt', '--', 'sh -c "sh ./check.sh"'], { cwd });
  expect(code).toBe(1);
  expect(read(cwd, 'elsewhere/in.txt')).toBe('one\nBOOM\n');
});

test('where there is no input, {} is a word like any other', async () => {
  const cwd = folderWith({ 'works.env': 'A=0\n', 'fails.env': 'A=1\nB=2\n' });
  const script = 'const none = () => ({}); none(); setTimeout(() => {}, 1); if (process.env.A === "1") throw "{}";';
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await culprit([...args, '--', process.execPath, '-e', script, 'x'], {
      cwd,
      env: { ...process.env, A: '1' },
    });
    expect(stderr).not.toContain('SyntaxError');
    return { code, ...JSON.parse(stdout) };
  };
  expect(await run('env', '--failing', 'fails.env', '--json')).toMatchObject({ code: 0, variables: { A: '1' } });
  expect(await run('options', '--json')).toMatchObject({ code: 0, command: [process.execPath, '-e', script] });
  const { signature } = await run('schedules', '--tries', '2', '--json');
  expect(signature ?? '').not.toContain('SyntaxError');
});

test('a test that installs packages anew does not remove those of the user', async () => {
  const cwd = folderWith({
    'check.sh':
      "node -e \"require('one'); require('@scope/two')\" || exit 9\nrm -rf node_modules/* node_modules/@scope\ngrep -q BOOM src/in.txt && { echo 'error: it is there' >&2; exit 1; }\nexit 0\n",
    'node_modules/one/index.js': '',
    'node_modules/@scope/two/index.js': '',
    'src/in.txt': 'one\nBOOM\n',
  });
  const { code, stderr } = await culprit(['reduce', 'src/in.txt', '--', 'sh -c "sh ./check.sh"'], { cwd });
  expect(code, stderr).toBe(0);
  expect(read(cwd, 'src/in.reduced.txt')).toBe('BOOM');
  for (const path of ['one/index.js', '@scope/two/index.js'])
    expect(existsSync(join(cwd, 'node_modules', path))).toBe(true);
});
