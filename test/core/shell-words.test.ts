import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapPlainWords, plainWords } from '../../src/core/shell-words.js';

const kinds = (line: string): readonly string[] =>
  plainWords(line).map(
    ({ text, isProgram, isTarget }) => `${text}${isProgram ? ' run' : ''}${isTarget ? ' written' : ''}`,
  );

test.each([
  ['sh check.sh {}', ['sh run', 'check.sh']],
  ['./a.sh {} | grep -c x && echo ok', ['./a.sh run', 'grep run', '-c', 'x', 'echo run', 'ok']],
  ['tool < in.txt > out.txt 2> err.txt', ['tool run', 'in.txt', 'out.txt written', 'err.txt written']],
  ['tool >| out.txt; next &> log', ['tool run', 'out.txt written', 'next run', 'log written']],
  ['CC=gcc X=$Y ./run.sh a', ['./run.sh run', 'a']],
  ['if test -f a; then ! b c; fi', ['test run', '-f', 'a', 'b run', 'c', 'fi run']],
  ['grep \'a b.txt\' "c.txt" d\\ e $F *.txt f.txt # g.txt', ['grep run', 'f.txt']],
  ['x=$(cat a.txt) && `./b c`', ['cat run', 'a.txt', './b run', 'c']],
  ['cat <<E\na.txt\nE', []],
])('the plain words of %s', (line, words) => {
  expect(kinds(line)).toEqual(words);
});

test('words that stay the same leave any line as it is', () => {
  const line = fc.string({ unit: fc.constantFrom(...`ab.'"$\`\\(){}<>|&;# \n=/2`), maxLength: 30 });
  fc.assert(
    fc.property(line, text => {
      expect(mapPlainWords(text, ({ text: word }) => word)).toBe(text);
    }),
  );
});

test('a shell reads another word in its place as one word', () => {
  const line = mapPlainWords("printf '<%s>' one two", ({ text }) => (text === 'one' ? "a 'b' $c" : text));
  expect(execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' })).toBe("<a 'b' $c><two>");
});
