import { expect, test } from 'vitest';
import { failingTests, isTestRunner } from '../../../src/oracle/schedules/failing-tests.js';

const named = (stdout: string) => failingTests({ stdout: Buffer.from(stdout), stderr: Buffer.from('') });

test('TAP: of nested tests that fail, the innermost is named', () => {
  const tap = `TAP version 13
# Subtest: outer
    # Subtest: inner
    not ok 1 - inner
      ---
      ...
    ok 2 - other
    1..2
not ok 1 - outer
ok 2 - fine # SKIP
not ok 3 - alone # time=3ms
1..3
`;
  expect(named(tap)).toEqual(['alone', 'inner']);
});

test('the reporters of node:test, vitest, jest and mocha', () => {
  expect(named('✔ adds (0.5ms)\n✖ reads in time (20.1ms)\n✖ failing tests:\n✖ reads in time (20.1ms)\n')).toEqual([
    'reads in time',
  ]);
  expect(named(' \x1b[31mFAIL\x1b[39m  a.test.ts > suite > reads in time\n')).toEqual([
    'a.test.ts > suite > reads in time',
  ]);
  expect(named('  ● suite › reads in time\n')).toEqual(['suite › reads in time']);
  const mocha =
    '  suite\n    ✔ adds\n    1) reads in time\n\n  1 passing (9ms)\n  1 failing\n\n  1) suite\n       reads in time:\n';
  expect(named(mocha)).toEqual(['reads in time']);
  expect(named('ok 1 - fine\n')).toEqual([]);
});

test('test runners are known by their command', () => {
  for (const line of [
    'node --test a.js',
    'npx vitest run',
    'node_modules/.bin/mocha test',
    'node node_modules/vitest/vitest.mjs run',
  ])
    expect([line, isTestRunner(line.split(' '))]).toEqual([line, true]);
  for (const line of ['node app.js', 'node test.js', 'npm start'])
    expect([line, isTestRunner(line.split(' '))]).toEqual([line, false]);
});
