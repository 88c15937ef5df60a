import { expect, test } from 'vitest';
import { nothing, read } from './sample.js';

const stdout = (text: string) => ({ stdout: new TextEncoder().encode(text) });

const box = (
  error: string,
  place: string,
) => `+===========================GNAT BUG DETECTED==============================+
| 12.2.0 (x86_64-linux-gnu) ${error}  |
| Error detected at ${place}                                   |
| Please submit a bug report; see https://gcc.gnu.org/bugs/ .              |
+==========================================================================+

Please include these source files with error report
compilation abandoned
`;

test('GNAT: what is in its box, and not where in the input or the line after it', () => {
  const original = read(box('Program_Error sem_type.adb:837 explicit raise', 'a.adb:1811:37'));
  expect(original).toMatchObject({ kind: 'gnat', text: 'Program_Error explicit raise (sem_type.adb:837)' });
  expect(read(box('Program_Error sem_type.adb:837 explicit raise', 'a.adb:2:3')).key).toBe(original.key);
  expect(read(box('Program_Error sem_ch3.adb:12 explicit raise', 'a.adb:1811:37')).key).not.toBe(original.key);
});

test("GNAT: an error of GCC's, on the next row of the box", () => {
  const signature = read(
    box('GCC error:                            |\n| in process_type, at ada/gcc-interface/trans.c:9616', 'a.ads:1:9'),
  );
  expect(signature.text).toBe('GCC error: in process_type (ada/gcc-interface/trans.c:9616)');
});

test('GHDL, and any program of Ada: the exception and its place', () => {
  const report = (place: string) => `******************** GHDL Bug occurred ***************************
GHDL release: 2.0.0 (Debian 2.0.0+dfsg-6.2) [Dunoon edition]
Exception CONSTRAINT_ERROR raised
Exception information:
raised CONSTRAINT_ERROR : ${place} access check failed
Call stack traceback locations:
0x6e4534 0x6e45e1
******************************************************************
`;
  const original = read(report('trans-chap9.adb:2312'));
  expect(original).toMatchObject({
    kind: 'ada',
    text: 'CONSTRAINT_ERROR : access check failed (trans-chap9.adb:2312)',
  });
  expect(read(report('trans-chap9.adb:40')).key).not.toBe(original.key);
});

test("Erlang's compiler: the pass, the exception without the input in it, and the function", () => {
  const report = (argument: string) =>
    stdout(`Function: run/0
m.erl: internal error in pass sys_core_fold:
exception error: no function clause matching erl_internal:comp_op(${argument},0)
  in function  sys_core_fold:is_bool_expr/1 (sys_core_fold.erl, line 2077)
  in call from sys_core_fold:opt_bool_case/2 (sys_core_fold.erl, line 1485)
`);
  const original = read('', report('0'));
  expect(original.kind).toBe('erlc');
  expect(original.key).toContain('sys_core_fold:is_bool_expr');
  expect(read('', report('other')).key).toBe(original.key);
  expect(read('', stdout('m.erl: internal error in pass beam_ssa_opt:\nexception error: bad key: 5\n')).key).not.toBe(
    original.key,
  );
});

test("Erlang's compiler: an instruction that is not consistent", () => {
  const report = (name: string, error: string) =>
    stdout(`m:1: function ${name}/1+14:
  Internal consistency check failed - please report this bug.
  Instruction: {get_tuple_element,{x,1},0,{x,0}}
  Error:       {${error},{needed,{t_tuple,1,false,#{}}},{actual,any}}:
`);
  const original = read('', report('reply_value', 'bad_type'));
  expect(original.text).toBe('Internal consistency check failed: bad_type in get_tuple_element');
  expect(read('', report('j', 'bad_type')).key).toBe(original.key);
  expect(read('', report('reply_value', 'uninitialized_reg')).key).not.toBe(original.key);
});

test('OCaml: an assertion is known by its place in the compiler', () => {
  const report = (line: number) =>
    `Fatal error: exception File "typing/typetexp.ml", line ${line}, characters 10-16: Assertion failed\n`;
  const original = read(report(327));
  expect(original).toMatchObject({ kind: 'ocaml', text: 'exception Assertion failed (typing/typetexp.ml:327)' });
  expect(read(report(40)).key).not.toBe(original.key);
});

test('an error about the input on standard output is more than an exit code', () => {
  const context = { volatile: ['m.erl', '/home/me'] };
  const original = read('', stdout("m.erl:22:10: can't find include file\n%   22| -include\n"), context);
  expect(original.text).toContain("can't find include file");
  const moved = read('', stdout("/home/me/m.erl:2:10: can't find include file\n"), context);
  expect(moved.key).toBe(original.key);
  expect(read('', stdout('m.erl:3:1: undefined macro\n'), context).key).not.toBe(original.key);
  // What a program prints about other files, or warns about, may be anything.
  expect(read('', stdout('other.txt:3:1: undefined macro\n'), context).kind).toBe('exit');
  expect(read('', stdout('m.erl:3:1: Warning: unused\n'), context).text).toBe('exit 1');
  expect(nothing.volatile).toEqual([]);
});
