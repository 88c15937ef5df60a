/** Packages that are installed in a checkout, and that no revision contains. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.js';
import { repositoryWith } from './repository.js';

const files = (factor: number, lock: string) => ({
  '.gitignore': 'node_modules\n',
  'package.json': '{ "name": "app" }\n',
  'package-lock.json': lock,
  'lib.js': `exports.unit = 'mm';\nexports.twice = a => a * ${factor};\nexports.half = a => a / 2;\n`,
  'check.js': "const { equal } = require('@scope/equal');\nequal(require('./lib.js').twice(5), 10);\n",
});

function checkout(locks: readonly [string, string]): string {
  const cwd = folderWith({});
  repositoryWith(cwd, [
    { message: 'one', parents: [], files: files(2, locks[0]) },
    { message: 'two', parents: [0], files: files(3, locks[1]) },
  ]);
  const installed = {
    'node_modules/@scope/equal/index.js':
      "const { say } = require('say');\nexports.equal = (a, b) => { if (a !== b) throw new RangeError(say(a, b)); };\n",
    'node_modules/say/index.js': 'exports.say = (a, b) => a + " is not " + b;\n',
  };
  for (const [path, text] of Object.entries(installed)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  return cwd;
}

test('the tests of a revision find the packages of the checkout', async () => {
  const cwd = checkout(['{}\n', '{}\n']);
  const { code, stderr } = await culprit(['changes', 'HEAD~1', 'HEAD', '--', 'node', 'check.js'], { cwd });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('Tests use the packages that are installed in your checkout.');
  expect(stderr).not.toContain('npm ci');
  expect(stderr).toContain('RangeError: 15 is not 10');
  expect(readFileSync(join(cwd, 'culprit.changes/revert.patch'), 'utf8')).toContain('+exports.twice = a => a * 2;');
});

test('a test that removes what is installed removes links, and the versions of packages that differ are said', async () => {
  const cwd = checkout(['{}\n', '{ "lockfileVersion": 3 }\n']);
  const command = ['--', 'node check.js || { rm -rf node_modules/* node_modules/@scope/*; exit 1; }'];
  const { code, stderr } = await culprit(['changes', 'HEAD~1', 'HEAD', ...command], { cwd });
  expect(code, stderr).toBe(0);
  expect(stderr).toContain("package-lock.json differs: to install what each version needs, use --build 'npm ci'.");
  expect(readdirSync(join(cwd, 'node_modules'))).toEqual(['@scope', 'say']);
  expect(readFileSync(join(cwd, 'node_modules/@scope/equal/index.js'), 'utf8')).toContain('RangeError');
});

test('a build installs for itself: it gets no links', async () => {
  const cwd = checkout(['{}\n', '{}\n']);
  const build =
    'test ! -e node_modules && mkdir -p node_modules/@scope/equal && cp own.js node_modules/@scope/equal/index.js';
  writeFileSync(join(cwd, 'own.js'), '');
  const { stderr } = await culprit(['changes', 'HEAD~1', 'HEAD', '--build', build, '--', 'node', 'check.js'], { cwd });
  expect(stderr).not.toContain('installed in your checkout');
});
