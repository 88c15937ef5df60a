import { expect, test } from 'vitest';
import { UserError } from '../../../src/core/index.js';
import {
  type Asked,
  askedRule,
  describeRule,
  judge,
  judgeDiffers,
  type Rule,
} from '../../../src/oracle/command/rules.js';
import type { Run } from '../../../src/oracle/process/types.js';
import { fixture, nothing, read, runWith } from '../signature/sample.js';

const exit = (code: number, stdout = ''): Run => runWith('', { exit: code, stdout: new TextEncoder().encode(stdout) });
const died: Run = runWith('', { signal: 'SIGSEGV' });
const late: Run = { ...runWith(''), exit: undefined, timedOut: true } as Run;

type Single = Exclude<Rule, { kind: 'differs' }>;
const outcomes = (rule: Single, ...runs: Run[]) => runs.map(run => judge(rule, run, nothing).outcome);

test('nothing said: the same signature fails, exit 0 passes, everything else is unresolved', () => {
  const stderr = fixture('node-caught-original');
  const rule: Single = { kind: 'signature', signature: read(stderr) };
  const other = runWith(fixture('node-caught-other'));
  expect(outcomes(rule, runWith(stderr), exit(0), other, died, late)).toEqual([
    'fail',
    'pass',
    'unresolved',
    'unresolved',
    'unresolved',
  ]);
});

test('another failure is named, and keeps its own signature', () => {
  const rule: Single = { kind: 'signature', signature: read(fixture('node-caught-original')) };
  const verdict = judge(rule, died, nothing);
  expect(verdict).toMatchObject({
    outcome: 'unresolved',
    reason: 'another failure: SIGSEGV',
    signature: 'SIGSEGV',
    signal: 'SIGSEGV',
  });
  expect(judge(rule, late, nothing)).toMatchObject({ outcome: 'unresolved', reason: 'timeout' });
});

test('--interesting: exit 0 fails, other exits pass, a time-out is unresolved', () => {
  expect(outcomes({ kind: 'interesting' }, exit(0), exit(1), died, late)).toEqual([
    'fail',
    'pass',
    'pass',
    'unresolved',
  ]);
});

test('--bisect: as git bisect run', () => {
  const codes = [0, 1, 124, 125, 126, 127, 128, 139, 255];
  expect(codes.map(code => judge({ kind: 'bisect' }, exit(code), nothing).outcome)).toEqual([
    'pass',
    'fail',
    'fail',
    'unresolved',
    'fail',
    'fail',
    'unresolved',
    'unresolved',
    'unresolved',
  ]);
  expect(outcomes({ kind: 'bisect' }, died, late)).toEqual(['unresolved', 'unresolved']);
});

test('what fails by its exit code says which names it misses', () => {
  const said = (stderr: string) => judge({ kind: 'exit', code: 1 }, runWith(stderr, { exit: 1 }), nothing);
  expect(said("  File a.py\nAttributeError: 'Box' object has no attribute 'size'\n")).toMatchObject({
    outcome: 'fail',
    complaint: "AttributeError: 'Box' object has no attribute 'size'",
  });
  expect(said('AssertionError: 1 == 2\n').complaint).toBeUndefined();
  expect(judge({ kind: 'bisect' }, runWith('x is not defined', { exit: 1 }), nothing)).toHaveProperty('complaint');
});

test('--match: what matches fails on either stream and line by line, exit 0 without a match passes, else unresolved', () => {
  const rule: Single = { kind: 'match', pattern: '^NaN$' };
  expect(outcomes(rule, exit(0, '1\nNaN\n'), runWith('NaN\n'), exit(0, 'xNaN'), exit(2), late)).toEqual([
    'fail',
    'fail',
    'pass',
    'unresolved',
    'unresolved',
  ]);
});

test('--exit: that exit fails, 0 passes, else unresolved; a death counts as what a shell makes of it', () => {
  expect(outcomes({ kind: 'exit', code: 3 }, exit(3), exit(0), exit(1), died, late)).toEqual([
    'fail',
    'pass',
    'unresolved',
    'unresolved',
    'unresolved',
  ]);
  expect(outcomes({ kind: 'exit', code: 139 }, died, exit(139))).toEqual(['fail', 'fail']);
});

