/** `env --all`: every set of variables that fails by itself, and how to run the command without the failure. */
import { basename } from 'node:path';
import {
  betweenEnvironments,
  differencesOf,
  environmentOf,
  overEnv,
} from '../../circumstances/environment/environment.js';
import type { Artifact } from '../../core/artifact.js';
import { deltasOf } from '../../core/index.js';
import { isShellLine, quote, quoteAll } from '../../core/shell.js';
import type { Output } from '../../run/output.js';
import { type Environment, isSecret } from '../../sources/environment/secrets.js';
import { openCauses } from '../causes/open.js';
import type { AllCauses } from '../causes/search.js';
import { demandPass } from '../first-run.js';
import { openInvocation } from '../invocation.js';
import type { Context, Opened } from '../job.js';
import { commandOf, identifyIn, invocationOf, keptOf, notPassing } from './command.js';

interface Environments {
  readonly failing: Environment;
  /** Leaving a variable out gives it its value in this environment; without one, the variable is unset. */
  readonly passing?: Environment;
}

export function openAllVariables(
  words: readonly string[],
  { failing, passing }: Environments,
  output: Output | undefined,
  context: Context,
): Opened<Artifact, AllCauses> {
  const called = invocationOf(commandOf(words), failing, passing ? [passing] : [], context);
  const invocation = openInvocation(called, context);
  const { original } = invocation;
  const identify = identifyIn(context);
  const circumstance = overEnv(passing ? betweenEnvironments(passing, failing) : environmentOf(failing), original);
  const names = passing ? differencesOf(passing, failing).map(({ name }) => name) : Object.keys(failing);
  return openCauses(
    {
      title: `${basename(words[0]!.split(/\s/)[0]!)}: all causes among the variables`,
      ...(output ? { output } : {}),
      identify,
      async firstRun() {
        const expected = await invocation.firstRun();
        const { test } = expected;
        if (passing) await demandPass({ ...original, env: passing }, { test, identify, refuse: notPassing }, context);
        return { ...expected, circumstance, kept: keptOf };
      },
      use: leftOut =>
        usedWithout(
          words,
          [...deltasOf(leftOut)].map(delta => names[delta]!),
          passing ?? {},
        ),
      close: invocation.close,
    },
    context,
  );
}

/** `env -u A B=value command`: as the command was typed, with some variables unset or as in the passing environment. */
function usedWithout(words: readonly string[], names: readonly string[], passing: Environment): string {
  const line = isShellLine(words) ? ['sh', '-c', words[0]!] : words;
  const unset = names.filter(name => !Object.hasOwn(passing, name)).flatMap(name => ['-u', quote(name)]);
  const set = names
    .filter(name => Object.hasOwn(passing, name))
    // A secret is not shown.
    .map(name => (isSecret(name, passing[name]!) ? `${name}=…` : quote(`${name}=${passing[name]}`)));
  return ['env', ...unset, ...set, quoteAll(line)].join(' ');
}
