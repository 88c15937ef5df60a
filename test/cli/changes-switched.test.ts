import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.js';

/** One old file became two others that are written in another way, and `main` names one of them. */
const numbers = Array.from({ length: 30 }, (_, at) => at);
const old = ['var api = {};', ...numbers.flatMap(at => [`api.f${at} = function (n) {`, `  return n * ${at};`, '};'])];
const table = `exports.table = { rows: [${numbers.map(at => (at === 7 ? at + 1 : at)).join(', ')}] };\n`;
const now = `const { table } = require('./table.js');
module.exports = new Proxy({}, { get: (_, key) => n => table.rows.reduce((sum, each, at) => sum + (key === 'f' + at ? n * each : 0), 0) });
`;
const packageOf = (main: string) => `{\n  "name": "p",\n  "main": "${main}"\n}\n`;

test('a revert that only makes the test load the old file is not called an answer', async () => {
  const cwd = folderWith({
    'old/package.json': packageOf('dist/whole.js'),
    'old/dist/whole.js': [...old, 'module.exports = api;', ''].join('\n'),
    'new/package.json': packageOf('lib/index.js'),
    'new/lib/index.js': now,
    'new/lib/table.js': table,
    'check.js': `
const lib = require(require('path').resolve(process.argv[2]));
if (lib.f3(2) !== 6) process.exit(125);
if (lib.f7(2) !== 14) throw new TypeError('wrong product');
`,
  });
  const args = ['changes', 'old', 'new', '--match', 'wrong product', '-j', '2'];
  const { stdout, stderr } = await culprit([...args, '--json', '--', 'node', 'check.js', '{}'], { cwd });
  expect(JSON.parse(stdout).switchedTo).toEqual({ file: 'dist/whole.js', lines: 92 });
  expect(stderr).toContain('only makes the test load the old dist/whole.js (92 lines)');
  expect(stderr).not.toContain('none of them can be left out');
});
