/** Failures that were once taken for another one, or for one and the same: a table to add to. */
import { expect, test } from 'vitest';
import { isSameFailure } from '../../../src/oracle/signature/read.js';
import { read } from './sample.js';

const context = {
  volatile: ['/dev/shm/culprit-1', 'input.js'],
  scripts: ['js', 'py', 'rb', 'php', 'lua', 'pl', 'java', 'go', 'cs'].map(end => `/home/me/check.${end}`),
};

const inCheck = (line: number, more = '') =>
  `SyntaxError: Unexpected token (1:2)\n    at parseTopLevel (/home/me/node_modules/lib/parse.js:10:3)\n    at parse (/home/me/node_modules/lib/parse.js:90:3)\n${more}    at Object.<anonymous> (/home/me/check.js:${line}:7)\n    at Module._compile (node:internal/modules/cjs/loader:1554:14)\n`;
const deep = (line: number) => inCheck(line, '    at descend (/home/me/node_modules/lib/parse.js:55:3)\n');
const cutOff = inCheck(3).split('\n').slice(0, 3).join('\n');
const minified = (names: readonly string[], said = 'e is not a function') =>
  `TypeError: ${said}\n${names.map((name, i) => `    at ${name} (/opt/tool/bundle.min.js:1:${i + 100})\n`).join('')}`;
const inPython = (line: number) =>
  `Traceback (most recent call last):\n  File "/home/me/check.py", line ${line}, in <module>\n    parse(text)\n  File "/usr/lib/python3/dist-packages/lib/parse.py", line 9, in parse\n    raise ValueError("bad token")\nValueError: bad token\n`;
const inRuby = (line: number) =>
  `/usr/lib/ruby/lib/parse.rb:9:in \`parse': bad token (ArgumentError)\n\tfrom /home/me/check.rb:${line}:in \`<main>'\n`;
const inPhp = (line: number) =>
  `PHP Fatal error:  Uncaught ValueError: bad token in /usr/share/php/parse.php:9\nStack trace:\n#0 /home/me/check.php(${line}): parse()\n#1 {main}\n  thrown in /usr/share/php/parse.php on line 9\n`;
const inLua = (line: number, said = 'bad token') =>
  `lua5.4: /usr/share/lua/5.4/parse.lua:9: ${said}\nstack traceback:\n\t[C]: in function 'error'\n\t/usr/share/lua/5.4/parse.lua:9: in function 'parse.expr'\n\t/home/me/check.lua:${line}: in main chunk\n\t[C]: in ?\n`;
const inPerl = (line: number) =>
  `bad token at /usr/share/perl5/Parse.pm line 9.\n\tParse::expr("x") called at /usr/share/perl5/Parse.pm line 20\n\tParse::parse("x") called at /home/me/check.pl line ${line}\n`;
const inJava = (line: number, said = 'bad token') =>
  `Exception in thread "main" java.lang.IllegalStateException: ${said}\n\tat org.lib.Parser.expr(Parser.java:9)\n\tat org.lib.Parser.parse(Parser.java:3)\n\tat check.main(check.java:${line})\n`;
const inGo = (line: number) =>
  `panic: bad token\n\ngoroutine 1 [running]:\nexample.com/lib.(*Parser).expr(...)\n\t/home/me/go/pkg/mod/example.com/lib/parse.go:9\nmain.main()\n\t/home/me/check.go:${line} +0xdd\nexit status 2\n`;
const inDotnet = (line: number) =>
  `Unhandled exception. System.FormatException: bad token\n   at Lib.Parser.Expr(String text) in /src/Parser.cs:line 9\n   at Program.Main(String[] args) in /home/me/check.cs:line ${line}\n`;
const byRuby = (name: string) =>
  `/opt/tool/lib.rb:1:in \`fetch': key not found: :a (KeyError)\n\tfrom /opt/tool/lib.rb:1:in \`${name}'\n\tfrom /opt/tool/lib.rb:8:in \`each'\n\tfrom /opt/tool/lib.rb:8:in \`top'\n`;
const byPhp = (name: string) =>
  `PHP Fatal error:  Uncaught DivisionByZeroError: Division by zero in /opt/tool/lib.php:2\nStack trace:\n#0 /opt/tool/lib.php(2): intdiv()\n#1 /opt/tool/lib.php(7): Tool->${name}()\n#2 {main}\n  thrown in /opt/tool/lib.php on line 2\n`;
const nestedPhp = (outer: string) =>
  `PHP Fatal error:  Uncaught Exception: a in /opt/lib.php:1\nStack trace:\n#0 {main}\n\nNext ${outer}: b in /opt/lib.php:1\nStack trace:\n#0 {main}\n  thrown in /opt/lib.php on line 1\n`;
const afterRuby = (cause: string) =>
  `/opt/lib.rb:2:in \`rescue in go': b (ArgumentError)\n\tfrom /opt/lib.rb:1:in \`go'\n/opt/lib.rb:1:in \`go': a (${cause})\n`;
const notLoaded = (said: string) =>
  `${said} at /opt/Lib.pm line 3.\nCompilation failed in require at tool.pl line 1.\nBEGIN failed--compilation aborted at tool.pl line 1.\n`;
const overflowing = (top: string) =>
  `lua: tool.lua:1: stack overflow\nstack traceback:\n\ttool.lua:1: in upvalue '${top}'\n\ttool.lua:2: in upvalue 'g'\n`;