test('--signal: that signal fails, 0 passes, else unresolved', () => {
  expect(outcomes({ kind: 'signal', name: 'SIGSEGV' }, died, exit(139), exit(0), exit(134), late)).toEqual([
    'fail',
    'fail',
    'pass',
    'unresolved',
    'unresolved',
  ]);
});

test('--hang: not done in time fails, exit 0 passes, else unresolved', () => {
  expect(outcomes({ kind: 'hang' }, late, exit(0), exit(1), died)).toEqual([
    'fail',
    'pass',
    'unresolved',
    'unresolved',
  ]);
});

test('--differs: other outputs fail, the same pass, and a command that did not run is unresolved', () => {
  const rule: Extract<Rule, { kind: 'differs' }> = { kind: 'differs', command: 'b', ends: ['exit 0', 'exit 0'] };
  const outcome = (a: Run, b: Run) => judgeDiffers(rule, a, b).outcome;
  expect(outcome(exit(0, 'true'), exit(0, 'false'))).toBe('fail');
  expect(outcome(exit(0, 'true'), exit(0, 'true'))).toBe('pass');
  expect(outcome(exit(0, 'true'), late)).toBe('unresolved');
  expect(outcome(exit(127), exit(0, 'x'))).toBe('unresolved');
  expect(outcome(exit(0, 'true'), exit(1))).toBe('unresolved');
  expect(outcome(died, exit(0, 'x'))).toBe('unresolved');
});

test('--differs: where one command failed on the original, it has to fail again', () => {
  const rule: Extract<Rule, { kind: 'differs' }> = { kind: 'differs', command: 'b', ends: ['exit 0', 'exit 1'] };
  expect(judgeDiffers(rule, exit(0, 'x'), exit(1)).outcome).toBe('fail');
  expect(judgeDiffers(rule, exit(0, 'x'), exit(0, 'x')).outcome).toBe('pass');
  expect(judgeDiffers(rule, exit(0, 'x'), exit(0, 'y')).outcome).toBe('unresolved');
  expect(judgeDiffers(rule, exit(1), exit(1)).outcome).toBe('unresolved');
});

test('options become one rule, and signals go by any of their names', () => {
  expect(askedRule({})).toEqual<Asked>({ kind: 'signature' });
  for (const signal of ['segv', 'SIGSEGV', '11'])
    expect(askedRule({ signal })).toEqual<Asked>({ kind: 'signal', name: 'SIGSEGV' });
});

test.each([
  [{ interesting: true, exit: 3 }, '--interesting and --exit'],
  [{ match: '(' }, '--match is not a regular expression'],
  [{ match: '' }, '--match is empty'],
  [{ exit: 0 }, '--exit 0'],
  [{ exit: -1 }, '--exit -1 is not an exit code'],
  [{ exit: 1.5 }, '--exit 1.5 is not an exit code'],
  [{ exit: Number.NaN }, 'is not an exit code'],
  [{ signal: 'SIGNOPE' }, '--signal SIGNOPE'],
  [{ differs: ' ' }, '--differs needs a command'],
])('%o is the command line being wrong', (options, message) => {
  expect(() => askedRule(options)).toThrow(UserError);
  expect(() => askedRule(options)).toThrow(message);
});

test('every rule says what it takes for the failure', () => {
  const rules: Rule[] = [
    { kind: 'signature', signature: read(fixture('node-caught-original')) },
    { kind: 'interesting' },
    { kind: 'bisect' },
    { kind: 'match', pattern: 'NaN' },
    { kind: 'exit', code: 3 },
    { kind: 'signal', name: 'SIGSEGV' },
    { kind: 'hang' },
    { kind: 'differs', command: 'node {}', ends: ['exit 0', 'exit 0'] },
  ];
  expect(rules.map(describeRule)).toEqual([
    "fail = the same failure as on the original: Cannot read properties of undefined (reading 'TYPE') at shallow_cmp ← equivalent_to ← optimize",
    'fail = exit 0 (--interesting)',
    'fail = exit 1–124, 126 or 127; 125 and 128 or more are unresolved (--bisect)',
    'fail = the output matches /NaN/ (--match)',
    'fail = exit 3 (--exit)',
    'fail = SIGSEGV (--signal)',
    'fail = the command does not finish within the timeout (--hang)',
    'fail = the output differs from the output of node {} (--differs)',
  ]);
});
