import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UserError } from '../../src/core/index.js';
import { fillCommand, quote, quoteAll, substitute, substituteInLine } from '../../src/core/shell.js';
import { formatEnvironment } from '../../src/sources/environment/format.js';
import { parseEnvironment } from '../../src/sources/environment/parse.js';

const sh = (line: string, shell = '/bin/sh'): string => execFileSync(shell, ['-c', line], { encoding: 'utf8' });
/** Characters that mean something to some shell, and some that do not. */
const hostile = fc.string({
  unit: fc.constantFrom(...`a b'"$\`\\(){}[]<>|&;#~!*?=%,\n\t-é`, '$&', '$$', '$(echo x)', '{a,b}', "'; echo x; '"),
  maxLength: 12,
});

test('a shell reads a quoted word back as it was, and runs nothing in it', () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 1, maxLength: 8 }), words => {
      const expected = words.map(word => `<${word}>`).join('');
      expect(sh(`printf '<%s>' ${quoteAll(words)}`)).toBe(expected);
      expect(sh(`printf '<%s>' ${quoteAll(words)}`, 'bash')).toBe(expected);
    }),
    { numRuns: 60 },
  );
});

test('a .env file reads a quoted value back as it was', () => {
  fc.assert(
    fc.property(hostile, value => {
      expect(parseEnvironment(formatEnvironment({ PLAIN: value }), 'a.env').PLAIN).toBe(value);
    }),
  );
});

test('no character of a value means anything to the substitution', () => {
  for (const name of ['Foo$$Lambda.txt', 'a$&b', '$`x', "$'x", '$1'])
    expect(fillCommand(['cat', '--file={}'], '{}', name)).toEqual(['cat', `--file=${name}`]);
  expect(substitute('{port}/{port}', '{port}', '$&')).toBe('$&/$&');
});

test.each([
  ['printf %s {}', ''],
  ['printf %s "{}"', ''],
  ["printf %s '{}'", ''],
  ['printf %s "$(printf %s {})"', ''],
  ['printf %s "$(printf %s "{}")"', ''],
  ['printf %s "`printf %s {}`"', ''],
  ['printf %s \\"{}', '"'],
  ["# it's a comment\nprintf %s {}", ''],
  ['(printf %s "{}")', ''],
  [`printf %s "it's {}"`, "it's "],
])('in the line %s a file name is one word, whatever it is called', (line, before) => {
  fc.assert(
    fc.property(
      hostile.filter(value => value.trim() === value),
      value => {
        expect(sh(substituteInLine(line, '{}', value))).toBe(before + value);
      },
    ),
    { numRuns: 30 },
  );
});

test('a NUL is refused with a sentence', () => {
  expect(() => quote('a\0b')).toThrow(UserError);
});
