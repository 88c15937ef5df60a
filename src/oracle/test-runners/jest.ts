/** jest: a sequencer orders the files; tests are chosen by name, and stay in the order of their file. */
import { testsOf } from '../../circumstances/tests.js';
import { anyOf, pluginPath, programAt, titlesOf, without } from './command-line.js';
import type { TestRunner } from './types.js';

export const jest: TestRunner = {
  name: 'jest',
  install: 'npm install --save-dev jest',
  orders: 'files',
  selectedBy: ({ name }) => titlesOf(name).join(' '),
  compares: 'files, between one test file and the next',
  find: words => programAt(words, 'jest'),
  argv: ({ program, args }, arrangement) => [
    ...program,
    ...without(
      args,
      ['--watch', '--watchAll', '--coverage', '--randomize', '-i', '--runInBand', '--ci'],
      ['--reporters', '--testSequencer', '-w', '--maxWorkers'],
    ),
    '--runInBand',
    '--coverage=false',
    '--ci',
    `--testSequencer=${pluginPath('jest-sequencer.cjs')}`,
    `--reporters=${pluginPath('jest-reporter.cjs')}`,
    ...(arrangement ? [`--testNamePattern=${anyOf(testsOf(arrangement).map(jest.selectedBy!))}`] : []),
  ],
};
