/** mocha: a plugin orders the files before they are loaded, and the tests before they run. */

import { pluginPath, programAt, without } from './command-line.js';
import type { TestRunner } from './types.js';

const plugin = pluginPath('mocha.cjs');

export const mocha: TestRunner = {
  name: 'mocha',
  install: 'npm install --save-dev mocha',
  orders: 'files and tests',
  watchesEachTest: true,
  loadsAllFirst: true,
  compares: 'environment variables, globals, files, timers and what CommonJS modules export',
  find: words => programAt(words, 'mocha'),
  argv: ({ program, args }) => [
    ...program,
    ...without(args, ['--parallel', '-p', '--watch', '-w'], ['--reporter', '-R', '--jobs', '-j']),
    '--no-parallel',
    ...['--require', plugin, '--reporter', plugin],
  ],
};
