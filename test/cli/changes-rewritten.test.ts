import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.js';
import { expectPatches } from './patched.js';

const count = 24;
const numbers = Array.from({ length: count }, (_, at) => at);
const bodyOf = (at: number, sum: string) => [`var ${sum} = base(${at});`, `${sum} += more(${at});`];

/** Members of an object. */
const old = [
  'function base(n) { return n; }',
  'function more(n) { return n * 2; }',
  'module.exports = {',
  ...numbers.flatMap(at => [
    `    f${at}: function () {`,
    ...bodyOf(at, 'sum').map(line => `        ${line}`),
    '        return sum;',
    '    },',
  ]),
  '};',
  '',
];

/** Assignments with other local names, and helpers with other parameters: no old line fits between these. */
const now = [
  'const helpers = { base: ({ n }) => n, more: ({ n }) => n * 2 };',
  'const base = n => helpers.base({ n });',
  'const more = n => helpers.more({ n });',
  'const api = module.exports = {};',
  ...numbers.flatMap(at => [
    `api.f${at} = function f${at}() {`,
    ...bodyOf(at, 'total').map(line => `  ${line}`),
    ...(at === 17 ? ['  total -= 5;'] : []),
    '  return total;',
    '};',
  ]),
  '',
];

const versions = {
  'old/lib.js': old.join('\n'),
  'new/lib.js': now.join('\n'),
  'check.js': `
const lib = require(require('path').resolve(process.argv[2], 'lib.js'));
for (let at = 0; at < ${count}; at++) if (at !== 17 && lib['f' + at]() !== at * 3) process.exit(4);
if (lib.f17() !== 51) throw new TypeError('wrong sum');
`,
};
const args = ['changes', 'old', 'new', '--match', 'wrong sum', '--json'];
const command = ['--', 'node', 'check.js', '{}'];

test('in a rewritten file the functions are searched first, with more workers and after a stop too', async () => {
  const cwd = folderWith(versions);
  const { code, stdout } = await culprit([...args, '-j', '1', ...command], { cwd });
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found.passes[0].pass).toBe('functions to take back');
  expect(found.minimal).toEqual(['hunk', 'line']);
  const line = now.findIndex(each => each.includes('total -= 5')) + 1;
  expect(found.revert.map(({ code: text }: { code: string }) => text).join()).toContain('+  total -= 5;');
  expect(found.culprits).toMatchObject([{ file: 'lib.js', lines: { new: [expect.any(Number), expect.any(Number)] } }]);
  const [from, to] = found.culprits[0].lines.new;
  expect(from <= line && line <= to).toBe(true);
  // Old lines are counted in old, and not in what the search made of it.
  for (const { lines, code: text } of [...found.culprits, ...found.revert])
    if (lines.old) expect(text).toContain(`-${old[lines.old[0] - 1]}`);
  expectPatches(cwd, 'wrong sum');
  const answer = ({ culprits, revert, minimal }: typeof found) => ({ culprits, revert, minimal });
  const eight = await culprit([...args, '-o', 'eight', '-j', '8', ...command], { cwd });
  expect(answer(JSON.parse(eight.stdout))).toEqual(answer(found));
  const stopped = await culprit([...args, '-o', 'stopped', '-j', '2', '--max-tests', '2', ...command], { cwd });
  expect(stopped.code).toBe(3);
  const resumed = await culprit(['resume', JSON.parse(stopped.stdout).run, '--max-tests', '1000'], { cwd });
  expect(answer(JSON.parse(resumed.stdout))).toEqual(answer(found));
});

/** Beside the rewritten file: one function of many is new, and calls what only new has. */
const kept = Array.from({ length: 30 }, (_, at) => [
  `exports.kept${at} = function () {`,
  `  return ${at};`,
  '};',
]).flat();
/** With a line that stays between two functions, so that each of them is a change. */
const apart = (lines: readonly string[]): string =>
  lines.flatMap(line => (/^ *\},?;?$/.test(line) ? [line, '', '/* the next one */', ''] : [line])).join('\n');
const beside = {
  'old/lib.js': apart([...old.slice(0, -2), '    add: function (path, fn) { return fn(path); }', '};', '']),
  'new/lib.js': apart([
    ...now.filter(line => !line.includes('total -= 5')),
    'api.mount = ({ path, rest: [fn] }) => {',
    "  if (typeof fn !== 'function') throw new TypeError('requires a function');",
    '  return fn(path);',
    '};',
    '',
  ]),
  'old/app.js': [
    "const lib = require('./lib.js');",
    ...kept,
    'exports.use = function (path, fn) {',
    "  if ('string' != typeof path) {",
    '    fn = path;',
    "    path = '/';",
    '  }',
    '  return lib.add(path, fn);',
    '};',
    '',
  ].join('\n'),
  'new/app.js': [
    "const lib = require('./lib.js');",
    ...kept,
    'exports.use = function use(fn) {',
    '  let offset = 0;',
    "  let path = '/';",
    "  if (typeof fn !== 'function' && fn.length !== 0) {",
    '    offset = 1;',
    '    path = fn;',
    '  }',
    '  const rest = [...arguments].slice(offset);',
    '  return lib.mount({ path, rest });',
    '};',
    '',
  ].join('\n'),
  'check.js': `
const of = name => require(require('path').resolve(process.argv[2], name));
const [lib, app] = [of('lib.js'), of('app.js')];
for (let at = 0; at < ${count}; at++) if (lib['f' + at]() !== at * 3) process.exit(4);
if (app.use('/x', path => path) !== '/x' || app.use(path => path) !== '/') process.exit(4);
if (app.use('', path => path + '!') !== '!') process.exit(4);
`,
};

