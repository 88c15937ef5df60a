import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { folderWith, main } from '../cli/culprit.js';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const hook = fileURLToPath(new URL('../../integrations/pytest', import.meta.url));
const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;
const run = (program: string, args: readonly string[], cwd: string, env = {}) => {
  const all = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...env };
  return spawnSync(program, args, { cwd, encoding: 'utf8', env: all }).stdout;
};

test('the vitest reporter names the command for each test that failed', () => {
  const cwd = folderWith({
    'a.test.ts':
      "import { test, describe } from 'vitest'; describe('cart', () => { test('adds', () => {}); test(\"can't clear\", () => { throw new Error('boom'); }); });\n",
  });
  symlinkSync(modules, join(cwd, 'node_modules'));
  const reporter = join(dirname(main), '../library/vitest.js');
  const vitest = join(modules, 'vitest/vitest.mjs');
  const args = [vitest, 'run', '--reporter=default', `--reporter=${reporter}`];
  const told = 'npx culprit tests --test "a.test.ts › cart › can\'t clear" -- npx vitest run';
  expect(run(process.execPath, args, cwd)).toContain(told);
  expect(run(process.execPath, [...args, '-t', 'adds'], cwd)).not.toContain('culprit tests');
  expect(run(process.execPath, [...args, '-t', 'clear'], cwd)).not.toContain('culprit tests');
}, 120_000);

test.skipIf(!hasPytest && !process.env.CI)(
  'the pytest hook names the command for each test that failed (pytest)',
  () => {
    const cwd = folderWith({ 'test_a.py': 'def test_b(): pass\nclass TestC:\n    def test_d(self): assert 0\n' });
    const args = ['-m', 'pytest', '-p', 'culprit_hint', '-p', 'no:cacheprovider'];
    const out = run('python3', args, cwd, { PYTHONPATH: hook, PYTHONDONTWRITEBYTECODE: '1' });
    expect(out).toContain("npx culprit tests --test 'test_a.py › TestC › test_d' -- pytest");
  },
  120_000,
);
