/** `--also env` and `--also options`: varies how the command is called, in addition to its input. */

import { optionsOf } from '../../circumstances/options/options.js';
import { type Artifact, bytesOf } from '../../core/artifact.js';
import { type Test, UserError } from '../../core/index.js';
import { isShellLine, quote, quoteAll, substitute } from '../../core/shell.js';
import type { OracleOptions } from '../../oracle/command/options.js';
import { requireStart, whereIs } from '../../oracle/command/start.js';
import { keptEnvironment, ownEnvironment, saltOf } from '../../run/kept-environment.js';
import type { RunFolder } from '../../run/run-folder.js';
import { formatEnvironment } from '../../sources/environment/format.js';
import { identifyWith } from '../../sources/environment/identity.js';
import { type Environment, isSecret, masked, redactedBytes } from '../../sources/environment/secrets.js';
import { identify } from '../../sources/files.js';
import { bytesOfEnvironment, environmentPasses } from '../environment/search.js';
import { optionPasses } from '../options/passes.js';
import type { Pass } from '../pass.js';

/** What varies in addition to the input, for a run that varies several circumstances at once. */
export interface VaryCommand {
  readonly cleaned?: OracleOptions['cleaned'];
  /** The artifact with everything that varies in it. */
  over(input: Artifact, argv: readonly string[]): Artifact;
  /** The circumstance with the most deltas first, then the others. */
  passes(input: readonly Pass<Artifact>[], whole: Artifact): readonly Pass<Artifact>[];
  readonly identify: (artifact: Artifact) => string;
  readonly measure: (artifact: Artifact) => number;
  judged(test: Test<Artifact>): Test<Artifact>;
  /** Records how the command is called, next to the smallest input. */
  keep(artifact: Artifact, path: string): void;
  /** The command that reproduces the failure, on the input at this path. */
  shown(artifact: Artifact, path: string): string | undefined;
  json(artifact: Artifact): Readonly<Record<string, unknown>>;
}

const kinds = ['env', 'options'] as const;

export function varyCommand(
  asked: readonly string[] | undefined,
  folder: RunFolder,
  command: readonly string[],
): VaryCommand {
  const unknown = asked?.find(each => !kinds.some(kind => kind === each));
  if (unknown !== undefined)
    throw new UserError(`--also ${unknown} is not known.`, `Choose one of: ${kinds.join(', ')}.`);
  const varies = (kind: (typeof kinds)[number]) => asked?.includes(kind) === true;
  if (varies('options') && isShellLine(command))
    throw new UserError(
      'Pass the command as separate arguments, not as one shell string.',
      'Or remove --also options.',
    );
  const env = varies('env') ? keptEnvironment(folder, 'environment', ownEnvironment(), 'the environment') : undefined;
  const settings = { isProtected: isInput };
  return {
    ...(env ? { cleaned: redactedBytes(env) } : {}),
    over(input, argv) {
      if (!env) return varies('options') ? { ...input, args: argv } : input;
      // Whether the program is found without PATH is not the question.
      const [program = '', ...rest] = argv;
      const path = isShellLine(argv) || program.includes('/') ? undefined : whereIs(program, env, process.cwd());
      return { ...input, env, args: [path ?? program, ...rest] };
    },
    passes(input, whole) {
      const groups = [
        { deltas: linesOf(whole), passes: input },
        ...(env ? [{ deltas: Object.keys(env).length, passes: environmentPasses() }] : []),
        ...(whole.args && varies('options')
          ? [{ deltas: optionsOf(whole.args.slice(1), settings).count, passes: optionPasses(whole.args, settings) }]
          : []),
      ];
      return groups.sort((a, b) => b.deltas - a.deltas).flatMap(group => group.passes);
    },
    identify: env ? identifyWith(saltOf(folder)) : identify,
    measure: artifact =>
      bytesOf(artifact) + bytesOfEnvironment(artifact.env ?? {}) + quoteAll(artifact.args ?? []).length,
    judged(test) {
      if (!env) return test;
      const original = folder.journal.noted<{ readonly run?: { readonly exit?: number } }>('original');
      const exit = original?.run?.exit;
      return requireStart({ outcome: 'fail', ...(exit === undefined ? {} : { exit }) }, test);
    },
    keep(artifact, path) {
      const line = this.shown(artifact, path);
      if (line !== undefined) folder.write('command.txt', `${line}\n`);
      if (artifact.env) folder.write('failing.env', formatEnvironment(artifact.env));
    },
    shown({ args, env: left }, path) {
      if (!args && !left) return undefined;
      const words = (args ?? command).map(word => substitute(word, '{}', path));
      return left ? `env -i ${[...Object.entries(left).map(setting), quoteAll(words)].join(' ')}` : quoteAll(words);
    },
    json: ({ args, env: left }) => ({
      ...(args && varies('options') ? { arguments: args } : {}),
      ...(left ? { variables: maskedIn(left) } : {}),
    }),
  };
}

const isInput = (word: string): boolean => word.includes('{}');
const setting = ([name, value]: readonly [string, string]): string =>
  isSecret(name, value) ? `"${name}=$${name}"` : quote(`${name}=${value}`);
const maskedIn = (env: Environment) =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, masked(name, value)]));

function linesOf({ files }: Artifact): number {
  let lines = 0;
  for (const entry of files.values())
    if (entry.kind === 'file') for (const byte of entry.bytes) lines += byte === 10 ? 1 : 0;
  return lines + files.size;
}
