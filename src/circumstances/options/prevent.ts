/** A command with options added that may prevent its failure. */
import { type Circumstance, has } from '../../core/index.js';
import { quoteAll } from '../../core/shell.js';
import type { Candidate } from '../../sources/command-line/candidates.js';

/** Where candidates go if the command says so: `node {options} script.js`. */
export const placeholder = '{options}';

/** The base command with the candidates of a configuration added: at `{options}`, else before `--`, else at the end. */
export function preventing(base: readonly string[], candidates: readonly Candidate[]): Circumstance<readonly string[]> {
  const marked = base.indexOf(placeholder);
  const end = base.indexOf('--');
  const at = marked >= 0 ? marked : end >= 0 ? end : base.length;
  const before = base.slice(0, at);
  const after = base.slice(marked >= 0 ? at + 1 : at);
  return {
    name: 'option',
    count: candidates.length,
    build: configuration => [...before, ...candidates.filter((_, delta) => has(configuration, delta)).flat(), ...after],
    describe: delta => quoteAll(candidates[delta]!),
  };
}
