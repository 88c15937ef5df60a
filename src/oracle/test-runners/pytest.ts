/** pytest: a plugin leaves out files before they are imported, and chooses and orders the tests. */
import { dirname } from 'node:path';
import { testsOf } from '../../circumstances/tests.js';
import { optionsOnly, pluginPath, programAt, without } from './command-line.js';
import type { TestRunner } from './types.js';

const withValue = ['-c', '-p', '-k', '-m', '-o', '-W', '--rootdir', '--confcutdir', '--import-mode', '--ignore'];

export const pytest: TestRunner = {
  name: 'pytest',
  install: 'python3 -m pip install pytest',
  orders: 'files and tests',
  watchesEachTest: true,
  loadsAllFirst: true,
  compares:
    'environment variables, built-ins, files, threads, the import path and the values of modules of the project',
  find: words => programAt(words, 'pytest') ?? programAt(words, 'py.test'),
  argv: ({ program, args }) => [
    ...program,
    ...without(args, ['-x', '--exitfirst', '--lf', '--ff', '--nf'], ['-n', '--numprocesses', '--maxfail']),
    ...['-p', 'culprit_pytest', '-p', 'no:cacheprovider', '-p', 'no:randomly', '-p', 'no:random_order'],
  ],
  env: {
    PYTHONPATH: [dirname(pluginPath('culprit_pytest.py')), process.env.PYTHONPATH].filter(Boolean).join(':'),
    PYTHONDONTWRITEBYTECODE: '1',
  },
  inOwnWords({ typed, args }, arrangement) {
    // A file that is only loaded has no name on pytest's command line.
    if (arrangement.some(({ tests }) => tests.length === 0)) return undefined;
    const ids = testsOf(arrangement).map(({ file, name }) => `${file}::${name.split(' › ').join('::')}`);
    const own = without(args, ['-x', '--exitfirst', '--lf', '--ff', '--nf'], ['-n', '--numprocesses', '--maxfail']);
    return [...typed, ...optionsOnly(own, withValue), ...ids];
  },
};
