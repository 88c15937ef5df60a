import { spawnSync } from 'node:child_process';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
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
  const hint = 'npx culprit tests --test "a.test.ts › cart › can\'t clear" -- npx vitest run';
  expect(run(process.execPath, args, cwd)).toContain(hint);
  expect(run(process.execPath, [...args, '-t', 'adds'], cwd)).not.toContain('culprit tests');
  expect(run(process.execPath, [...args, '-t', 'clear'], cwd)).not.toContain('culprit tests');
});

test('with CULPRIT=1 the vitest reporter finds out which other test is the reason, and names the report', () => {
  const cwd = folderWith({
    'a.test.ts':
      "import { expect, test } from 'vitest'; test('logs in', () => { (globalThis as any).user = 1; });\ntest('clears', () => { expect((globalThis as any).user).toBeUndefined(); });\n",
  });
  symlinkSync(modules, join(cwd, 'node_modules'));
  const reporter = join(dirname(main), '../library/vitest.js');
  writeFileSync(
    join(cwd, 'vitest.config.js'),
    `export default { test: { reporters: ['default', ${JSON.stringify(reporter)}] } };\n`,
  );
  const out = run(process.execPath, [join(modules, 'vitest/vitest.mjs'), 'run'], cwd, { CULPRIT: '1' });
  expect(out).toMatch(/^a\.test\.ts › clears fails only after a\.test\.ts › logs in\.\nIt fails with: /m);
  const page = /^report: (.*)$/m.exec(out)![1]!;
  expect(existsSync(join(cwd, page))).toBe(true);
}, 300_000);

test.skipIf(!hasPytest && !process.env.CI)(
  'with CULPRIT=1 the pytest hook finds out, within its budget (pytest)',
  () => {
    const cwd = folderWith({
      'state.py': 'users = []\n',
      'test_a.py': "import state\ndef test_in(): state.users.append('ann')\n",
      'test_b.py': 'import state\ndef test_clears(): assert not state.users\n',
    });
    const args = ['-m', 'pytest', '-p', 'culprit_hint', '-p', 'no:cacheprovider'];
    const env = { PYTHONPATH: hook, PYTHONDONTWRITEBYTECODE: '1', CULPRIT: '1', CULPRIT_CLI: main };
    const out = run('python3', args, cwd, env);
    expect(out).toContain('test_b.py › test_clears fails only after test_a.py › test_in.');
    expect(out).toMatch(/^report: .*report\.html$/m);
  },
  300_000,
);

test.skipIf(!hasPytest && !process.env.CI)(
  'the pytest hook names the command for each test that failed (pytest)',
  () => {
    const cwd = folderWith({ 'test_a.py': 'def test_b(): pass\nclass TestC:\n    def test_d(self): assert 0\n' });
    const args = ['-m', 'pytest', '-p', 'culprit_hint', '-p', 'no:cacheprovider'];
    const out = run('python3', args, cwd, { PYTHONPATH: hook, PYTHONDONTWRITEBYTECODE: '1' });
    expect(out).toContain("npx culprit tests --test 'test_a.py › TestC › test_d' -- pytest");
  },
);