test.each([
  [
    'a message after a line that ends in a colon counts',
    'Minification error:\nUnexpected token punc «}»\n',
    'Minification error:\nUnexpected eof\n',
    false,
  ],
  [
    'a message after a colon and a blank line counts',
    'Build failed with 1 error:\n\nCannot fold a class\n',
    'Build failed with 1 error:\n\nCannot fold a label\n',
    false,
  ],
  [
    'the line of the input that is shown below a place is no part of the message',
    'SyntaxError: bad unit in a.less on line 12, column 3:\n11   margin: 0;\n12   color: 1/0;\n',
    'SyntaxError: bad unit in a.less on line 1, column 3:\n1 a{color: 1/0}\n',
    true,
  ],
  [
    'a line of the input above carets is no part of the message',
    'Error: bad unit at line 12:\n  color: 1/0;\n         ^\n',
    'Error: bad unit at line 1:\na{color: 1/0}\n         ^\n',
    true,
  ],
  [
    'a message that begins with a number counts',
    'Build failed with 1 error:\n1 file has no end\n',
    'Build failed with 1 error:\n1 file is missing\n',
    false,
  ],
  ['a line that ends in a colon and the same message', 'Fatal error:\n  no rule\n', 'Fatal error:\n\n no rule\n', true],
  [
    'a message between a colon and a stack counts',
    'Minification error:\nbad token\n    at fold (/opt/t.js:1:1)\n',
    'Minification error:\nno such name\n    at fold (/opt/t.js:1:1)\n',
    false,
  ],
  ['the second call in the script of the user is not the first', inCheck(3), inCheck(7), false],
  ['the same call of the user, a deeper stack', inCheck(7), deep(7), true],
  ['a stack that was cut off before it came to the script', inCheck(3), cutOff, true],
  ['the second call in a Python script is not the first', inPython(3), inPython(7), false],
  ['the same call in a Python script', inPython(3), inPython(3), true],
  ['the second call in a Ruby script is not the first', inRuby(3), inRuby(7), false],
  ['the same call in a Ruby script', inRuby(3), inRuby(3), true],
  ['the second call in a PHP script is not the first', inPhp(3), inPhp(7), false],
  ['the same call in a PHP script', inPhp(3), inPhp(3), true],
  ['the second call in a Lua script is not the first', inLua(3), inLua(7), false],
  ['the same call in a Lua script', inLua(3), inLua(3), true],
  [
    'the last line of a long message in Lua',
    inLua(3, 'no rule for:\n\ta\n\tb'),
    inLua(3, 'no rule for:\n\ta\n\tc'),
    true,
  ],
  ['the first line of a long message in Lua', inLua(3, 'no rule\n\tb'), inLua(3, 'no node\n\tb'), false],
  ['where an endless recursion in Lua ended', overflowing('f'), overflowing('h'), true],
  ['the second call in a Perl script is not the first', inPerl(3), inPerl(7), false],
  ['the same call in a Perl script', inPerl(3), inPerl(3), true],
  ['two reasons why Perl could not load a file', notLoaded("Can't locate A.pm"), notLoaded('Bad name after b'), false],
  ['the second call in a Java program is not the first', inJava(3), inJava(7), false],
  ['the same call in a Java program', inJava(3), inJava(3), true],
  ['a message of two lines in Java', inJava(3, 'bad token\nin line 3'), inJava(3, 'bad token\nin row 3'), true],
  ['the first line of a message in Java', inJava(3, 'bad token\nin line 3'), inJava(3, 'no token\nin line 3'), false],
  [
    'exceptions of a Java class without a package',
    'Exception in thread "main" Oops: one\n\tat A.main(A.java:3)\n',
    'Exception in thread "main" Oops: one\n\tat B.go(B.java:3)\n',
    false,
  ],
  ['the second call in a Go program is not the first', inGo(3), inGo(7), false],
  ['the same call in a Go program', inGo(3), inGo(3), true],
  ['the second call in a C# program is not the first', inDotnet(3), inDotnet(7), false],
  ['the same call in a C# program', inDotnet(3), inDotnet(3), true],
  ['who called a method of Ruby itself', byRuby('left'), byRuby('right'), false],
  ['the same caller of a method of Ruby itself', byRuby('left'), byRuby('left'), true],
  ['what Ruby handled when it failed', afterRuby('IOError'), afterRuby('KeyError'), false],
  ['who called a function of PHP itself', byPhp('left'), byPhp('right'), false],
  ['the exception around another one in PHP', nestedPhp('LogicException'), nestedPhp('RuntimeException'), false],
  ['minified callers that change with the input', minified(['sc', 'a', 'Tn']), minified(['sc', 'b2', 'oe']), true],
  ['a minified variable', minified(['sc', 'a']), minified(['sc', 'a'], 't is not a function'), true],
  ['a minified property', minified(['sc', 'a'], 'e.a is not iterable'), minified(['sc'], 't.b is not iterable'), true],
  ['another minified function', minified(['sc', 'a']), minified(['qt', 'a']), false],
  ['a property with a name', minified(['sc']), minified(['sc'], 'e.forEach is not a function'), false],
  ['a telling caller of a minified function', minified(['sc', 'foldCall']), minified(['sc', 'foldLoop']), false],
])('%s', (_, a, b, same) => {
  const [one, other] = [read(a, {}, context), read(b, {}, context)];
  expect(isSameFailure(one, other)).toBe(same);
  expect(isSameFailure(other, one)).toBe(same);
});
