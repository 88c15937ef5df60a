/** What the tools of every day print when they fail: test runners, linters, and programs that run others. */
import { expect, test } from 'vitest';
import { isSameFailure, readSignature } from '../../../src/oracle/signature/read.js';
import { read, runWith } from './sample.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const context = { volatile: ['/dev/shm/culprit-1', 'a.js', 'a.py', 'a.css', 'a.test.js'] };
const onStdout = (text: string, stderr = '') => read(stderr, { stdout: bytes(text) }, context).text;

const npm = 'npm warn Unknown user config "nodedir". This will stop working in the next major version of npm.\n';
const tsc = "src/app.ts(13,7): error TS2322: Type 'string[]' is not assignable to type 'string'.\n";
const eslint =
  "\n/home/me/a.js\n  1:7   error  'a' is assigned a value but never used  no-unused-vars\n  2:24  error  'foo' is not defined                    no-undef\n\n✖ 2 problems (2 errors, 0 warnings)\n";
const nodeTest = (error: string) =>
  `TAP version 13\n# Subtest: adds\nnot ok 1 - adds\n  ---\n  duration_ms: 1.231176\n  error: ${error}\n  code: 'ERR_ASSERTION'\n  name: 'AssertionError'\n  stack: |-\n    TestContext.<anonymous> (file:///home/me/a.js:2:29)\n  ...\n1..1\n`;

test.each([
  ['npx warns about its settings, and tsc writes to stdout', tsc, npm, 'error TS2322'],
  ['make says that tsc failed', `npx tsc\n${tsc}`, `${npm}make: *** [Makefile:2: all] Error 2\n`, 'error TS2322'],
  ['yarn says so too', `yarn run v1.22.19\n$ tsc\n${tsc}`, 'error Command failed with exit code 2.\n', 'error TS2322'],
  ['pnpm says so on stdout', `> tsc\n\n${tsc} ELIFECYCLE  Command failed with exit code 2.\n`, '', 'error TS2322'],
  ['ESLint', eslint, npm, "'a' is assigned a value but never used no-unused-vars"],
  [
    'yamllint lists warnings first',
    'a.yaml\n  1:1       warning  missing document start "---"  (document-start)\n  2:3       error    syntax error: mapping values are not allowed here (syntax)\n',
    '',
    'mapping values are not allowed here',
  ],
  ['flake8', "a.py:3:1: F401 'os' imported but unused\na.py:3:1: E305 expected 2 blank lines\n", '', 'F401'],
  [
    'JSHint',
    "a.js: line 1, col 1, 'import' is only available in ES6 (use 'esversion: 6').\n\n1 error\n",
    npm,
    'only available in ES6',
  ],
  [
    'ShellCheck, below the line',
    '\nIn a.sh line 2:\necho $x\n     ^-- SC2154 (warning): x is referenced but not assigned.\n',
    '',
    'SC2154 (warning): x is referenced but not assigned.',
  ],
  [
    'oxlint',
    "\n  x eslint(no-unused-vars): Variable 'a' is declared but never used.\n   ,-[a.js:1:7]\n 1 | const a = 1;\n\nFound 0 warnings and 1 error.\n",
    npm,
    'eslint(no-unused-vars)',
  ],
  [
    'webpack, whose first line is only the place',
    "asset main.js 1.54 KiB [emitted]\n\nERROR in ./a.js 1:0\nModule parse failed: 'import' and 'export' may appear only with 'sourceType: module' (1:0)\n> 1 | import x from 'y';\n",
    npm,
    'Module parse failed',
  ],
  [
    'Maven, whose first error is a title',
    "[INFO] -------------------------------------------------------------\n[ERROR] COMPILATION ERROR : \n[INFO] -------------------------------------------------------------\n[ERROR] /home/me/App.java:[3,5] ';' expected\n[INFO] 1 error\n",
    '',
    "';' expected",
  ],
  ['TeX', 'This is pdfTeX\n(./a.tex\n! Undefined control sequence.\nl.3 \\foo\n', '', '! Undefined control sequence.'],
  [
    'Terraform, in a frame',
    '',
    '╷\n│ Error: Unsupported argument\n│ \n│   on main.tf line 3, in resource "a" "b":\n│    3:   foo = 1\n│ \n╵\n',
    'Error: Unsupported argument',
  ],
  [
    'Elm',
    '',
    'Detected problems in 1 module.\n-- TYPE MISMATCH ---------------------------------------------- src/Main.elm\n\nThe 1st argument to `f` is not what I expect:\n',
    'TYPE MISMATCH',
  ],
  ['node:test', nodeTest("'-1 == 3'"), '', 'AssertionError: -1 == 3'],
  ['TAP without details', 'TAP version 13\n1..2\nok 1 - a\nnot ok 2 - the sum\n', '', 'not ok the sum'],
  ['a test that is expected to fail', 'not ok 1 - later # TODO\nnot ok 2 - the sum\n1..2\n', '', 'not ok the sum'],
  [
    'bats',
    "1..1\nnot ok 1 adds\n# (in test file a.bats, line 2)\n#   `[ 1 -eq 2 ]' failed\n",
    '',
    "`[ 1 -eq 2 ]' failed",
  ],
  [
    'pytest, an assertion',
    '=================================== FAILURES ===================================\n___________________________________ test_add ___________________________________\n\n    def test_add():\n>       assert add(1,2)==3\nE       assert -1 == 3\nE        +  where -1 = add(1, 2)\n\na.py:3: AssertionError\n=========================== short test summary info ============================\nFAILED a.py::test_add - assert -1 == 3\n========================= 1 failed, 1 passed in 0.08s ==========================\n',
    '',
    'assert -1 == 3',
  ],
  [
    'pytest, a syntax error, which is named after its source',
    '==================================== ERRORS ====================================\n_________________________ ERROR collecting t/test_s.py _________________________\nE     File "/home/me/a.py", line 1\nE       def f(:\nE             ^\nE   SyntaxError: invalid syntax\n',
    '',
    'SyntaxError: invalid syntax',
  ],
  [
    'go test',
    '--- FAIL: TestA (0.00s)\n    a_test.go:3: got -1, want 3\nFAIL\nexit status 1\nFAIL\ta\t0.002s\n',
    '',
    'got -1, want 3',
  ],
  [
    'go test with subtests',
    '--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/one (0.00s)\n        a_test.go:9: no sum\nFAIL\n',
    '',
    'no sum',
  ],
  [
    'RSpec',
    "F\n\nFailures:\n\n  1) s adds\n     Failure/Error: expect(1-2).to eq 3\n\n       expected: 3\n            got: -1\n\n       (compared using ==)\n     # ./a_spec.rb:1:in `block (2 levels) in <top (required)>'\n",
    '',
    'expected: 3, got: -1',
  ],
  [
    'minitest',
    'Run options: --seed 26709\n\nF\n\n  1) Failure:\nT#test_a [a.rb:2]:\nExpected: 1\n  Actual: 2\n\n1 runs\n',
    '',
    'Expected: 1, Actual: 2',
  ],
])('%s', (_, stdout, stderr, said) => {
  expect(onStdout(stdout, stderr)).toContain(said);
});

