import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSignature } from '../../../src/oracle/signature/index.js';
import { fixture, read, runWith } from './sample.js';

const input = { volatile: ['/tmp/culprit-1/w', 'input.c', 'input.cpp', 'input.ts', 'input.vue', 'input.js'] };

test.each([
  ['llvm-crash', 139],
  ['llvm-smash', 1],
  ['gcc-segfault', 1],
  ['node-caught', 1],
  ['node-uncaught', 1],
  ['node-recursion', 1],
])('%s: the original and its smallest reproducer are the same failure', (name, exit) => {
  const original = read(fixture(`${name}-original`), { exit }, input);
  const small = read(fixture(`${name}-small`), { exit }, input);
  expect(small.key).toBe(original.key);
});

test('a crash and a syntax error of the same tool are two failures', () => {
  expect(read(fixture('node-caught-other'), {}, input).key).not.toBe(read(fixture('node-caught-small'), {}, input).key);
  expect(read(fixture('gcc-diagnostic'), {}, input).key).not.toBe(read(fixture('gcc-segfault-small'), {}, input).key);
});

test('frames of what culprit loads into a program are no part of the failure', () => {
  const plain = `/app/run.js:6
throw new Error('wrong root');
^

Error: wrong root
    at Object.<anonymous> (/app/run.js:6:7)
    at Module._load (node:internal/modules/cjs/loader:1091:12)
`;
  const preload = '/lib/culprit/dist/oracle/schedules/preload/on-load.cjs:66:25';
  expect(read(`${plain}    at Function.loadHooked [as _load] (${preload})\n`).key).toBe(read(plain).key);
});

test('the same error at another function is another failure', () => {
  const original = fixture('node-caught-original');
  expect(read(original.replace('shallow_cmp', 'fold_binary')).key).not.toBe(read(original).key);
});

test('a death by signal and the exit code that a shell makes of it are the same failure', () => {
  expect(read('', { signal: 'SIGSEGV' }).key).toBe(read('', { exit: 139 }).key);
});

test('exit 0 and a time-out have no signature', () => {
  expect(readSignature(runWith('error: no', { exit: 0 }), input)).toBeUndefined();
  expect(readSignature(runWith('error: no', { timedOut: true }), input)).toBeUndefined();
});

const hex = fc.integer({ min: 0x1000, max: 0x7fffffff }).map(n => `0x${n.toString(16).padStart(12, '0')}`);
const number = fc.integer({ min: 1, max: 99999 });

test('addresses, process numbers, positions in the input, workspaces, sizes and colours never count', () => {
  const report = (address: string, pid: number, line: number, column: number, workspace: string) =>
    [
      `\x1b[31mtool[pid=${pid}] ${workspace}/input.c:${line}:${column}: error: cannot fold ${line} bytes at ${address}\x1b[0m`,
      `  ${line} | int x = ${column};`,
      '      |     ^~~',
    ].join('\n');
  const facts = fc.tuple(hex, number, number, number, fc.constantFrom('/tmp/culprit-1/w', '/tmp/other-77/x'));
  fc.assert(
    fc.property(facts, facts, (a, b) => {
      const volatile = (workspace: string) => ({ volatile: [workspace, 'input.c'] });
      expect(read(report(...a), {}, volatile(a[4])).how).toBe(read(report(...b), {}, volatile(b[4])).how);
    }),
    { numRuns: 50 },
  );
});

test('the numbers in a report of a sanitizer never count', () => {
  const report = fixture('asan-heap-overflow');
  fc.assert(
    fc.property(hex, number, number, (address, pid, size) => {
      const other = report
        .replace(/0x[\da-f]+/g, address)
        .replace(/==\d+==/g, `==${pid}==`)
        .replace(/of size \d+/g, `of size ${size}`);
      expect(read(other).key).toBe(read(report).key);
    }),
    { numRuns: 30 },
  );
});

test('how deep a recursion went, and where it stopped, never counts', () => {
  const trace = (depth: number, last: string) =>
    `Traceback (most recent call last):\n${'  File "tool.py", line 2, in f\n  File "tool.py", line 5, in g\n'.repeat(depth)}  File "tool.py", line 9, in ${last}\nRecursionError: maximum recursion depth exceeded\n`;
  expect(read(trace(300, 'f')).key).toBe(read(trace(290, 'len_of')).key);
});

test('the class that a method was called on never counts', () => {
  const stack = (type: string) =>
    `TypeError: x is undefined\n    at ${type}.drop_side_effects (/opt/tool/main.js:12:3)\n`;
  expect(read(stack('AST_Dot')).key).toBe(read(stack('AST_Call')).key);
});

test('who called a function that only raises the error counts, not the function', () => {
  const stack = (caller: string) =>
    `Error: Debug Failure.\n    at fail (/opt/tool/main.js:1:3)\n    at Object.assertNever (/opt/tool/main.js:5:3)\n    at ${caller} (/opt/tool/main.js:9:3)\n`;
  expect(read(stack('visitLabel')).key).not.toBe(read(stack('visitYield')).key);
});

test('names of the input in quotes do not count beside a stack', () => {
  const stack = (name: string) => `Error: no symbol '${name}' here\n    at resolveName (/opt/tool/main.js:12:3)\n`;
  const context = { volatile: [], input: (word: string) => ['counter', 'total'].includes(word) };
  expect(read(stack('counter'), {}, context).key).toBe(read(stack('total'), {}, context).key);
  expect(read(stack('counter'), {}, context).key).toBe(read(stack('a'), {}, context).key);
  expect(read(stack('counter'), {}, context).key).not.toBe(read(stack('prototype'), {}, context).key);
});

test('names in a mere diagnostic count: any deleted declaration would give the same message', () => {
  const context = { volatile: ['input.c'], input: () => true };
  const missing = (name: string) =>
    read(`input.c:3:5: error: use of undeclared identifier '${name}'\n`, {}, context).key;
  expect(missing('counter')).not.toBe(missing('total'));
});

test('the property that the program read counts, even where the input has the same word', () => {
  const context = { volatile: [], input: () => true };
  const stack = (name: string) =>
    `TypeError: Cannot read properties of undefined (reading '${name}')\n    at fold (/opt/t.js:1:1)\n`;
  expect(read(stack('TYPE'), {}, context).key).not.toBe(read(stack('value'), {}, context).key);
});

test('a token that could not stand there counts, its name does not', () => {
  const check = (said: string) =>
    read(
      `/x/out.js:1\n...\n\nSyntaxError: ${said}\n    at wrapSafe (node:internal/modules/cjs/loader:1464:18)\n\nNode.js v20.20.2\n`,
    ).key;
  expect(check("Unexpected token '-'")).not.toBe(check("Unexpected token '}'"));
  expect(check("Unexpected identifier 'a'")).toBe(check("Unexpected identifier 'bc'"));
});

test('functions of the input itself are shown but do not count', () => {
  const stack = (name: string) =>
    `TypeError: x is not a function\n    at ${name} (/tmp/culprit-1/w/input.js:1:3)\n\nNode.js v20.20.2\n`;
  expect(read(stack('render'), {}, input).key).toBe(read(stack('b'), {}, input).key);
  expect(read(stack('render'), {}, input).text).toContain('render');
});
