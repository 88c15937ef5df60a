/** Go refuses imports and variables that nothing uses. */
import { expect, test } from 'vitest';
import { unusedInGo } from '../../src/syntax/languages/go-unused.js';
import { reach } from './reach.js';

const numbers = Array.from({ length: 60 }, (_, i) => i);
const program = `package main

import (
${numbers.map(i => `\t"example.org/part${i}"\n`).join('')})

${numbers.map(i => `func step${i}(in []int) int {\n\tall := part${i}.Of(in)\n\tsum := all.Sum(${i})\n\treturn sum\n}\n\n`).join('')}func main() {
\tprintln(step41(nil))
}
`;

test('an import goes with its last use, and a variable loses its name', async () => {
  const isMissing = (one: string) =>
    [...one.matchAll(/(\w*part\d+)\s*\./g)].some(([, name]) => !one.includes(`"example.org/${name}"`));
  const compiles = (one: string) => one.startsWith('package main') && unusedInGo(one).length === 0 && !isMissing(one);
  const { text, tests } = await reach('main.go', program, one => compiles(one) && one.includes('part41.Of('));
  expect(text).not.toContain('sum');
  expect(text.match(/example\.org/g)).toHaveLength(1);
  expect(text.length).toBeLessThan(110);
  expect(tests).toBeLessThan(500);
});
