import { expect, test } from 'vitest';
import { fixture, nothing, read } from './sample.js';

const input = { volatile: ['input.c', 'input.cpp', 'input.ts', 'input.vue', 'input.scss', 'input.gv'] };

test.each([
  ['asan-heap-overflow', 'asan', 'AddressSanitizer: heap-buffer-overflow (READ) at over ← main'],
  ['asan-double-free', 'asan', 'AddressSanitizer: attempting double-free at main'],
  ['asan-null', 'asan', 'AddressSanitizer: SEGV (READ) at over ← main'],
  ['asan-stack-overflow', 'asan', 'AddressSanitizer: stack-overflow'],
  ['lsan-leak', 'lsan', 'LeakSanitizer: detected memory leaks at main'],
  ['tsan-race', 'tsan', 'ThreadSanitizer: data race at f'],
  [
    'ubsan-overflow',
    'ubsan',
    "runtime error: signed integer overflow: 2147483647 + 2 cannot be represented in type 'int' (s.c:9)",
  ],
  ['valgrind-null', 'valgrind', 'Valgrind: Invalid read of size 1 at over ← main'],
  ['assert-glibc', 'assert', 's: s.c:4: check: Assertion `n < 3 && "too many"\' failed.'],
  [
    'assert-emscripten',
    'assert',
    'Assertion failed: jv_get_kind(n) == JV_KIND_NUMBER, at: src/jv.c,726,jv_string_implode',
  ],
  ['libc-double-free', 'libc', 'free(): double free detected in tcache 2'],
  [
    'cpp-terminate',
    'c++',
    'uncaught std::out_of_range: vector::_M_range_check: __n (which is 8) >= this->size() (which is 3)',
  ],
  ['gcc-segfault-original', 'gcc', 'internal compiler error: Segmentation fault'],
  [
    'java-caused',
    'java',
    'java.lang.NullPointerException: Cannot invoke "String.length()" because "<parameter1>" is null at A.len ← A.parse ← A.main',
  ],
  [
    'node-caught-original',
    'node',
    "Cannot read properties of undefined (reading 'TYPE') at shallow_cmp ← equivalent_to ← optimize",
  ],
  ['node-prefixed', 'node', "TypeError: Cannot read properties of undefined (reading 'value') at Xn ← oc ← _c"],
  [
    'node-uncaught-original',
    'node',
    "TypeError: Cannot read properties of undefined (reading 'trim') at processExpression ← processFor ← traverseNode",
  ],
  ['node-recursion-original', 'node', 'RangeError: Maximum call stack size exceeded'],
  ['node-syntax', 'node', "SyntaxError: Unexpected token '-'"],
  ['node-reject', 'node', 'Error: lost 12'],
  ['v8-out-of-memory', 'v8', 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory'],
  ['perl-confess', 'perl', 'no rule for token at main::parse ← main::top'],
  ['perl-die', 'perl', 'bad record 7 (-e)'],
  ['python-chained', 'python', 'ValueError: bad record 17 in /tmp/xyz/in.txt at outer ← main'],
  ['python-recursion', 'python', 'RecursionError: maximum recursion depth exceeded'],
  ['python-syntax', 'python', "SyntaxError: '(' was never closed"],
  ['rust-backtrace', 'rust', 'panicked: index out of bounds: the len is 3 but the index is 5 (m.rs:1)'],
])('%s is read as a failure of %s: %s', (name, kind, text) => {
  const signature = read(fixture(name), {}, input);
  expect(signature).toMatchObject({ kind, text });
});

test('a crash of clang by a signal is identified by its functions, without the frames that printed them', () => {
  const signature = read(fixture('llvm-crash-original'), { exit: 139 }, input);
  expect(signature.text).toBe(
    'SIGSEGV in `clang::Sema::ActOnCapScopeReturnStmt` ← `clang::Sema::BuildReturnStmt` ← `clang::Sema::ActOnReturnStmt`',
  );
});

test('what glibc says before the dump of clang is the reason of the crash', () => {
  expect(read(fixture('llvm-smash-original'), {}, input).key).toBe(
    'llvm · exit 1: *** stack smashing detected ***: terminated · clang::Expr::EvaluateAsRValue',
  );
});

test('an assertion keeps its own file, line and function', () => {
  expect(read(fixture('assert-shell'), { exit: 134 }, input).key).toBe(
    "assert · SIGABRT: 'ED_to_virt(e) == NULL' · class2.c:148 · merge_chain",
  );
});

test('an assertion in the input itself does not keep its line', () => {
  const at = (line: number) => read(`a.out: input.c:${line}: main: Assertion \`x' failed.\n`, { exit: 134 }, input).key;
  expect(at(40)).toBe(at(3));
});

// The formats of what can't be run everywhere, in the words of their documentation.
const documented: readonly [string, string, string][] = [
  [
    'go',
    'panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nexample.com/tool/parse.(*Parser).expr(0xc00011e000, {0x4b3a60, 0x3})\n\t/home/user/parse/parse.go:41 +0x1d\nmain.main()\n\t/home/user/main.go:9 +0x25\nexit status 2\n',
    'go · exit 1: panic: runtime error: index out of range [N] with length N · parse.Parser.expr',
  ],
  [
    'go',
    'panic: bad token\n\ngoroutine 1 [running]:\npanic({0x4601e0?, 0x4a5f28?})\n\t/usr/local/go/src/runtime/panic.go:770 +0x132\nmain.walk.func1(...)\n\t/home/user/main.go:5\nmain.emitLoop[...](0x1)\n\t/home/user/main.go:9 +0x25\n',
    'go · exit 1: panic: bad token · main.walk ← main.emitLoop',
  ],
  [
    'ruby',
    "lib/tool.rb:12:in `block in render': undefined method `name' for nil:NilClass (NoMethodError)\n\tfrom lib/tool.rb:11:in `each'\n\tfrom tool:3:in `<main>'\n",
    "ruby · exit 1: NoMethodError: undefined method 'name' for nil:NilClass · render",
  ],
  [
    'php',
    'PHP Fatal error:  Uncaught TypeError: Unsupported operand types: array + int in /home/user/Parser.php:139\nStack trace:\n#0 /home/user/Abstract.php(262): Tool\\Parser->reduceRule145()\n#1 {main}\n  thrown in /home/user/Parser.php on line 139\n',
    'php · exit 1: Fatal error: Uncaught TypeError: Unsupported operand types: array + int · reduceRule145',
  ],
  [
    'dotnet',
    'Unhandled exception. System.AggregateException: One or more errors occurred.\n ---> System.NullReferenceException: Object reference not set to an instance of an object.\n   at Tool.Resolver.CheckLvalue(Expression lhs) in /home/user/Resolver.cs:line 47\n   --- End of inner exception stack trace ---\n   at Tool.Program.Main(String[] args)\n',
    'dotnet · exit 1: System.NullReferenceException: Object reference not set to an instance of an object. · in System.AggregateException · Resolver.CheckLvalue',
  ],
  [
    'swift',
    'Swift/ContiguousArrayBuffer.swift:600: Fatal error: Index out of range\n',
    'swift · exit 1: Fatal error: Index out of range · Swift/ContiguousArrayBuffer.swift:600',
  ],
  [
    'ocaml',
    'Fatal error: exception Not_found\nRaised at Stdlib__Hashtbl.find in file "hashtbl.ml", line 539, characters 13-28\nCalled from Typing.infer in file "typing.ml", line 12, characters 2-9\n',
    'ocaml · exit 1: exception Not_found · Hashtbl.find',
  ],
  [
    'haskell',
    'tool: Prelude.head: empty list\nCallStack (from HasCallStack):\n  error, called at Parse.hs:12:9 in main:Parse\n  expression, called at Main.hs:3:5 in main:Main\n',
    'haskell · exit 1: Prelude.head: empty list · expression',
  ],
  [
    'lua',
    "lua: tool.lua:3: attempt to index a nil value (local 'node')\nstack traceback:\n\ttool.lua:3: in function 'render'\n\t[C]: in ?\n",
    "lua · exit 1: tool.lua: attempt to index a nil value (local 'node') · render",
  ],
  [
    'tcl',
    'wrong # args: should be "render node"\n    while executing\n"render 1 2"\n    (procedure "walk" line 3)\n    invoked from within\n"walk 1"\n    (file "tool.tcl" line 9)\n',
    'tcl · exit 1: wrong # args: should be "render node" · walk',
  ],
  [
    'guile',
    'Backtrace:\nIn unknown file:\n           1 (apply-smob/0 #<thunk 7f8ebfd752e0>)\nIn /app/tool.scm:\n      2:0  0 (render _)\n\n/app/tool.scm:2:0: In procedure render:\nWrong number of arguments to #<procedure render (x)>\n',
    'guile · exit 1: Wrong number of arguments to #<…> · render',
  ],
  [
    'guile of one line',
    'Backtrace:\n           0 (_ _)\n\nice-9/eval.scm:155:9: In procedure car: Wrong type argument in position 1 (expecting pair): 3\n',
    'guile · exit 1: Wrong type argument in position N (expecting pair): N · car',
  ],
  [
    'guile without a procedure',
    'Backtrace:\nIn ice-9/eval.scm:\n   333:13  0 (_ #(#(#<directory (guile-user) 7ca8>)))\n\nice-9/eval.scm:333:13: Wrong number of arguments to #<procedure f (a)>\n',
    'guile · exit 1: Wrong number of arguments to #<…>',
  ],
  [
    'guile 2',
    'Backtrace:\nIn ice-9/boot-9.scm:\n  157: 1 [catch #t #<catch-closure 1>]\n\nERROR: Unbound variable: f\n',
    'guile · exit 1: Unbound variable: f',
  ],
  [
    'elixir',
    '** (KeyError) key :name not found in: %{}\n    (tool 0.1.0) lib/tool.ex:12: Tool.render/1\n',
    'elixir · exit 1: (KeyError) key :name not found in: %{} · Tool.render',
  ],
  [
    'rust',
    "thread 'rustc' panicked at compiler/rustc_middle/src/ty/mod.rs:235:5:\ncalled `Option::unwrap()` on a `None` value\n\nerror: the compiler unexpectedly panicked. this is a bug.\n\nquery stack during panic:\n#0 [typeck] type-checking `main`\n#1 [analysis] running analysis passes on this crate\nend of query stack\n",
    "rust · exit 1: panicked: called 'Option::unwrap()' on a 'None' value · compiler/rustc_middle/src/ty/mod.rs:235 · query typeck",
  ],
  [
    'gcc',
    'input.cpp:7:11: internal compiler error: in tsubst_copy, at cp/pt.cc:16769\n    7 |  f<T>();\n      |  ^~~~\n0x6b9c2d tsubst_copy\n\t../../src/gcc/cp/pt.cc:16769\n',
    'gcc · exit 1: internal compiler error · in tsubst_copy, at cp/pt.cc:16769',
  ],
  [
    'llvm',
    'fatal error: error in backend: Cannot select: t12: i64 = bitcast t7\n',
    'llvm · exit 1: error in backend: Cannot select: t: i64 = bitcast t',
  ],
];

test.each(documented)('a report of %s is known: %#', (_, stderr, key) => {
  expect(read(stderr, {}, input).key).toBe(key);
});

test('an internal error of gcc reads as gcc says it', () => {
  expect(read('input.cpp:7:11: internal compiler error: in tsubst_copy, at cp/pt.cc:16769\n').text).toBe(
    'internal compiler error: in tsubst_copy, at cp/pt.cc:16769',
  );
});

test('without a known report, the exit and the first error count', () => {
  const stderr = 'reading input.xyz\nwarning: old format\ntool: error: cannot fold node 17\nmake: *** [all] Error 2\n';
  expect(read(stderr, { exit: 2 }, nothing)).toMatchObject({
    kind: 'exit',
    key: 'error · exit 2: tool: error: cannot fold node N',
  });
});

test('an error among source lines of two thousand blanks is found, and in no time worth speaking of', () => {
  const ruler = `${' '.repeat(1990)}^\n`.repeat(100);
  expect(read(`${ruler}a.c:1:1: error: expected expression\n${ruler}`).key).toContain('expected expression');
});

test('without any error, the last words count', () => {
  expect(read('reading 12 files\ngiving up\n', { exit: 3 }).key).toBe('error · exit 3: giving up');
});

test('an error on stdout counts when stderr says nothing', () => {
  const stdout = new TextEncoder().encode(fixture('tsc-stdout'));
  expect(read('', { exit: 2, stdout }, input).key).toBe('error · exit 2: <input>: error TS1109: Expression expected.');
});

test('what a program prints on its way is no part of an exit without errors', () => {
  const stdout = new TextEncoder().encode('1c1\n< an error in the text\n---\n> another\n');
  expect(read('', { stdout })).toMatchObject({ kind: 'exit', key: 'exit 1' });
});

test('complaints about the input on the way to a crash do not count', () => {
  const complaint = 'troff: input.bin:3: error: no current font\nSegmentation fault\n';
  expect(read(complaint, { exit: 139 })).toMatchObject({ kind: 'signal', text: 'SIGSEGV', key: 'SIGSEGV' });
});

test('a shell that turns a death into another exit still tells of it', () => {
  expect(read('sh: line 1:  4242 Segmentation fault      (core dumped) ./tool\n', { exit: 1 }).how).toBe(
    'exit 1: SIGSEGV',
  );
  expect(read('Killed three processes\n', { exit: 1 }).how).toBe('exit 1: Killed three processes');
});
