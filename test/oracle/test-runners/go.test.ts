import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { pluginPath } from '../../../src/oracle/test-runners/command-line.js';
import { go } from '../../../src/oracle/test-runners/go.js';

const called = (...args: readonly string[]) => ({ typed: ['go'], program: ['go'], args: ['test', ...args] });

test("packages and tests are chosen by go's own options, in place of those that choose otherwise", () => {
  const arrangement = [
    { file: 'example.com/shop/cart', tests: ['TestAdds', 'TestClears'] },
    { file: 'example.com/shop/user', tests: ['TestIn'] },
  ];
  const words = called('-race', '-run', 'Cart', '-count=3', '-tags', 'db', '--shuffle=on', '-v', './...');
  expect(go.inOwnWords!(words, arrangement)).toEqual([
    ...['go', 'test', '-race', '-tags', 'db', '-count=1', '-p=1', '-run=^(TestAdds|TestClears|TestIn)$'],
    ...['example.com/shop/cart', 'example.com/shop/user'],
  ]);
  expect(go.argv(words, undefined).slice(2)).toEqual(
    'go test -race -tags db -trimpath -json -count=1 -p=1 ./...'.split(' '),
  );
  expect(go.find(['go', 'test', './...'])).toBe(0);
  expect(go.find(['go', 'vet', './...'])).toBeUndefined();
});

test('what `go test -json` printed for a real module says how each test ended, and why', () => {
  const folder = mkdtempSync(join(tmpdir(), 'culprit-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const results = join(folder, 'results.jsonl');
  writeFileSync(join(folder, 'plan.json'), JSON.stringify({ home: folder, results }));
  const recorded = fileURLToPath(new URL('go-test.jsonl', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [pluginPath('go.mjs'), 'cat', recorded], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, CULPRIT_TESTS: join(folder, 'plan.json') },
  });
  expect(status).toBe(0);
  expect(stdout).toContain('--- FAIL: TestClears');
  const reported = readFileSync(results, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(reported).toEqual([
    { file: 'example.com/shop/cart', name: 'TestAdds', state: 'passed' },
    { file: 'example.com/shop/cart', name: 'TestPrice', state: 'passed' },
    {
      file: 'example.com/shop/cart',
      name: 'TestClears',
      state: 'failed',
      message: 'cart_test.go:11: cart has 1 items',
    },
    { file: 'example.com/shop/user', name: 'TestIn', state: 'passed' },
    { file: 'example.com/shop/user', name: 'TestOut', state: 'passed' },
  ]);
});
