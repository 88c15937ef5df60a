/** node --test: files and tests are chosen by name; node decides their order. */
import { type Arrangement, testsOf } from '../../circumstances/tests.js';
import { anyOf, optionsOnly, pluginPath, programAt, titlesOf, without } from './command-line.js';
import type { Called, TestRunner } from './types.js';

const withValue = [
  '--import',
  '--require',
  '-r',
  '--loader',
  '--experimental-loader',
  '--conditions',
  '-C',
  '--env-file',
];
const ours = ['--test-reporter', '--test-reporter-destination', '--test-concurrency', '--test-name-pattern'];

export const node: TestRunner = {
  name: 'node',
  install: 'It comes with Node 20 and later.',
  orders: 'nothing',
  selectedBy: ({ name }) => titlesOf(name).at(-1)!,
  compares: 'files, between one test file and the next',
  find(words) {
    const at = programAt(words, 'node');
    return at !== undefined && words.includes('--test') ? at : undefined;
  },
  argv: (called, arrangement) => [
    ...selecting(called, arrangement, called.program, [
      '--require',
      pluginPath('node-file.cjs'),
      `--test-reporter=${pluginPath('node-reporter.mjs')}`,
      '--test-reporter-destination=stdout',
    ]),
  ],
  inOwnWords: (called, arrangement) => selecting(called, arrangement, called.typed, []),
};

function selecting(
  { args }: Called,
  arrangement: Arrangement | undefined,
  program: readonly string[],
  more: readonly string[],
): readonly string[] {
  const own = without(args, ['--watch'], ours);
  const options = ['--test-concurrency=1', ...more];
  if (!arrangement) {
    // Options of node come before the files.
    const at = own.indexOf('--test');
    return [...program, ...own.slice(0, at + 1), ...options, ...own.slice(at + 1)];
  }
  const names = testsOf(arrangement).map(node.selectedBy!);
  const files = arrangement.map(({ file }) => file);
  return [...program, ...optionsOnly(own, withValue), ...options, `--test-name-pattern=${anyOf(names)}`, ...files];
}
