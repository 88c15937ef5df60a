import { expect, test } from 'vitest';
import type { Run } from '../../../src/oracle/process/index.js';
import { readBacktrace } from '../../../src/oracle/signature/backtrace.js';
import { readFailure, withStack } from '../../../src/oracle/signature/index.js';

const context = { volatile: ['input'], input: () => true };
const died = (signal: string, stderr: string): Run => ({
  signal,
  timedOut: false,
  seconds: 0,
  stdout: new Uint8Array(),
  stderr: Buffer.from(stderr),
  truncated: false,
});

const printed = (...names: readonly string[]) =>
  [
    './tool(on_crash+0x25)[0x55de87fb32fe]',
    '/lib/x86_64-linux-gnu/libc.so.6(+0x3c050)[0x7f8dd2644050]',
    ...names.map(name => `./tool(${name}+0x1f)[0x55de87fb3e74]`),
    '/lib/x86_64-linux-gnu/libc.so.6(+0x2724a)[0x7f8dd262f24a]',
    '/lib/x86_64-linux-gnu/libc.so.6(__libc_start_main+0x85)[0x7f8dd262f305]',
    './tool(_start+0x21)[0x55de87fb3211]',
  ].join('\n');

test("a stack that the program printed by glibc's means is read without the handler and the start", () => {
  expect(readFailure(died('SIGSEGV', printed('read_cell', 'get_cell', 'cmd_row', 'main')), context)).toEqual({
    key: 'backtrace · SIGSEGV: crash · read_cell ← get_cell',
    stack: ['read_cell', 'get_cell', 'cmd_row'],
    text: 'SIGSEGV in `read_cell` ← `get_cell` ← `cmd_row`',
  });
  expect(readFailure(died('SIGSEGV', printed('main')), context)!.stack).toEqual(['main']);
});

test('in endless recursion the stack is the functions of the cycle, whichever is on top', () => {
  const cycle = (...names: readonly string[]) => Array.from({ length: 40 }, (_, i) => names[i % names.length]!);
  const one = readFailure(died('SIGSEGV', printed('helper', ...cycle('expand', 'follow'))), context)!;
  const two = readFailure(died('SIGSEGV', printed(...cycle('follow', 'expand'))), context)!;
  expect(one.stack).toEqual(['expand', 'follow']);
  expect(two.stack).toEqual(one.stack);
});

test('the line of the innermost frame tells variants apart, and the key has no lines', () => {
  const report = (line: number) => `==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1 at pc 0x2
READ of size 1 at 0x1 thread T0
    #0 0x5654a097730f in take /src/list.c:${line}:5
    #1 0x5654a0977400 in walk_all /src/list.c:30:3
    #2 0x5654a0977500 in main /src/main.c:9:1
`;
  const [one, two] = [7, 9].map(line => readFailure(died('SIGABRT', report(line)), context)!);
  expect(one!.stack).toEqual(['take (list.c:7)', 'walk_all', 'main']);
  expect(two!.stack[0]).toBe('take (list.c:9)');
  expect(one!.key).toBe(two!.key);
});

test('a silent crash gets its key from the debugger, by names or by addresses', () => {
  const silent = readFailure(died('SIGSEGV', ''), context)!;
  expect(silent).toEqual({ key: 'SIGSEGV', stack: [], text: 'SIGSEGV', silent: true });
  expect(withStack(silent, ['parse_list', 'parse_all', 'main'])).toMatchObject({
    key: 'SIGSEGV · parse_list ← parse_all',
    stack: ['parse_list', 'parse_all', 'main'],
  });
  expect(withStack(silent, ['0x55555555a3c1', '0x55555555b000'])).toMatchObject({ key: 'SIGSEGV · 0x55555555a3c1' });
  expect(withStack(silent, [])).toBe(silent);
});

test('frames of a program without symbols are addresses, if they are asked for', () => {
  const said = `Program received signal SIGSEGV, Segmentation fault.
0x000055555555a3c1 in ?? ()
#0  0x000055555555a3c1 in ?? ()
#1  0x00007ffff7e0c24a in __libc_start_call_main () from /lib/libc.so.6
`;
  expect(readBacktrace(said)).toEqual([]);
  expect(readBacktrace(said, true)).toEqual(['0x55555555a3c1']);
});

test('a return address that the input has overwritten is not a place, and ends the stack', () => {
  const said = `Program received signal SIGSEGV, Segmentation fault.
#0  0x0000000a33302420 in ?? ()
#1  0x0000000000000000 in ?? ()
`;
  expect(readBacktrace(said, true)).toEqual(['an overwritten return address']);
});

test('functions of the C library that report an overflow are not where it happened', () => {
  const inLibrary = ['__pthread_kill_implementation', '__GI_raise', '__GI___fortify_fail', '__GI___chk_fail'];
  const names = [...inLibrary, '_IO_str_chk_overflow', '__vsprintf_internal', '___sprintf_chk', 'put_label', 'main'];
  const lines = names.map((name, i) => `#${i}  0x00007ffff7e0 in ${name} () from /lib/libc.so.6`);
  expect(readBacktrace(`Program received signal SIGABRT, Aborted.\n${lines.join('\n')}\n`)).toEqual([
    'put_label',
    'main',
  ]);
});
