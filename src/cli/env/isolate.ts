import { basename, join } from 'node:path';
import { differencesOf, formatEnvironment, masked, shownDifference } from '../../circumstances/environment/index.js';
import { bytesOfEnvironment, type EnvironmentPair, isolateEnvironment } from '../../plans/environment.js';
import { calling, jsonOf, textFiles } from '../invocation.js';
import type { JobContext, JobResult } from '../job.js';
import type { Output } from '../output.js';
import {
  calledBy,
  commandOf,
  demandPassing,
  type EnvOptions,
  identifying,
  noDifference,
  reproduced,
  short,
} from './called.js';

/** Narrows the difference between an environment in which the command succeeds and one in which it fails. */
export function isolate(
  words: readonly string[],
  pair: EnvironmentPair,
  asked: Output,
  options: EnvOptions,
  context: JobContext,
): Promise<JobResult> {
  const { folder, see } = context;
  const command = commandOf(words);
  const differences = differencesOf(pair.passing, pair.failing);
  if (differences.length === 0) throw noDifference();
  const before = { bytes: bytesOfEnvironment(pair.failing), deltas: differences.length };
  const output = asked.path;
  const called = {
    ...calledBy(command, pair.failing, options, context, [pair.passing]),
    before: { deltas: before.deltas },
  };
  return calling(context, called, async ({ original, first, test, counter, settings }) => {
    const identify = identifying(context);
    await demandPassing({ ...original, env: pair.passing }, test, identify, context);
    const end = await context.follow(
      isolateEnvironment(pair, original, test, { ...settings, namesOnly: options.namesOnly === true, identify }),
    );
    const left = differencesOf(end.passing, end.failing);
    const difference = left.map(each => short(shownDifference(each)));
    const after = { bytes: bytesOfEnvironment(end.failing), deltas: left.length };
    const kept = textFiles({
      'difference.txt': difference.map(line => `${line}\n`).join(''),
      'failing.env': formatEnvironment(end.failing),
      'passing.env': formatEnvironment(end.passing),
    });
    folder.keepBest(kept);
    asked.write(kept, folder);
    see({
      type: 'ended',
      ended: end.ended,
      minimal: end.minimal,
      size: { deltas: left.length },
      counts: counter.counts,
      seconds: context.seconds(),
    });
    const [passing, failing] = [join(output, 'passing.env'), join(output, 'failing.env')];
    const names = new Set(left.map(({ name }) => name));
    const reproduce = reproduced(command, end.failing, failing);
    return {
      ended: end.ended,
      ending: { output, reproduce, result: difference.join('\n') },
      json: jsonOf(context, 'env', end, counter, {
        before,
        after,
        output,
        signature: first.signature?.text ?? first.described,
        passing,
        failing,
        difference,
      }),
      page: {
        title: `${basename(words[0]!.split(/\s/)[0]!)}: which variable makes the difference`,
        reproduce,
        output,
        table: {
          caption: 'Every variable in which the two environments differ; what makes the difference is marked',
          columns: ['variable', 'passing', 'failing'],
          rows: differences.map(({ name, passing: a, failing: b }) => [
            name,
            ...[a, b].map(value => cell(name, value)),
          ]),
          remaining: differences.flatMap(({ name }, i) => (names.has(name) ? [i] : [])),
        },
      },
    };
  });
}

const cell = (name: string, value: string | undefined): string =>
  value === undefined ? '(not set)' : short(masked(name, value));
