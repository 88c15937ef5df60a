import { expect, test } from 'vitest';
import { unusedInGo } from '../../src/syntax/languages/go-unused.js';

/** The text without what Go would refuse. */
const tidied = (text: string): string =>
  unusedInGo(text).reduceRight((rest, { start, end, text: put }) => rest.slice(0, start) + put + rest.slice(end), text);

const inFunction = (body: string): string => `package p\nfunc f(m map[string]int) {\n${body}\n}\n`;

test.each([
  ['import "fmt"\nfunc f() {}', '\nfunc f() {}'],
  [
    'import(\n\t"fmt"\n\ts "strings"\n)\nvar x = s.ToUpper("fmt.Print")',
    'import(\n\ts "strings"\n)\nvar x = s.ToUpper("fmt.Print")',
  ],
  ['import "math/rand/v2"\nvar x = rand.Int()', 'import "math/rand/v2"\nvar x = rand.Int()'],
  ['import (_ "embed"; . "os"; "C")', 'import (_ "embed"; . "os"; "C")'],
  ['import "os"\nvar x = y.os // os.Exit', '\nvar x = y.os // os.Exit'],
])('an import goes with its last use: %j', (text, expected) => {
  expect(tidied(`package p\n${text}\n`).replace(/\s+/g, ' ')).toBe(`package p\n${expected}\n`.replace(/\s+/g, ' '));
});

test.each([
  ['a := g()', '_ = g()'],
  ['a, b := g()\nh(b)', '_, b := g()\nh(b)'],
  ['a, _ := g()', '_, _ = g()'],
  ['var a T\na = g()', 'var _ T\n_ = g()'],
  ['for k, v := range m {\nh(k)\n}', 'for k, _ := range m {\nh(k)\n}'],
  ['switch t := x.(type) {\ncase int:\n}', 'switch  x.(type) {\ncase int:\n}'],
  ['if a := g(); true {\n}', 'if _ = g(); true {\n}'],
])('a variable that is only assigned has no name: %j', (body, expected) => {
  expect(tidied(inFunction(body))).toBe(inFunction(expected));
});

test.each(['a := g()\nh(a)', 'a := 1\nfunc() { h(a) }()', 'a := 1\na += 2\nh(&a)', 'var a, b T\nh(b)', '_ = g()'])(
  'what is used, and what is too much to see, stays: %j',
  body => {
    expect(tidied(inFunction(body))).toBe(inFunction(body));
  },
);

test('what has no brackets around it, or not all of them, is no variable of a function', () => {
  for (const text of ['', '}{', 'var a T', 'a := 1', 'func f() {\na := `{\n']) expect(() => tidied(text)).not.toThrow();
  expect(tidied('package p\nvar a T\n')).toBe('package p\nvar a T\n');
});
