import { minify } from 'terser';
import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.js';
import { expectPatches } from './patched.js';

/** Forty functions on one line, inside of one that is around everything, as a minifier writes them. */
const minified = (bodies: Readonly<Record<number, string>>) =>
  `!function(e){${Array.from({ length: 40 }, (_, i) => `e.f${i}=function(n,r){${bodies[i] ?? `return n*${i}+r`}}`).join(';')}}(module.exports);\n`;

const versions = {
  'old/lib.min.js': minified({ 7: 'var t=n+r;return t*t' }),
  // Two functions with other names for the same, one with another constant, one that is longer, and one that is wrong.
  'new/lib.min.js': minified({
    3: 'return n*3+r+0',
    7: 'var o=n+r;return o*o',
    21: 'return n*21-r',
    30: 'if(n){return n*30+r}return r',
  }),
  'check.js': `
const lib = require(require('path').resolve(process.argv[2], 'lib.min.js'));
if (lib.f7(1, 2) !== 9) process.exit(4);
if (lib.f21(1, 2) !== 23) throw new TypeError('wrong sum');
`,
};
const args = ['changes', 'old', 'new', '--match', 'wrong sum', '--json'];
const command = ['--', 'node', 'check.js', '{}'];

test('in a minified line, one token is blamed and named by line and column, with more workers and after a stop too', async () => {
  const cwd = folderWith(versions);
  const { code, stdout } = await culprit([...args, '-j', '1', ...command], { cwd });
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  const at = (version: 'old' | 'new', text: string) => ({
    line: 1,
    column: versions[`${version}/lib.min.js`].indexOf('n*21') + 'n*21'.length + 1,
    text,
  });
  expect(found.minimal).toEqual(['hunk', 'line', 'token']);
  expect(found.culprits).toMatchObject([
    { file: 'lib.min.js', role: 'cause', tokens: [{ old: at('old', '+'), new: at('new', '-') }] },
  ]);
  expect(found.revert).toMatchObject([{ tokens: [{ old: at('old', '+'), new: at('new', '-') }] }]);
  expect(found.culprits[0].excerpt).toContain('return n*21[-]r};');
  expectPatches(cwd, 'wrong sum');
  const again = ['-o', 'again', '-j', '4', '--max-tests', '4'];
  const stopped = await culprit([...args, ...again, ...command], { cwd });
  expect(stopped.code).toBe(3);
  const resumed = await culprit(['resume', JSON.parse(stopped.stdout).run, '--max-tests', '1000'], { cwd });
  expect(resumed.code).toBe(0);
  const { culprits, revert } = JSON.parse(resumed.stdout);
  expect({ culprits, revert }).toEqual({ culprits: found.culprits, revert: found.revert });
});

/** Thirty functions that are exported under their names, with or without one that is wrong. */
const source = (isWrong: boolean) => `
  (function (exports) {
    ${Array.from(
      { length: 30 },
      (_, i) => `
    function area${i}(shape, scale) {
      var width = shape.width${i} * scale, height = shape.height${i} * scale;
      if (width === undefined) return true;
      if (height > width) { return exports.last = width * height; } else { exports.last = height; return ${isWrong && i === 13 ? 'height' : 'width'} + ${i}; }
    }
    exports.area${i} = area${i};`,
    ).join('')}
  })(module.exports);`;

test('what another minifier wrote is narrowed to a function, and to a token in it', async () => {
  const plain = await minify(source(false), { compress: false, mangle: true });
  const small = await minify(source(true), { compress: { passes: 2 }, mangle: true });
  const cwd = folderWith({
    'old/lib.min.js': `${plain.code}\n`,
    'new/lib.min.js': `${small.code}\n`,
    'check.js': `
const lib = require(require('path').resolve(process.argv[2], 'lib.min.js'));
const got = lib.area13({ width13: 5, height13: 3 }, 1);
if (got === 16) throw new TypeError('wrong sum');
if (got !== 18) process.exit(4);
`,
  });
  const { code, stdout } = await culprit([...args, '-j', '1', ...command], { cwd });
  expect(code).toBe(0);
  const { revert, verified, tests } = JSON.parse(stdout);
  expect(verified).toEqual({ culprit: 'fail', revert: 'pass' });
  expect(revert).toHaveLength(1);
  const [from] = revert[0].tokens;
  const at = small.code!.indexOf('.height13');
  // The answer is inside the one function of thirty.
  expect(from.new.column).toBeGreaterThan(at);
  expect(from.new.column).toBeLessThan(small.code!.indexOf('width14'));
  expect(tests).toBeLessThan(120);
});
