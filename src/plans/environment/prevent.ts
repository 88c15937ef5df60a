/** `env --prevent`: the variables that prevent a failure if they are set. */
import { basename } from 'node:path';
import { addingVariables, overEnv } from '../../circumstances/environment/environment.js';
import type { Artifact } from '../../core/artifact.js';
import { UserError } from '../../core/index.js';
import { isShellLine, quote, quoteAll } from '../../core/shell.js';
import type { Output } from '../../run/output.js';
import { type Environment, isSecret } from '../../sources/environment/secrets.js';
import { openInvocation } from '../invocation.js';
import type { Context } from '../job.js';
import { openPrevent } from '../prevent/open.js';
import { commandOf, identifyIn, invocationOf, keptOf } from './command.js';

interface Variables {
  readonly failing: Environment;
  /** What may be set, and to which values. */
  readonly candidates: Environment;
}

export function openPreventVariables(
  words: readonly string[],
  { failing, candidates }: Variables,
  output: Output | undefined,
  context: Context,
) {
  const invocation = openInvocation(invocationOf(commandOf(words), failing, [candidates], context), context);
  const circumstance = overEnv(addingVariables(failing, candidates), invocation.original);
  return openPrevent(
    {
      title: `${basename(words[0]!.split(/\s/)[0]!)}: which variables would help`,
      noun: ['variable', 'variables'],
      ...(output ? { output } : {}),
      identify: identifyIn(context),
      firstRun: async () => ({ ...(await invocation.firstRun()), circumstance, kept: keptOf }),
      use: set => usedWith(words, failing, circumstance.build(set) as Artifact),
      close: invocation.close,
    },
    context,
  );
}

/** `env NAME=value command`: as the command was typed, with the variables set that differ. A secret is not shown. */
function usedWith(words: readonly string[], before: Environment, { env = {} }: Artifact): string {
  const line = isShellLine(words) ? ['sh', '-c', words[0]!] : words;
  const set = Object.entries(env)
    .filter(([name, value]) => before[name] !== value)
    .map(([name, value]) => (isSecret(name, value) ? `${name}=…` : quote(`${name}=${value}`)));
  return ['env', ...set, quoteAll(line)].join(' ');
}

/** `--try NAME=value`. */
export function variablesIn(tries: readonly string[]): Environment {
  return Object.fromEntries(
    tries.map(word => {
      const [, name, value] = /^([^=\s]+)=(.*)$/s.exec(word) ?? [];
      if (name !== undefined && value !== undefined) return [name, value];
      throw new UserError(
        `--try ${word} does not say to which value the variable is set.`,
        'Write NAME=value, for example: --try LANG=C.UTF-8',
      );
    }),
  );
}
