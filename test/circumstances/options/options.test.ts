import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isUncertain, optionsOf } from '../../../src/circumstances/options/options.js';
import { preventing } from '../../../src/circumstances/options/prevent.js';
import { all, deltasOf, invert, isSubset, of, runInOrder, UserError } from '../../../src/core/index.js';
import { quoteAll } from '../../../src/core/shell.js';
import { candidatesInFile, candidatesInHelp, negate } from '../../../src/sources/command-line/candidates.js';
import { knownFrom, optionsInHelp } from '../../../src/sources/command-line/knowledge.js';
import { expandResponseFiles } from '../../../src/sources/command-line/response.js';
import { wordsOf } from '../../../src/sources/command-line/split-words.js';
import { ddmin } from '../../../src/strategies/index.js';
import { preventions } from '../../../src/strategies/prevent.js';

const groups = (args: readonly string[], settings = {}) => {
  const circumstance = optionsOf(args, settings);
  return Array.from({ length: circumstance.count }, (_, delta) => circumstance.describe!(delta));
};
const line = (text: string) => text.split(' ');

test('an option stays together with its value in every notation of a compiler', () => {
  expect(
    groups(line('-O2 -o out.o -DX=1 -D Y --param max=3 -std=c99 -Xclang -fno-pch -I inc a.c'), { program: 'clang-16' }),
  ).toEqual(['-O2', '-o out.o', '-DX=1', '-D Y', '--param max=3', '-std=c99', '-Xclang -fno-pch', '-I inc', 'a.c']);
});

test('an unknown tool gets its values by a guess, and a second look takes the guess apart', () => {
  const args = line('-v input --level 3 --name=x -n -1 -- -odd');
  expect(groups(args)).toEqual(['-v input', '--level 3', '--name=x', '-n -1', '--', '-odd']);
  expect(isUncertain(args)).toBe(true);
  expect(groups(args, { uncertain: 'apart' })).toEqual([
    '-v',
    'input',
    '--level',
    '3',
    '--name=x',
    '-n',
    '-1',
    '--',
    '-odd',
  ]);
});

test("a tool's own help settles what takes a value", () => {
  const takes = knownFrom(`Usage: tool [options] file
Options:
  -v, --verbose           say more
  -l, --level <n>         how much
  -o FILE, --output=FILE  where to
      --color[=WHEN]      colours
  -std=<x>                language`);
  const args = line('-v input -l 3 --output x --color auto -std=c9 y');
  expect(groups(args, { takes })).toEqual(['-v', 'input', '-l 3', '--output x', '--color', 'auto', '-std=c9', 'y']);
  expect(isUncertain(args, { takes })).toBe(false);
});

test('the artifact itself is never left out, nor an option that holds it', () => {
  expect(groups(line('-c {} -o {}.o x'), { program: 'gcc' })).toEqual(['-c', 'x']);
  expect(optionsOf(line('-c {} -o {}.o x'), { program: 'gcc' }).build([])).toEqual(['{}', '-o', '{}.o']);
});

test('without -- an argument that looks like an option has no artifact', () => {
  const circumstance = optionsOf(['-a', '--', '-b', 'c']);
  expect(circumstance.build(of([0, 2]))).toBeUndefined();
  expect(circumstance.build(of([0, 3]))).toEqual(['-a', 'c']);
});

test('all deltas applied are the arguments themselves, and every configuration is a part of them in order', () => {
  const word = fc.oneof(fc.constantFrom('-x', '--', '--long', '--k=v', '-DX', '{}', '@f', '-', '-1'), fc.string());
  fc.assert(
    fc.property(
      fc.array(word),
      fc.constantFrom('gcc', 'node', 'tool'),
      fc.constantFrom('together', 'apart'),
      (args, program, uncertain) => {
        const circumstance = optionsOf(args, { program, uncertain: uncertain as 'together' });
        expect(circumstance.build(all(circumstance.count))).toEqual(args);
        const built = circumstance.build(of([...deltasOf(all(circumstance.count))].filter(delta => delta % 2 === 0)));
        let at = 0;
        for (const each of built ?? []) at = args.indexOf(each, at) + 1 || Number.NaN;
        expect(at).not.toBeNaN();
      },
    ),
  );
});

