/** The words of the user's command, and how they become those of one test. */
import { join } from 'node:path';
import type { Artifact } from '../../core/artifact.js';
import { fillCommand, quote, quoteAll, runnable } from '../../core/shell.js';
import type { OracleOptions } from './options.js';
import { fullPaths, placeOutputs, resolveWords } from './resolve-words.js';

export interface CommandWords {
  /** The command's own words; `{}` stands for the artifact. */
  readonly argv: readonly string[];
  /** Those of the command that it is compared with. */
  readonly compared?: readonly string[];
  /** What the user wrote, and not a library: what the command names in full. */
  readonly scripts: readonly string[];
  /** The words for an artifact in a workspace. `words`: another command than the user's. */
  fill(artifact: Artifact, workspace: string, words?: readonly string[]): readonly string[];
  /** What `{}` stands for: the file, or the folder if several were given. */
  pathIn(workspace: string, artifact: Artifact): string;
  /** The command as a person can type it, on the artifact at this path. */
  shown(path: string): string;
  /** The command as it runs in a workspace; nothing if it has no `{}`. */
  ranAs(artifact: Artifact, workspace: string): string | undefined;
}

type Given = Pick<
  OracleOptions,
  'command' | 'differs' | 'given' | 'oneOf' | 'stdin' | 'outputs' | 'inside' | 'mirrors' | 'isInputless' | 'cwd'
>;

export function commandWords(options: Given): CommandWords {
  const { command, given, oneOf, outputs } = options;
  const resolveAll = (words: readonly string[]): readonly string[] =>
    options.mirrors ? placeOutputs(words, outputs) : resolveWords(words, given, options.cwd ?? process.cwd(), options);
  const argv = resolveAll(command);
  const pathIn = (workspace: string, { files, archives }: Artifact): string => {
    const isThere = (name: string) => files.has(name) || archives?.has(name);
    const only = oneOf ? given.find(({ name }) => isThere(name)) : given.length === 1 ? given[0] : undefined;
    return only ? join(workspace, only.name) : workspace;
  };
  // An artifact may have words of its own.
  const wordsOf = ({ args }: Artifact): readonly string[] => (args ? placeOutputs(args, outputs) : argv);
  const withPath = (words: readonly string[], path: string): readonly string[] =>
    options.isInputless ? runnable(words) : fillCommand(words, '{}', path);
  const fill: CommandWords['fill'] = (artifact, workspace, words = wordsOf(artifact)) =>
    withPath(words, pathIn(workspace, artifact));
  return {
    argv,
    ...(options.differs === undefined ? {} : { compared: resolveAll([options.differs]) }),
    get scripts() {
      return fullPaths(argv).filter(word => !word.includes('/node_modules/'));
    },
    fill,
    pathIn,
    shown(path) {
      const line = quoteAll(withPath(argv, path));
      return options.stdin ? `${line} < ${quote(path)}` : line;
    },
    ranAs: (artifact, workspace) =>
      !options.isInputless && argv.some(word => word.includes('{}')) ? quoteAll(fill(artifact, workspace)) : undefined,
  };
}
