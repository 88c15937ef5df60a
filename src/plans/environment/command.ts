/** The command of `culprit env`: how it starts, is shown and is reproduced. */
import { resolve } from 'node:path';
import type { Artifact } from '../../core/artifact.js';
import { UserError, type Verdict } from '../../core/index.js';
import { isShellLine, quote, quoteAll } from '../../core/shell.js';
import type { AskedOptions } from '../../oracle/command/rules.js';
import { requireStart, whereIs } from '../../oracle/command/start.js';
import type { JobOptions } from '../../plans/job.js';
import { ownEnvironment, saltOf } from '../../run/kept-environment.js';
import { formatEnvironment } from '../../sources/environment/format.js';
import { identifyWith } from '../../sources/environment/identity.js';
import { type Environment, isSecret, masked, redactedBytes } from '../../sources/environment/secrets.js';
import type { AllOptions } from '../causes/options.js';
import { type InvocationOptions, textFiles, typedWords } from '../invocation.js';
import type { Context } from '../job.js';
import { bytesOfEnvironment } from './search.js';

export interface EnvOptions extends JobOptions, AskedOptions, AllOptions {
  readonly passing?: string;
  readonly failing?: string;
  readonly namesOnly?: boolean;
  readonly prevent?: boolean;
  readonly try?: readonly string[];
  readonly tryFile?: string;
}

/** The program is looked up once, in the PATH that culprit was called with: whether it can be found should not depend on the candidate. */
export function commandOf(words: readonly string[]): readonly string[] {
  const [program = '', ...args] = typedWords(words);
  const path =
    isShellLine(words) || program.includes('/') ? undefined : whereIs(program, ownEnvironment(), process.cwd());
  return [path ?? program, ...args];
}

/** How to reproduce it: with the variables on the command line if they are few, else from the file. */
export function reproduceCommand(command: readonly string[], env: Environment, file: string): string {
  const words = isShellLine(command) ? ['/bin/sh', '-c', command[0]!] : command;
  const entries = Object.entries(env);
  if (entries.length > 8 || entries.some(([, value]) => value.length > 200))
    return `env -i sh -c 'set -a; . "$0"; exec "$@"' ${quoteAll([resolve(file), ...words])}`;
  // A secret is not shown. A user who has it set can run the line as it is.
  const set = entries.map(([name, value]) =>
    isSecret(name, value) ? `"${name}=$${name}"` : quote(`${name}=${value}`),
  );
  return ['env -i', ...set, quoteAll(words)].join(' ');
}

export const shownEnvironment = (env: Environment): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${shorten(masked(name, value))}\n`)
    .join('');
export const shorten = (value: string): string => (value.length > 200 ? `${value.slice(0, 199)}…` : value);

export const keptOf = ({ env = {} }: Artifact): Artifact => textFiles({ 'failing.env': formatEnvironment(env) });

export function invocationOf(
  command: readonly string[],
  env: Environment,
  others: readonly Environment[],
  { options: all, folder: { journal } }: Context,
): InvocationOptions {
  const options = all as EnvOptions;
  return {
    options,
    command,
    shown: command.length === 1 ? command[0]! : quoteAll(command),
    varying: { env },
    setting: {
      elsewhere: options.failing !== undefined,
      phrase: `in the ${options.failing === undefined ? 'current environment' : `environment of ${options.failing}`}`,
      ...(options.passing !== undefined && {
        advice: `Or is it the other one in which it fails? Then: --passing ${options.failing ?? 'here.env'} --failing ${options.passing}`,
      }),
    },
    cleaned: redactedBytes(env, ownEnvironment(), ...others),
    judged: test => {
      const original = journal.noted<{ readonly run?: { readonly exit?: number } }>('original');
      const exit = original?.run?.exit;
      return requireStart({ outcome: 'fail', ...(exit === undefined ? {} : { exit }) } satisfies Verdict, test);
    },
  };
}

/** The files do not vary, and are not hashed. */
export const identifyIn = (context: Context) => {
  const identify = identifyWith(saltOf(context.folder));
  return ({ env = {} }: Artifact) => identify({ files: new Map(), env });
};
export const bytesOf = ({ env = {} }: Artifact): number => bytesOfEnvironment(env);
export const sizeOf = (env: Environment) => ({ bytes: bytesOfEnvironment(env), deltas: Object.keys(env).length });

/** The message if the command does not succeed in the passing environment. */
export const notPassing = ({ outcome, reason }: Verdict): UserError =>
  new UserError(
    outcome === 'fail'
      ? 'The command fails in the same way in both environments, so no difference can be isolated.'
      : `The command does not succeed in the passing environment: ${reason ?? 'it cannot be judged'}.`,
    'Check --passing. To see what the failure needs in the failing environment, leave --passing out.',
    1,
  );
