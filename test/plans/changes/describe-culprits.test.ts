import { expect, test } from 'vitest';
import type { Culprit } from '../../../src/plans/changes/answer/culprits.js';
import { describeCulprits } from '../../../src/plans/changes/answer/describe-culprits.js';
import { describeExecuted } from '../../../src/plans/changes/executed.js';
import { shownCode } from '../../../src/plans/shown-code.js';

const culprit = (given: Partial<Culprit>): Culprit => ({
  cause: 1,
  role: 'cause',
  file: 'lib/x.js',
  lines: { new: [7, 7] },
  change: 'lib/x.js -7,1 +7,1',
  code: '-old\n+new',
  excerpt: given.code ?? '-old\n+new',
  patch: '',
  ...given,
});

test('file, line, function and code are there; what is only needed is listed apart', () => {
  const words = describeCulprits(
    [
      culprit({ function: 'f' }),
      culprit({ role: 'needed', file: 'lib/y.js', change: 'lib/y.js -1,0 +1,1', lines: { new: [1, 1] } }),
    ],
    [],
    ['revert.patch makes new pass'],
  );
  expect(words).toEqual([
    'to blame: lib/x.js:7 in f',
    '  -old',
    '  +new',
    'needed so that it builds or runs: lib/y.js:1',
    'revert.patch makes new pass',
  ]);
});

test('a revert that is smaller than the cause comes first; the same one is not shown twice', () => {
  const cause = culprit({});
  const { cause: _, role: __, patch: ___, ...same } = cause;
  expect(describeCulprits([cause], [same], [])[0]).toBe('to blame: lib/x.js:7');
  const words = describeCulprits(
    [cause],
    [{ ...same, lines: { new: [9, 9] }, code: '+only this', excerpt: ' before\n+only this' }],
    [],
  );
  expect(words).toEqual([
    'smallest revert: lib/x.js:9',
    '   before',
    '  +only this',
    'to blame: lib/x.js:7',
    '  -old',
    '  +new',
  ]);
});

test('however much is to blame, the first places are named and it fits on a terminal', () => {
  const code = Array.from({ length: 300 }, (_, i) => `+${'x'.repeat(i)}`).join('\n');
  const words = describeCulprits(
    Array.from({ length: 80 }, (_, i) => culprit({ file: `f${i}.js`, code })),
    [],
    ['end'],
  );
  expect(words[0]).toBe('to blame: f0.js:7');
  expect(words.length).toBeLessThanOrEqual(40);
  expect(words.join()).toMatch(/and \d+ more: see the patches/);
});

test('a long place does not hide the code of the others, and what is left out is counted', () => {
  const long = Array.from({ length: 100 }, (_, i) => `+line ${i}`).join('\n');
  const words = describeCulprits([culprit({ code: long }), culprit({ file: 'lib/y.js', code: '+short' })], [], []);
  expect(words).toContain('  +line 0');
  expect(words).toContain('  +short');
  const [left] = words.flatMap(line => /… (\d+) more lines: see the patches/.exec(line)?.[1] ?? []);
  expect(words.filter(line => /\+line/.test(line)).length + Number(left)).toBe(100);
});

test('many places in one file are named together', () => {
  const many = Array.from({ length: 90 }, (_, i) => culprit({ change: `lib/x.js -${i},1 +${i},1` }));
  expect(describeCulprits([...many, culprit({ file: 'lib/y.js' })], [], ['end'])).toEqual([
    'to blame: 90 places in lib/x.js',
    'together with lib/y.js:7',
    '  -old',
    '  +new',
    'end',
  ]);
});

test('what is only needed takes one line for each file', () => {
  const needed = [3, 5, 8].map(line =>
    culprit({ role: 'needed', file: 'a.js', change: `a.js -0,0 +${line},1`, lines: { new: [line, line] } }),
  );
  expect(describeCulprits([culprit({}), ...needed], [], []).at(-1)).toBe(
    'needed so that it builds or runs: a.js:3, 5, 8',
  );
});

test('what became of a file as a whole is said', () => {
  expect(describeCulprits([culprit({ change: 'a.js deleted', code: '' })], [], [])).toEqual(['to blame: a.js deleted']);
  expect(describeCulprits([culprit({ change: 'a.js renamed to b.js', code: '' })], [], [])).toEqual([
    'to blame: a.js renamed to b.js',
  ]);
});

test('white space that makes the difference is visible', () => {
  expect(shownCode('-x\n+x\r')).toEqual(['-x', '+x␍']);
  expect(shownCode('-  x\n+\tx ')).toEqual(['-··x', '+→x·']);
});

test('a long line is shown by the columns that differ', () => {
  const [before, after] = ['a'.repeat(300), 'b'.repeat(300)];
  expect(shownCode(`-${before}1${after}\n+${before}22${after}`)).toEqual([
    'at column 301:',
    `-…${'a'.repeat(24)}[1]${'b'.repeat(24)}…`,
    `+…${'a'.repeat(24)}[22]${'b'.repeat(24)}…`,
  ]);
});

test('of two lines, a short pair is shown as it is, and each place of a long one', () => {
  const [before, after] = [`return encode(${'a, '.repeat(20)}`, `)${'.map(f)'.repeat(10)};`];
  expect(
    shownCode(` f(\n-g(text) {\n+g(input) {\n-${before}text${after}\n+${before}String(input)${after}.last();\n }`),
  ).toEqual([
    ' f(',
    '-g(text) {',
    '+g(input) {',
    'at column 75:',
    '-…a, a, a, a, a, a, a, a, [text]).map(f).map(f).map(f).m…',
    '+…a, a, a, a, a, a, a, a, [String(input)]).map(f).map(f).map(f).m…',
    'at column 160:',
    '-…f).map(f).map(f).map(f);[]',
    '+…f).map(f).map(f).map(f);[.last();]',
    ' }',
  ]);
});

test('a token of a long line is named by line and column', () => {
  const at = { line: 7, column: 2034 };
  const tokens = [{ old: { ...at, text: '+' }, new: { ...at, text: '-' } }];
  expect(describeCulprits([culprit({ tokens })], [], [])[0]).toBe('to blame: lib/x.js:7:2034');
});

test('how many changes are executed is said in whole sentences', () => {
  expect(describeExecuted(3, 9, 'v8')).toBe('3 of 9 changes are executed by the test (v8); the others are set aside');
  expect(describeExecuted(1, 9, 'v8')).toBe('1 of 9 changes is executed by the test (v8); the others are set aside');
  expect(describeExecuted(9, 9, 'v8')).toBe('all 9 changes are executed by the test (v8)');
  expect(describeExecuted(1, 1, 'v8')).toBe('the only change is executed by the test (v8)');
});
