/** A new user's first day: the packed tarball in an empty project, from install to library. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
let project = '';
let packed: readonly string[] = [];

/** The build that is there, unless a source is newer. */
function buildIfStale(): void {
  const newest = (folder: string) =>
    Math.max(
      ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => statSync(join(folder, name)).mtimeMs),
    );
  const built = statSync(join(root, 'dist/culprit.1'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = Math.max(newest(join(root, 'src')), newest(join(root, 'scripts')));
  if (built < sources) execFileSync(process.execPath, [join(root, 'scripts/build.js')], { stdio: 'ignore' });
}

const write = (files: Readonly<Record<string, string>>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
};

function run(program: string, args: readonly string[], input = '') {
  const { CI: _, FORCE_COLOR: __, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: project, input, encoding: 'utf8', env });
  return { code: status, stdout, stderr };
}

const culprit = (args: readonly string[], input?: string) =>
  run(join(project, 'node_modules/.bin/culprit'), args, input);
const read = (name: string) => readFileSync(join(project, name), 'utf8');

const script = '#!/bin/sh\nif grep -q BOOM "$1"; then echo "Error: boom" >&2; exit 3; fi\n';

beforeAll(() => {
  buildIfStale();
  project = mkdtempSync(join(tmpdir(), 'culprit-first-day-'));
  const npm = (args: readonly string[], cwd: string) =>
    execFileSync('npm', [...args, '--loglevel', 'error'], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [{ filename, files }] = JSON.parse(
    npm(['pack', '--json', '--ignore-scripts', '--pack-destination', project], root),
  );
  packed = files.map(({ path }: { path: string }) => path);
  writeFileSync(join(project, 'package.json'), '{ "name": "mine", "version": "1.0.0" }\n');
  npm(['install', '--prefer-offline', '--no-audit', '--no-fund', `./${filename}`], project);
  write({ 'bug.txt': 'one\ntwo BOOM\nthree\n', 't.sh': script });
}, 300_000);

afterAll(() => rmSync(project, { recursive: true, force: true }));

test('the package has what is needed, and no junk', () => {
  const folders = [...new Set(packed.map(path => path.split('/')[0]!))].sort();
  expect(folders).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'action.yml',
    'dist',
    'docs',
    'examples',
    'integrations',
    'package.json',
    'schema',
  ]);
  expect(
    packed.filter(path =>
      /(^|\/)(node_modules|\.culprit|\.cache)\/|^(test|bench|scripts|src)\/|\.(map|tsbuildinfo|log|tgz)$/.test(path),
    ),
  ).toEqual([]);
  expect(packed.filter(path => /\.reduced\.|\.isolated|__pycache__|\.pyc$/.test(path))).toEqual([]);
  expect(packed).toContain('dist/vendor/LICENSES.txt');
});

test('the install is less than half of the 78 MB that it was', () => {
  const size = (folder: string): number =>
    readdirSync(folder, { withFileTypes: true }).reduce(
      (sum, each) =>
        sum + (each.isDirectory() ? size(join(folder, each.name)) : statSync(join(folder, each.name)).size),
      0,
    );
  const megabytes = size(join(project, 'node_modules')) / 1024 ** 2;
  console.info(`installed: ${megabytes.toFixed(1)} MB`);
  expect(megabytes).toBeLessThan(39);
});

test('help and man page', () => {
  expect(culprit(['--help']).stdout).toMatch(/Usage: culprit[\s\S]*culprit reduce bug\.c -- gcc -O2 -c \{\}/);
  expect(culprit(['reduce', '--help']).stdout).toContain('--exclude <glob>');
  expect(existsSync(join(project, 'node_modules/culprit/dist/culprit.1'))).toBe(true);
});

test('reduce by signature, then the report, and a second run of the same', () => {
  const first = culprit(['reduce', 'bug.txt', '--json', '--', './t.sh', '{}']);
  expect(first.code, first.stderr).toBe(0);
  expect(JSON.parse(first.stdout)).toMatchObject({ ended: 'done', signature: expect.stringContaining('Error: boom') });
  expect(read('bug.reduced.txt')).toBe('BOOM');
  expect(culprit(['report']).stdout.trim()).toMatch(/report\.html$/);
  expect(read('.culprit/bug-1/report.html')).toContain('BOOM');
  expect(culprit(['verify']).code).toBe(0);
  run('git', ['init', '-q']);
  expect(run('git', ['status', '--porcelain', '--ignored=no']).stdout).not.toContain('.culprit');
  expect(culprit(['reduce', 'bug.txt', '--quiet', '--', './t.sh', '{}']).code).toBe(0);
  write({ 'bug.reduced.txt': 'mine now\n' });
  const refused = culprit(['reduce', 'bug.txt', '--', './t.sh', '{}']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('changed since culprit wrote it') });
  expect(read('bug.reduced.txt')).toBe('mine now\n');
});

