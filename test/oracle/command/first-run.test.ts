import { expect, test } from 'vitest';
import { UserError } from '../../../src/core/index.js';
import type { FirstRunFacts } from '../../../src/oracle/command/attempt.js';
import { settleFirstRun, timeoutFor } from '../../../src/oracle/command/first-run.js';
import { excerpt } from '../../../src/oracle/command/run-in-words.js';
import { fixture, runWith } from '../signature/sample.js';

const crash = runWith(fixture('node-caught-original'), { seconds: 1.42 });
const fine = runWith('', { exit: 0, stdout: new TextEncoder().encode('var a;\n') });

const facts = (more: Partial<FirstRunFacts> = {}): FirstRunFacts => ({
  asked: { kind: 'signature' },
  command: 'terser input.js --compress',
  where: '/home/user',
  argv: ['terser', '{}', '--compress'],
  names: ['input.js'],
  original: { run: crash },
  context: { volatile: ['input.js'] },
  ...more,
});

function refused(more: Partial<FirstRunFacts>): UserError {
  try {
    settleFirstRun(facts(more));
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error('was not refused');
}

test('a failure is shown with its output, end, time, rule and limit', () => {
  const first = settleFirstRun(facts({ again: { run: crash }, empty: { run: fine } }));
  expect(first).toMatchObject({ timeout: 15, stable: true, needsNoInput: false, notes: [] });
  expect(first.rule).toMatchObject({ kind: 'signature' });
  expect(first.lines[0]).toBe('$ terser input.js --compress');
  expect(first.lines[1]).toContain("ERROR: Cannot read properties of undefined (reading 'TYPE')");
  expect(first.lines.slice(-3)).toEqual([
    'exit 1 in 1.42 s (reproduced 2/2)',
    "fail = the same failure as on the original: Cannot read properties of undefined (reading 'TYPE') at shallow_cmp ← equivalent_to ← optimize",
    'timeout 15 s per test (10× the first run, at least 1 s; change with --timeout)',
  ]);
});

test('a test may take ten times the first run, and a second at least', () => {
  expect([0.01, 0.1, 0.31, 6].map(timeoutFor)).toEqual([1, 1, 4, 60]);
});

test('the time for which the first run waited for a busy machine does not raise the limit', () => {
  const original = { run: { ...facts().original.run, seconds: 5, waited: 4.5 } };
  expect(settleFirstRun(facts({ original }))).toMatchObject({ timeout: 5 });
});

test('the time that the user gives is the time', () => {
  expect(settleFirstRun(facts({ timeout: 3 }))).toMatchObject({ timeout: 3 });
});

test('a failure that does not come back is said to be unstable', () => {
  const first = settleFirstRun(facts({ again: { run: runWith('', { signal: 'SIGSEGV' }) } }));
  expect(first.stable).toBe(false);
  expect(first.notes[0]).toMatch(/^unstable: Cannot read .*, then SIGSEGV\.$/);
});

test('a failure that needs no input is refused, and said to be one if it is forced', () => {
  expect(refused({ empty: { run: crash } })).toMatchObject({
    message: expect.stringMatching(/fails in the same way on an empty input/),
    exitCode: 1,
  });
  const first = settleFirstRun(facts({ empty: { run: crash }, force: true }));
  expect(first.needsNoInput).toBe(true);
  expect(first.notes).toContain('The empty input fails in the same way: the failure needs no input.');
});

test('an original that does not fail is refused with what was run, where, what came out and what to try', () => {
  const error = refused({ original: { run: fine } });
  expect(error.exitCode).toBe(1);
  expect(error.message).toBe(
    'Nothing to reduce: the command succeeds on the original input.\nIt ended with exit 0 in 0.1 s and printed:\n  var a;',
  );
  expect(error.advice).toContain('add --interesting');
  expect(error.advice).toContain('cd /home/user && terser input.js --compress');
});

test('where no input varies, what was run in is named, and no input is asked for', () => {
  const setting = { phrase: 'in the environment of ci.env', elsewhere: true, advice: 'Or is it the other one?' };
  const error = refused({ original: { run: fine }, argv: ['terser'], setting });
  expect(error.message).toMatch(/^No failure found: the command succeeds in the environment of ci\.env\./);
  expect(error.advice).toContain('Or is it the other one?');
  expect(error.advice).toContain('To check it yourself, in the environment of ci.env:');
  expect(error.advice).not.toContain('Put {}');
  const absent = { run: runWith('sh: 1: ./test.sh: not found\n', { exit: 127 }) };
  expect(refused({ original: absent, argv: ['./test.sh'], setting }).advice).not.toContain('private folder');
  const rule = refused({ asked: { kind: 'exit', code: 3 }, original: { run: fine }, setting });
  expect(rule.message).toContain('does not fail in the environment of ci.env. The rule: ');
});

test('a command that does not name its input is refused with advice', () => {
  expect(refused({ original: { run: fine }, argv: ['terser'] }).advice).toContain(
    'Put {} in place of the path of the input',
  );
  expect(refused({ original: { run: fine }, argv: ['terser', 'input.js'] }).advice).not.toContain('Put {}');
});

test('a relative path that only worked elsewhere is pointed out', () => {
  const error = refused({
    asked: { kind: 'interesting' },
    original: { run: runWith('sh: 0: cannot open lib/check.sh: No such file\n', { exit: 2 }) },
    argv: ['sh', 'lib/check.sh', '{}'],
  });
  expect(error.advice).toContain('lib/check.sh is relative');
  expect(error.advice).toContain('$PWD/lib/check.sh');
});

test('a program of a shell line that is not found has its own name, and not that of the shell', () => {
  const run = runWith('sh: 1: tersr: not found\n', { exit: 127 });
  for (const argv of [['sh', '-c', 'cd . && tersr {} > out'], ['cd . && tersr {} > out']])
    expect(refused({ original: { run }, argv }).message).toBe('Command not found: tersr.');
});

test('a command that is not found is the command line being wrong', () => {
  const error = refused({
    original: { run: runWith('sh: 1: tersr: not found\n', { exit: 127 }) },
    argv: ['tersr', '{}'],
  });
  expect(error).toMatchObject({ exitCode: 2, message: 'Command not found: tersr.' });
  const missing = { original: { run: runWith('', { exit: 127 }) } };
  expect(refused({ ...missing, argv: ['./test.sh'] }).advice).toContain('There is no ./test.sh in');
  expect(refused({ ...missing, argv: ['./test.sh {} | cat'] }).advice).toContain('$PWD/test.sh');
  expect(
    refused({ original: { run: runWith('sh: 1: ./test.sh: Permission denied\n', { exit: 126 }) }, argv: ['./test.sh'] })
      .advice,
  ).toContain('chmod +x');
});

test('a script that ends with 127 by itself can be chased', () => {
  const run = runWith('input.sh: 3: frobnicate: not found\n', { exit: 127 });
  expect(settleFirstRun(facts({ original: { run }, argv: ['sh', '{}'] })).signature?.text).toContain(
    'frobnicate: not found',
  );
});

test('an original that does not end needs --hang or more time', () => {
  const run = { ...runWith(''), timedOut: true, seconds: 30 };
  expect(refused({ original: { run } }).advice).toContain('--hang');
  expect(settleFirstRun(facts({ asked: { kind: 'hang' }, original: { run }, timeout: 30 }))).toMatchObject({
    timeout: 30,
  });
});

test('two commands that print the same have no difference to chase', () => {
  const asked = { kind: 'differs', command: 'node {}' } as const;
  expect(refused({ asked, original: { run: fine, other: fine } }).message).toContain('print the same');
  const other = runWith('', { exit: 0, stdout: new TextEncoder().encode('var b;\n') });
  expect(settleFirstRun(facts({ asked, original: { run: fine, other } })).rule).toEqual({
    ...asked,
    ends: ['exit 0', 'exit 0'],
  });
});

test('a long output is shown by its first and last lines', () => {
  const lines = excerpt(runWith(Array.from({ length: 50 }, (_, i) => `line ${i}`).join('\n')), 4);
  expect(lines).toEqual(['line 0', 'line 1', '… 46 more lines …', 'line 48', 'line 49']);
});

test('what was really run is shown below what the user can type, and if there is no failure', () => {
  const ran = 'terser /dev/shm/culprit-1-a-b/00/w/input.js --compress';
  expect(settleFirstRun(facts({ ran })).lines.slice(0, 2)).toEqual([
    '$ terser input.js --compress',
    `  (run as: ${ran})`,
  ]);
  expect(refused({ ran, original: { run: fine } }).advice).toContain(`It was run as: ${ran}`);
});

test('a failure that is about the path of the input says which path that was', () => {
  const context = { volatile: ['/dev/shm/culprit-1-a-b', 'input.js'] };
  const path = '/dev/shm/culprit-1-a-b/00/w/input.js';
  const notesFor = (stderr: string) => settleFirstRun(facts({ original: { run: runWith(stderr) }, context })).notes;
  expect(notesFor(`tool: ${path}: file name too long\n`)).toEqual([expect.stringContaining(path)]);
  expect(notesFor(`${path}:3:5: error: expected ';'\n`)).toEqual([]);
});
