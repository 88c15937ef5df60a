/** `env` without `--passing`: the variables that a failure needs. */
import { basename, join } from 'node:path';
import type { Artifact } from '../../core/artifact.js';
import { simplify } from '../../plans/simplify.js';
import type { Output } from '../../run/output.js';
import { type Environment, isSecret, masked } from '../../sources/environment/secrets.js';
import { listStrategy } from '../../strategies/registry.js';
import { openInvocation } from '../invocation.js';
import type { Context, Opened } from '../job.js';
import { proofsBy } from '../proof.js';
import {
  bytesOf,
  commandOf,
  type EnvOptions,
  identifyIn,
  invocationOf,
  keptOf,
  reproduceCommand,
  shorten,
  shownEnvironment,
  sizeOf,
} from './command.js';
import { environmentPasses } from './search.js';

/** Unsets variables, then shortens their values, as long as the command still fails in the same way. */
export function openSimplify(
  words: readonly string[],
  env: Environment,
  asked: Output | undefined,
  context: Context,
): Opened<Artifact> {
  const options = context.options as EnvOptions;
  const { folder } = context;
  const command = commandOf(words);
  const output = asked?.path ?? join(folder.path, 'best/failing.env');
  const invocation = openInvocation(invocationOf(command, env, [], context), context);
  const { original } = invocation;
  return {
    async firstRun() {
      const { look, ...expected } = await invocation.firstRun();
      const probe = { ...look, identify: identifyIn(context), testedOf: (best: Artifact) => best };
      return { ...expected, probe, original, before: sizeOf(env), kept: keptOf };
    },
    async *search({ test, settings, keep }) {
      const { strategy } = options;
      const passes = environmentPasses(options).map(pass =>
        strategy === undefined ? pass : { ...pass, strategy: () => listStrategy(strategy) },
      );
      const how = { identify: identifyIn(context), measure: bytesOf };
      const end = yield* simplify(original, passes, test, { ...settings, ...how, accepted: keep });
      const best = end.artifact;
      const secrets = secretsNeeded(best.env ?? {});
      if (secrets) yield { type: 'noticed', what: 'note', text: secrets };
      const proofs = await proofsBy(passes, best, how);
      return { ended: end.ended, minimal: end.minimal, best, after: sizeOf(best.env ?? {}), proofs };
    },
    goBack: (end, best) => ({ ...end, best, after: sizeOf(best.env ?? {}) }),
    keep(best) {
      folder.keepBest(keptOf(best));
      asked?.write(keptOf(best), folder);
    },
    page: best => ({
      title: `${basename(words[0]!.split(/\s/)[0]!)}: which variables matter`,
      reproduce: reproduceCommand(command, best.env ?? {}, output),
      output,
      table: tableOf(env, best.env ?? {}),
    }),
    present({ best: { env: left = {} } }) {
      const none = 'No variable matters: the command fails in an empty environment too.';
      return {
        output,
        reproduce: reproduceCommand(command, left, output),
        result: Object.keys(left).length === 0 ? none : shownEnvironment(left),
        fields: {
          variables: Object.fromEntries(Object.entries(left).map(([name, value]) => [name, masked(name, value)])),
        },
      };
    },
    close: invocation.close,
  };
}

function secretsNeeded(env: Environment): string | undefined {
  const secrets = Object.entries(env).filter(([name, value]) => isSecret(name, value));
  if (secrets.length === 0) return undefined;
  const names = secrets.map(([name]) => name).join(', ');
  return `${names}: needed, but not written to the result, because it looks like a secret.`;
}

function tableOf(whole: Environment, left: Environment) {
  const names = Object.keys(whole).sort();
  const isLeft = (name: string) => Object.hasOwn(left, name);
  const value = (name: string) => shorten(masked(name, (isLeft(name) ? left : whole)[name]!));
  return {
    caption: 'Every variable; those that matter are marked, with what is left of their values',
    columns: ['variable', 'value'],
    rows: names.map(name => [name, value(name)]),
    remaining: names.flatMap((name, i) => (isLeft(name) ? [i] : [])),
  };
}
