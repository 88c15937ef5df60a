/** RSpec: a plugin chooses and orders the examples of the files that are named on its command line. */

import { optionsOnly, pluginPath, programAt, without } from './command-line.js';
import type { TestRunner } from './types.js';

const withValue = ['--require', '-r', '-I', '--options', '-O', '--default-path', '--pattern', '-P', '--tag', '-t'];
/** Options that would choose or order examples in conflict with the plan, or write results elsewhere. */
const replaced = ['--order', '--seed', '--format', '-f', '--out', '-o', '--example', '-e', '--bisect'];
const dropped = ['--fail-fast', '--only-failures', '--next-failure', '-n', '--dry-run'];

export const rspec: TestRunner = {
  name: 'rspec',
  install: 'gem install rspec',
  orders: 'files and tests',
  watchesEachTest: true,
  loadsAllFirst: true,
  compares: 'environment variables, global variables, constants with the variables of classes and modules, and files',
  find: words => programAt(words, 'rspec'),
  argv({ program, args }, arrangement) {
    const own = without(args, dropped, replaced);
    const words = arrangement ? [...optionsOnly(own, withValue), ...arrangement.map(({ file }) => file)] : own;
    return [...program, '--require', pluginPath('culprit_rspec.rb'), '--format', 'Culprit::Results', ...words];
  },
};
