/** `env --all`: every set of variables that fails by itself, and how to run the command without the failure. */
import { basename } from 'node:path';
import {
  betweenEnvironments,
  differencesOf,
  type Environment,
  environmentOf,
  isSecret,
  overEnv,
} from '../../circumstances/environment/index.js';
import { quoted, quotedAll } from '../../circumstances/options/index.js';
import { type Configuration, deltasOf } from '../../core/index.js';
import { listCauses } from '../causes.js';
import { calling, jsonOf, textFiles } from '../invocation.js';
import type { JobContext, JobResult } from '../job.js';
import type { Output } from '../output.js';
import { calledBy, commandOf, demandPassing, type EnvOptions, identifying, noDifference } from './called.js';

interface Environments {
  readonly failing: Environment;
  /** Leaving a variable out gives it the value that it has here; without it, the variable is unset. */
  readonly passing?: Environment;
}

export function allVariables(
  words: readonly string[],
  { failing, passing }: Environments,
  asked: Output | undefined,
  options: EnvOptions,
  context: JobContext,
): Promise<JobResult> {
  const { folder } = context;
  const command = commandOf(words);
  const deltas = passing ? betweenEnvironments(passing, failing) : environmentOf(failing);
  if (passing && deltas.count === 0) throw noDifference();
  const names = passing ? differencesOf(passing, failing).map(({ name }) => name) : Object.keys(failing);
  const output = asked?.path ?? `${folder.path}/best/causes.txt`;
  const before = { deltas: deltas.count };
  const called = { ...calledBy(command, failing, options, context, passing ? [passing] : []), before };
  return calling(context, called, async ({ original, first, test, counter, settings }) => {
    const identify = identifying(context);
    if (passing) await demandPassing({ ...original, env: passing }, test, identify, context);
    const listed = await listCauses(
      {
        circumstance: overEnv(deltas, original),
        test,
        settings: { ...settings, identify },
        options,
        counter,
        use: leftOut => usedWithout(words, namesIn(leftOut, names), passing ?? {}),
      },
      context,
    );
    const kept = textFiles({ 'causes.txt': `${listed.text}\n` });
    folder.keepBest(kept);
    asked?.write(kept, folder);
    const end = { ended: listed.found.ended, minimal: listed.found.causes.length > 0 ? ['variable'] : [] };
    return {
      ended: end.ended,
      ending: { output, result: listed.text },
      json: jsonOf(context, 'env', end, counter, {
        before,
        output,
        signature: first.signature?.text ?? first.described,
        ...listed.json,
      }),
      page: {
        title: `${basename(words[0]!.split(/\s/)[0]!)}: all causes among the variables`,
        output,
        table: listed.table,
      },
    };
  });
}

const namesIn = (set: Configuration, names: readonly string[]) => [...deltasOf(set)].map(delta => names[delta]!);

/** `env -u A B=value command`: as the command was typed, with some variables unset or as they are where it passes. */
function usedWithout(words: readonly string[], names: readonly string[], passing: Environment): string {
  const line = words.length === 1 && /\s/.test(words[0]!) ? ['sh', '-c', words[0]!] : words;
  const unset = names.filter(name => !Object.hasOwn(passing, name)).flatMap(name => ['-u', quoted(name)]);
  const set = names
    .filter(name => Object.hasOwn(passing, name))
    // A secret is not shown.
    .map(name => (isSecret(name, passing[name]!) ? `${name}=…` : quoted(`${name}=${passing[name]}`)));
  return ['env', ...unset, ...set, quotedAll(line)].join(' ');
}
