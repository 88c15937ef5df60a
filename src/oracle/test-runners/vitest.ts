/** vitest: a sequencer orders the files, a runner in its workers chooses and orders the tests. */

import { pluginPath, programAt } from './command-line.js';
import type { TestRunner } from './types.js';

export const vitest: TestRunner = {
  name: 'vitest',
  install: 'npm install --save-dev vitest',
  orders: 'files and tests',
  watchesEachTest: true,
  compares: 'environment variables, globals, files and what modules export',
  find: words => programAt(words, 'vitest'),
  argv: ({ args }) => [process.execPath, pluginPath('vitest.mjs'), ...args],
};