test('Jest: the expectation, and not the source below it', () => {
  const jest = `${npm}FAIL t/a.test.js\n  ✕ adds (3 ms)\n\n  ● adds\n\n    expect(received).toBe(expected) // Object.is equality\n\n    Expected: 3\n    Received: -1\n\n      1 | const sum=(a,b)=>a-b;\n    > 2 | test('adds', () => { expect(sum(1,2)).toBe(3); });\n        |                                       ^\n      3 |\n\n      at Object.toBe (t/a.test.js:2:39)\n\nTests:       1 failed, 1 total\n`;
  expect(read(jest, {}, context).text).toBe('expect(received).toBe(expected), Expected: 3, Received: -1');
});

test('Jest: what is thrown in a test has a stack, as in Node', () => {
  const jest =
    'FAIL t/a.test.js\n  ● parses\n\n    SyntaxError: Unexpected token (1:4)\n\n      1 | parse();\n\n      at Parser.raise (node_modules/acorn/dist/acorn.js:3841:15)\n      at Parser.parseIdent (node_modules/acorn/dist/acorn.js:3774:12)\n';
  expect(read(jest, {}, context)).toMatchObject({ kind: 'node', where: ['raise', 'parseIdent'] });
});

test('Vitest: the functions on its stack count, which has no `at`', () => {
  const vitest = (name: string) =>
    `\n⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯\n\n FAIL  t/a.test.js > a\nTypeError: Cannot read properties of undefined (reading 'b')\n ❯ ${name} lib.mjs:1:40\n      1| export function f(x){ return x.a.b.c; }\n       |                                        ^\n ❯ t/a.test.js:2:19\n\n⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯[1/1]⎯\n`;
  const deepest = read(vitest('deepest'), {}, context);
  expect(deepest.text).toBe("TypeError: Cannot read properties of undefined (reading 'b') at deepest");
  expect(isSameFailure(deepest, read(vitest('another'), {}, context))).toBe(false);
});

test('two assertions of node:test are two failures', () => {
  const failure = (error: string) => read('', { stdout: bytes(nodeTest(error)) }, context);
  expect(isSameFailure(failure("'-1 == 3'"), failure("'the list is empty'"))).toBe(false);
});

test('what a wrapper says counts if nothing else was said', () => {
  const signature = readSignature(runWith('npm error code E404\nnpm error 404 Not Found\n'), context);
  expect(signature?.text).toBe('exit 1: npm error code E404');
});

test('a stack of lines with numbers and colons is no source', () => {
  expect(
    read('a.css\n  1:5  ✖  Unknown property "colr"  property-no-unknown\n\n✖ 1 problem\n', {}, context).text,
  ).toContain('property-no-unknown');
});
