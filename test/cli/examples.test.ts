import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { culprit, folderWith } from './culprit.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const hasDasm = process.env.CI !== undefined || spawnSync('sh', ['-c', 'command -v dasm']).status === 0;

function copyOf(example: string): string {
  const cwd = folderWith();
  cpSync(join(root, 'examples', example), cwd, { recursive: true });
  return cwd;
}

test('minifier: of a chart library, the expression on which terser crashes is left', async () => {
  const cwd = copyOf('minifier');
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
  const { code, stdout } = await culprit(
    ['reduce', 'chart.js', '--json', '--', 'node_modules/.bin/terser', '{}', '--module', '--compress'],
    { cwd },
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    ended: 'done',
    signature: expect.stringContaining("Cannot read properties of undefined (reading 'TYPE') at shallow_cmp"),
  });
  expect(readFileSync(join(cwd, 'chart.reduced.js'), 'utf8').trim()).toMatch(/^\(\w\|\w\)&\d;?$/);
});

test.skipIf(!hasDasm)('fuzz: of 4,000 random bytes, those that break the assembler are left (needs dasm)', async () => {
  const cwd = copyOf('fuzz');
  const made = spawnSync(process.execPath, ['make.js', '4000', '1'], { cwd, encoding: 'utf8' }).stdout;
  expect(readFileSync(join(cwd, 'random.asm'), 'utf8')).toBe(made);
  const { code, stdout } = await culprit(['reduce', 'random.asm', '--json', '--', 'dasm', '{}', '-oout.bin'], { cwd });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ ended: 'done', minimal: expect.arrayContaining(['character']) });
  expect(readFileSync(join(cwd, 'random.reduced.asm')).length).toBeLessThan(100);
});

test('schedules: of a cart that two changes meet in, the pair of events is named', async () => {
  const cwd = copyOf('schedules');
  const { code, stdout } = await culprit(['schedules', '--replays', '3', '--json', '--', 'node', 'cart.js'], { cwd });
  expect(code).toBe(0);
  const { isolation, first, second, sentence } = JSON.parse(stdout);
  expect(isolation.left).toBe(1);
  expect([first.file, second.file]).toEqual(['cart.js', 'cart.js']);
  expect(sentence).toMatch(/^Fails when .* runs before .*\.$/);
});

test('tests: the test that fills the cart of another one is named', async () => {
  const cwd = copyOf('tests');
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
  const { code, stderr } = await culprit(['tests', '--', 'npm', 'test'], { cwd });
  expect(code).toBe(0);
  expect(stderr).toContain(
    'test/cart.js › cart › starts empty fails only after test/account.js › account › restores the last session.',
  );
  expect(stderr).toContain('module state store.js: items: changed');
});
