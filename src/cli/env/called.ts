import { resolve } from 'node:path';
import type { Artifact } from '../../circumstances/artifact.js';
import {
  type Environment,
  formatEnvironment,
  identifyWith,
  isSecret,
  masked,
  redactedBytes,
  starting,
  whereIs,
} from '../../circumstances/environment/index.js';
import { quoted, quotedAll } from '../../circumstances/options/index.js';
import { UserError, type Verdict } from '../../core/index.js';
import { bytesOfEnvironment } from '../../plans/environment.js';
import type { AllOptions } from '../causes.js';
import type { CommonOptions, RuleOptions } from '../common.js';
import { type Called, textFiles, typedWords } from '../invocation.js';
import type { JobContext } from '../job.js';
import { ownEnvironment, saltOf } from '../kept-environment.js';

export interface EnvOptions extends CommonOptions, RuleOptions, AllOptions {
  readonly passing?: string;
  readonly failing?: string;
  readonly namesOnly?: boolean;
}

/** The program is looked up once, in the PATH that culprit was called with: whether it is found is not what is asked. */
export function commandOf(words: readonly string[]): readonly string[] {
  const [program = '', ...args] = typedWords(words);
  const isLine = words.length === 1 && /\s/.test(program);
  const path = isLine || program.includes('/') ? undefined : whereIs(program, ownEnvironment(), process.cwd());
  return [path ?? program, ...args];
}

/** How to see it again: the variables on the command line while they are few, else from the file. */
export function reproduced(command: readonly string[], env: Environment, file: string): string {
  const words = command.length === 1 && /\s/.test(command[0]!) ? ['/bin/sh', '-c', command[0]!] : command;
  const entries = Object.entries(env);
  if (entries.length > 8 || entries.some(([, value]) => value.length > 200))
    return `env -i sh -c 'set -a; . "$0"; exec "$@"' ${quotedAll([resolve(file), ...words])}`;
  // A secret is not shown; whoever has it set can run the line as it stands.
  const set = entries.map(([name, value]) =>
    isSecret(name, value) ? `"${name}=$${name}"` : quoted(`${name}=${value}`),
  );
  return ['env -i', ...set, quotedAll(words)].join(' ');
}

export const shownEnvironment = (env: Environment): string =>
  Object.entries(env)
    .map(([name, value]) => `${name}=${short(masked(name, value))}\n`)
    .join('');
export const short = (value: string): string => (value.length > 200 ? `${value.slice(0, 199)}…` : value);

export const keptOf = ({ env = {} }: Artifact): Artifact => textFiles({ 'failing.env': formatEnvironment(env) });

export function calledBy(
  command: readonly string[],
  env: Environment,
  options: EnvOptions,
  { folder: { journal } }: JobContext,
  others: readonly Environment[] = [],
): Omit<Called, 'before'> {
  return {
    job: 'env',
    options,
    command,
    shown: command.length === 1 ? command[0]! : quotedAll(command),
    varying: { env },
    setting: {
      elsewhere: options.failing !== undefined,
      phrase: `in the ${options.failing === undefined ? 'current environment' : `environment of ${options.failing}`}`,
      ...(options.passing !== undefined && {
        advice: `Or is it the other one in which it fails? Then: --passing ${options.failing ?? 'here.env'} --failing ${options.passing}`,
      }),
    },
    kept: keptOf,
    cleaned: redactedBytes(env, ownEnvironment(), ...others),
    judged: test => {
      const original = journal.noted('original') as { readonly run?: { readonly exit?: number } } | undefined;
      const exit = original?.run?.exit;
      return starting({ outcome: 'fail', ...(exit === undefined ? {} : { exit }) } satisfies Verdict, test);
    },
  };
}

/** The files do not vary, and need not be hashed. */
export const identifying = (context: JobContext) => {
  const identify = identifyWith(saltOf(context.folder));
  return ({ env = {} }: Artifact) => identify({ files: new Map(), env });
};
export const bytesOf = ({ env = {} }: Artifact): number => bytesOfEnvironment(env);
export const sizeOf = (env: Environment) => ({ bytes: bytesOfEnvironment(env), deltas: Object.keys(env).length });

export const noDifference = (): UserError =>
  new UserError(
    'The two environments are the same, so no difference can be isolated.',
    'Give one in which the command succeeds and one in which it fails.',
    1,
  );

/** The command succeeds in the passing environment, or it is said why not. */
export async function demandPassing(
  artifact: Artifact,
  test: (artifact: Artifact, signal: AbortSignal) => Promise<Verdict>,
  identify: (artifact: Artifact) => string,
  { folder: { journal }, signal }: JobContext,
): Promise<void> {
  const identity = identify(artifact);
  const verdict = journal.recall(identity) ?? (await test(artifact, signal));
  journal.record(identity, verdict);
  if (verdict.outcome === 'pass') return;
  throw new UserError(
    verdict.outcome === 'fail'
      ? 'The command fails in the same way in both environments, so no difference can be isolated.'
      : `The command does not succeed in the passing environment: ${verdict.reason ?? 'it can not be judged'}.`,
    'Check --passing. To see what the failure needs in the failing environment, leave --passing out.',
    1,
  );
}