test('what new added is also searched in files beside the rewritten ones', async () => {
  const cwd = folderWith(beside);
  const rule = ['changes', 'old', 'new', '--match', 'requires a function', '--json'];
  const { code, stdout } = await culprit([...rule, '-j', '2', ...command], { cwd });
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found.minimal).toEqual(['addition']);
  expect(found.culprits).toMatchObject([{ file: 'app.js' }]);
  expect(found.culprits[0].code).toContain("+  if (typeof fn !== 'function' && fn.length !== 0) {");
  expectPatches(cwd, 'requires a function');
});

test('an edit with which the program ends before the test has run is no answer', async () => {
  const early = "  if (fn === 'help') process.exit(0);";
  const guard = "  if (path === '') throw new TypeError('requires a function');";
  const app = beside['new/app.js']
    .replace('  let offset = 0;', `${early}\n  let offset = 0;`)
    .replace('  const rest =', `${guard}\n  const rest =`);
  const cwd = folderWith({ ...beside, 'new/app.js': app });
  const rule = ['changes', 'old', 'new', '--match', 'requires a function', '--json'];
  const { code, stdout } = await culprit([...rule, '-j', '2', ...command], { cwd });
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found.revert.length).toBeGreaterThan(0);
  expect(found.revert.map((each: { code: string }) => each.code).join('\n')).not.toContain('-  process.exit(0);');
  expectPatches(cwd, 'requires a function');
});

test('a bundle that runs in the place of modules which are still there is compared with them', async () => {
  const numbers = Array.from({ length: 8 }, (_, i) => i);
  const rules = (quote: string, semicolon: string) =>
    numbers.map(
      i => `  rules.rule${i} = ${quote}word${i}${quote} + rules.base + ${quote}[a-z${i}]+|${quote}${semicolon}`,
    );
  const old = {
    'package.json': '{ "main": "index.js" }\n',
    'index.js':
      "'use strict';\nvar makeRules = require('./rules');\nexports.parse = function (text) {\n  var rules = makeRules({});\n  return text.match(new RegExp(rules.end, 'g'));\n};\n",
    'rules.js': [
      "'use strict';",
      'module.exports = function (options) {',
      '  var rules = { base: options.base };',
      ...rules("'", ';'),
      "  rules.end = '(?:x' + rules.base + '|[()?!\\\\-]|end)';",
      '  return rules;',
      '};',
      '',
    ].join('\n'),
  };
  const newRules = [
    '  const rules = {}',
    '  rules.base = options.base',
    ...rules("'", ''),
    "  rules.end = '(?:x' +\n    rules.base + '|[()?!\\\\-;]|end)'",
    '  return rules',
    '}',
    '',
  ].join('\n');
  const now = {
    'package.json': '{ "main": "build/index.cjs" }\n',
    'index.mjs':
      "import makeRules from './rules.mjs'\nexport function parse (text) {\n  const rules = makeRules({})\n  return text.match(new RegExp(rules.end, 'g'))\n}\n",
    'rules.mjs': `export default function (options) {\n${newRules}`,
    'build/index.cjs': `'use strict';\nfunction makeRules (options) {\n${newRules}\nfunction parse (text) {\n  const rules = makeRules({})\n  return text.match(new RegExp(rules.end, 'g'))\n}\nexports.parse = parse;\n`,
  };
  const under = (name: string, files: Readonly<Record<string, string>>) =>
    Object.entries(files).map(([path, text]) => [`${name}/${path}`, text] as const);
  const breaks =
    "const { parse } = require(require('path').resolve(process.argv[2]));\nif (String(parse('a;-(end')) !== '-,(,end') throw new Error('parsed otherwise');\n";
  const cwd = folderWith({ ...Object.fromEntries([...under('old', old), ...under('new', now)]), 'breaks.cjs': breaks });
  const args = ['changes', 'old', 'new', '-j', '1', '--json', '--', 'node', 'breaks.cjs', '{}'];
  const { code, stdout } = await culprit(args, { cwd });
  expect(code).toBe(0);
  const found = JSON.parse(stdout);
  expect(found.revert.map((each: { file: string; code: string }) => [each.file, each.code])).toEqual([
    ['build/index.cjs', "-    rules.base + '|[()?!\\\\-]|end)'\n+    rules.base + '|[()?!\\\\-;]|end)'"],
  ]);
});