test('words that are quoted come back as they were', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }).filter(word => !word.includes('\0'))), words => {
      expect(wordsOf(quoteAll(words))).toEqual(words);
    }),
  );
});

test('response files are opened, one inside another, and a missing one is an argument', () => {
  const files: Record<string, string> = { a: `-x "two words" 'it''s' back\\ slash @b`, b: '-DS=\\"q\\"\n\t-y' };
  expect(expandResponseFiles(['-1', '@a', '@none', '@'], path => files[path])).toEqual([
    '-1',
    '-x',
    'two words',
    'its',
    'back slash',
    '-DS="q"',
    '-y',
    '@none',
    '@',
  ]);
});

test('a response file that opens itself is named', () => {
  expect(() => expandResponseFiles(['@a'], path => (path === 'a' ? '@b' : '@a'))).toThrow(/opens itself: @a → @b → @a/);
});

test('an option file without an option is refused with what to write', () => {
  expect(() => candidatesInFile('# nothing\n\n', 'try.txt')).toThrow(UserError);
  expect(candidatesInFile('# x\n-a\r\n--param max=3\n-a\n', 'try.txt')).toEqual([['-a'], ['--param', 'max=3']]);
});

test('options that are on are tried off, and those that are off on', () => {
  const help = `The following options control optimizations:
  -fgcse                      \t\t[enabled]
  -fno-odd                    \t\t[enabled]
  -funroll-loops              \t\t[disabled]
  -falign-loops=              \t\t
  -O<number>                  \t\t`;
  expect(candidatesInHelp(help, 'gcc')).toEqual([['-fno-gcse'], ['-fodd'], ['-funroll-loops']]);
  expect(optionsInHelp(help).find(({ option }) => option === '-O')?.value).toBe('joined');
  expect(negate('--color')).toBe('--no-color');
  expect(() => candidatesInHelp('no options here', 'tool --help')).toThrow(/`tool --help`/);
});

test('an option with [no-] in its help can be tried both ways', () => {
  const help = '  --[no-]cache          keep things\n  -f[no-]inline   inline\n  --[no-]colour=WHEN   colour\n';
  expect(candidatesInHelp(help, 'tool --help')).toEqual([
    ['--cache'],
    ['--no-cache'],
    ['-finline'],
    ['-fno-inline'],
    ['--no-colour'],
  ]);
});

test('candidates go before --, or where the command says', () => {
  expect(preventing(['a', '--', 'b'], [['-x'], ['-y', '1']]).build([0, 2])).toEqual(['a', '-x', '-y', '1', '--', 'b']);
  expect(preventing(['{options}', 'script'], [['-x']]).build([0, 1])).toEqual(['-x', 'script']);
});

test('every set of options that prevents is found, whatever else is on the list', () => {
  const sets = fc.uniqueArray(fc.integer({ min: 0, max: 19 }), { minLength: 0, maxLength: 9 });
  fc.assert(
    fc.property(sets, fc.array(fc.integer({ min: 1, max: 2 }), { maxLength: 5 }), (deltas, lengths) => {
      let from = 0;
      const wanted = lengths.map(length => of(deltas.slice(from, (from += length)))).filter(set => set.length > 0);
      const prevents = (configuration: readonly number[]) => wanted.some(set => isSubset(set, configuration));
      const { result } = runInOrder(preventions(ddmin()), all(20), configuration =>
        invert(prevents(configuration) ? 'pass' : 'fail'),
      );
      expect(new Set(result.map(String))).toEqual(new Set(wanted.map(String)));
    }),
  );
});

test('options that are refused together are tried in smaller sets', () => {
  // 3 and 12 clash; 5 prevents, and so do 14 and 15 together.
  const { result } = runInOrder(preventions(ddmin()), all(16), configuration => {
    if (isSubset(of([3, 12]), configuration)) return 'unresolved';
    return isSubset([5, 6], configuration) || isSubset([14, 16], configuration) ? 'fail' : 'pass';
  });
  expect(result).toEqual([
    [5, 6],
    [14, 16],
  ]);
});
