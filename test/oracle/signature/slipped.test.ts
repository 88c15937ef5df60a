/** Failures that were once taken for another one, or for one and the same: a table to add to. */
import { expect, test } from 'vitest';
import { isSameFailure } from '../../../src/oracle/signature/read.js';
import { read } from './sample.js';

const context = {
  volatile: ['/dev/shm/culprit-1', 'input.js'],
  scripts: ['js', 'py', 'rb', 'php'].map(end => `/home/me/check.${end}`),
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
