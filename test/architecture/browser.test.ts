import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src', import.meta.url));

test('core and strategies, bundled for a browser, run in a context that has nothing but the language', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from './core/index.js'; export * from './strategies/index.js';`,
      resolveDir: source,
      loader: 'ts',
    },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'culprit',
    write: false,
    logLevel: 'silent',
  });
  const context = createContext(Object.create(null));
  const result = runInContext(
    `${outputFiles[0]!.text};
    const { runInOrder, all, has, ddmin, sweep, deltasOf } = culprit;
    const test = c => has(c, 5) && has(c, 7) ? 'fail' : 'pass';
    JSON.stringify([ddmin(), sweep()].map(strategy => [...deltasOf(runInOrder(strategy, all(100), test).result)]));`,
    context,
  );
  expect(JSON.parse(result)).toEqual([
    [5, 7],
    [5, 7],
  ]);
});