test('reduce by script, in a language with a packed grammar and with the packed compiler', () => {
  write({ 'app.ts': 'const used: number = 1;\nfunction f(a: string) { return a + used; }\nboom(f("x"));\n' });
  const ended = culprit(['reduce', 'app.ts', '--interesting', '--', 'grep', '-q', 'boom(', '{}']);
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).toMatch(/no single node/);
  expect(read('app.reduced.ts').length).toBeLessThan(10);
});

test('reduce by stdin and stdout', () => {
  const piped = culprit(['reduce', '-', '-o', '-', '--', './t.sh', '{}'], 'a\nBOOM\nb\n');
  expect(piped).toMatchObject({ code: 0, stdout: 'BOOM' });
  const fed = culprit(['reduce', 'bug.txt', '--stdin', '--interesting', '-o', '-', '--', 'grep', '-q', 'BOOM']);
  expect(fed).toMatchObject({ code: 0, stdout: 'BOOM' });
});

test('reduce a folder with node_modules', () => {
  write({
    'app/main.js': "const { word } = require('word');\nif (word) throw new Error('boom');\nother();\n",
    'app/node_modules/word/index.js': "exports.word = 'BOOM';\n",
    'app/.gitignore': 'dist/\n',
    'app/dist/out.js': 'built();\n',
  });
  const ended = culprit([
    'reduce',
    'app',
    '--by',
    'line',
    '--json',
    '--match',
    'Error: boom',
    '--',
    'node',
    '{}/main.js',
  ]);
  expect(ended.code, ended.stderr).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({ before: { deltas: 2 } });
  expect(readdirSync(join(project, 'app.reduced'))).toEqual(['main.js']);
});

test('reduce a folder with files of several languages', () => {
  write({
    'site/main.js': "const { name } = require('./package.json');\nif (name) throw new Error(name);\nother();\n",
    'site/package.json': '{ "name": "boom", "version": "1.0.0" }\n',
    'site/style.css': 'a { color: red }\n',
    'site/README.md': '# Site\n',
  });
  const ended = culprit(['reduce', 'site', '--json', '--max-tests', '40', '--', 'node', '{}/main.js']);
  expect([0, 3], ended.stderr).toContain(ended.code);
  expect(JSON.parse(ended.stdout).after.bytes).toBeLessThan(100);
});

test('wrong calls', () => {
  expect(culprit(['reduce', 'bug.txt'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No command to run'),
  });
  expect(culprit(['reduce', 'package.json', '--', 'true']).code).toBe(1);
  expect(culprit(['redcue'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean reduce') });
});

test('stop and resume', () => {
  write({ 'long.txt': `${'line\n'.repeat(30)}BOOM\n` });
  expect(culprit(['reduce', 'long.txt', '--max-tests', '3', '--', './t.sh', '{}']).code).toBe(3);
  expect(culprit(['resume']).code).toBe(0);
  expect(read('long.reduced.txt')).toBe('BOOM');
});

const use = `const { value } = await simplify('a BOOM b', text => text.includes('BOOM'));
const tree = await simplify('f(1); boom(2);', text => text.includes('boom'), { language: 'js' });
const test = await commandTest('x\\nBUG\\n', ['grep', '-q', 'BUG', '{}'], { interesting: true });
const { value: third } = await simplify('x\\nBUG\\n', test);
await test.close();
console.log(JSON.stringify([value, tree.value, third]));
`;

test('the library from ESM and from CommonJS', () => {
  write({
    'use.mjs': `import { commandTest, simplify } from 'culprit';\n${use}`,
    'use.cjs': `const { commandTest, simplify } = require('culprit');\n(async () => {\n${use}})();\n`,
  });
  for (const name of ['use.mjs', 'use.cjs']) {
    const ended = run(process.execPath, [name]);
    expect(ended.stdout, ended.stderr).toBe('["BOOM","boom","BUG"]\n');
  }
});

test('the library from TypeScript, with its types', () => {
  const options = { module: 'nodenext', strict: true, noEmit: true, target: 'es2022', types: [], skipLibCheck: false };
  write({
    'use.mts': `import { commandTest, simplify, type Simplification } from 'culprit';
const found: Simplification<string> = await simplify('a', text => text.includes('a'), { language: 'json', workers: 2 });
const list: Simplification<readonly number[]> = await simplify([1, 2], numbers => numbers.includes(2));
const test = await commandTest('a', ['false', '{}'], { match: 'x', stdin: true });
const rule: string = test.rule;
// @ts-expect-error: there is no such option.
await simplify('a', () => true, { speed: 'fast' });
export { found, list, rule };
`,
    'tsconfig.json': JSON.stringify({ compilerOptions: options, files: ['use.mts'] }),
  });
  const checked = run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.']);
  expect(checked).toMatchObject({ code: 0, stdout: '' });
});
