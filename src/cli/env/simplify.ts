import { basename, join } from 'node:path';
import type { Artifact } from '../../circumstances/artifact.js';
import { type Environment, isSecret, masked } from '../../circumstances/environment/index.js';
import { confirmations } from '../../plans/confirm.js';
import { environmentPasses } from '../../plans/environment.js';
import { simplify } from '../../plans/simplify.js';
import { calling, jsonOf } from '../invocation.js';
import type { JobContext, JobResult } from '../job.js';
import type { Output } from '../output.js';
import { listStrategy } from '../strategies.js';
import {
  bytesOf,
  calledBy,
  commandOf,
  type EnvOptions,
  identifying,
  keptOf,
  reproduced,
  short,
  shownEnvironment,
  sizeOf,
} from './called.js';

/** Unsets variables, then shortens their values, as long as the command fails as it did. */
export function simplifyEnvironment(
  words: readonly string[],
  env: Environment,
  asked: Output | undefined,
  options: EnvOptions,
  context: JobContext,
): Promise<JobResult> {
  const { folder, see } = context;
  const command = commandOf(words);
  const output = asked?.path ?? join(folder.path, 'best/failing.env');
  const before = sizeOf(env);
  return calling(context, { ...calledBy(command, env, options, context), before }, async calling => {
    const { original, first, test, counter, settings } = calling;
    let best = env;
    const keep = (artifact: Artifact) => {
      best = artifact.env ?? {};
      if (folder.journal.replaying) return;
      folder.keepBest(keptOf(artifact));
      asked?.write(keptOf(artifact), folder);
    };
    keep(original);
    const page = () => ({
      title: `${basename(words[0]!.split(/\s/)[0]!)}: which variables matter`,
      reproduce: reproduced(command, best, output),
      output,
      table: tableOf(env, best),
    });
    context.showing(page);
    const passes = environmentPasses(options).map(pass =>
      options.strategy === undefined ? pass : { ...pass, strategy: () => listStrategy(options.strategy!) },
    );
    const end = await context.follow(
      simplify(original, passes, test, {
        ...settings,
        identify: identifying(context),
        measure: bytesOf,
        accepted: keep,
        confirm: confirmations,
      }),
    );
    keep(end.artifact);
    const after = sizeOf(best);
    see({
      type: 'ended',
      ended: end.ended,
      minimal: end.minimal,
      size: after,
      counts: counter.counts,
      seconds: context.seconds(),
    });
    noteSecrets(best, context);
    const none = 'No variable matters: the command fails in an empty environment too.';
    return {
      ended: end.ended,
      ending: {
        output,
        reproduce: reproduced(command, best, output),
        result: after.deltas === 0 ? none : shownEnvironment(best),
      },
      json: jsonOf(context, 'env', end, counter, {
        before,
        after,
        output,
        signature: first.signature?.text ?? first.described,
        variables: Object.fromEntries(Object.entries(best).map(([name, value]) => [name, masked(name, value)])),
      }),
      page: page(),
    };
  });
}

function noteSecrets(env: Environment, { see }: JobContext): void {
  const secrets = Object.entries(env).filter(([name, value]) => isSecret(name, value));
  if (secrets.length === 0) return;
  const names = secrets.map(([name]) => name).join(', ');
  see({
    type: 'noticed',
    what: 'note',
    text: `${names}: needed, and not written to the result: it looks like a secret.`,
  });
}

function tableOf(whole: Environment, left: Environment) {
  const names = Object.keys(whole).sort();
  const isLeft = (name: string) => Object.hasOwn(left, name);
  const value = (name: string) => short(masked(name, (isLeft(name) ? left : whole)[name]!));
  return {
    caption: 'Every variable; those that matter are marked, with what is left of their values',
    columns: ['variable', 'value'],
    rows: names.map(name => [name, value(name)]),
    remaining: names.flatMap((name, i) => (isLeft(name) ? [i] : [])),
  };
}
