import { basename, join } from 'node:path';
import { differencesOf, shownDifference } from '../../circumstances/environment/environment.js';
import type { Artifact } from '../../core/artifact.js';
import { UserError, type Verdict } from '../../core/index.js';
import { bytesOfEnvironment, type EnvironmentPair, isolateEnvironment } from '../../plans/environment.js';
import type { JobContext, JobResult } from '../../plans/job.js';
import type { Output } from '../../run/output.js';
import { formatEnvironment } from '../../sources/environment/format.js';
import { masked } from '../../sources/environment/secrets.js';
import { calling, jsonOf, textFiles } from '../invocation.js';
import { calledBy, commandOf, type EnvOptions, identifying, reproduced, short } from './called.js';

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
  if (differences.length === 0)
    throw new UserError(
      'The two environments are the same, so no difference can be isolated.',
      'Give one in which the command succeeds and one in which it fails.',
      1,
    );
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

async function demandPassing(
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
