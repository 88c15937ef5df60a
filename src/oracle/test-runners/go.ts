/** go test: packages and tests are chosen by name; Go decides their order. A "file" is a package. */
import { testsOf } from '../../circumstances/tests.js';
import { addAll } from '../../core/lists.js';
import { anyOf, pluginPath, programAt } from './command-line.js';
import type { Called, TestRunner } from './types.js';

/** Options that would choose, order or repeat tests in conflict with the plan, or change what is printed. */
const ours = ['run', 'skip', 'count', 'p', 'parallel', 'shuffle', 'v', 'json', 'failfast', 'list', 'trimpath'];
const oursWithValue = ['run', 'skip', 'count', 'p', 'parallel', 'shuffle', 'list'];
const withValue = ['tags', 'timeout', 'cpu', 'ldflags', 'gcflags', 'mod', 'modfile', 'exec', 'coverprofile', 'C'];

export const go: TestRunner = {
  name: 'go test',
  install: 'get Go from https://go.dev',
  orders: 'nothing',
  selectedBy: ({ name }) => name,
  compares: 'files',
  find(words) {
    const at = programAt(words, 'go');
    return at !== undefined && words[at + 1] === 'test' ? at : undefined;
  },
  argv: (called, arrangement) => [
    process.execPath,
    pluginPath('go.mjs'),
    ...selecting(called, called.program, arrangement, ['-trimpath', '-json']),
  ],
  inOwnWords: (called, arrangement) => selecting(called, called.typed, arrangement, []),
};

function selecting(
  { args }: Called,
  program: readonly string[],
  arrangement: Parameters<TestRunner['argv']>[1],
  more: readonly string[],
): readonly string[] {
  const { options, packages } = parsed(args.slice(1));
  const fixed = [...program, 'test', ...options, ...more, '-count=1', '-p=1'];
  if (!arrangement) return [...fixed, ...packages];
  const names = testsOf(arrangement).map(({ name }) => name);
  return [...fixed, `-run=${anyOf(names)}`, ...arrangement.map(({ file }) => file)];
}

/** Go takes `-run x`, `-run=x` and `--run=x`. */
function parsed(words: readonly string[]) {
  const options: string[] = [];
  const packages: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    const [, flag, value] = /^--?([\w.]+)(=.*)?$/s.exec(word) ?? [];
    if (flag === undefined) {
      packages.push(word);
      continue;
    }
    const takesNext = value === undefined && [...oursWithValue, ...withValue].includes(flag);
    const all = takesNext && i + 1 < words.length ? [word, words[++i]!] : [word];
    if (!ours.includes(flag)) addAll(options, all);
  }
  return { options, packages };
}
