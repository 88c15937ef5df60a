/** `env --passing`: the smallest difference between two environments. */
import { basename, join } from 'node:path';
import { differencesOf, shownDifference } from '../../circumstances/environment/environment.js';
import type { Artifact } from '../../core/artifact.js';
import type { Output } from '../../run/output.js';
import { formatEnvironment } from '../../sources/environment/format.js';
import { masked } from '../../sources/environment/secrets.js';
import { pairStrategy } from '../../strategies/registry.js';
import { demandPass } from '../first-run.js';
import { openInvocation, textFiles } from '../invocation.js';
import type { Context, Opened } from '../job.js';
import {
  commandOf,
  type EnvOptions,
  identifyIn,
  invocationOf,
  keptOf,
  notPassing,
  reproduceCommand,
  shorten,
} from './command.js';
import { bytesOfEnvironment, type EnvironmentPair, isolateEnvironment } from './search.js';

/** Narrows the difference between an environment in which the command succeeds and one in which it fails. */
export function openIsolate(
  words: readonly string[],
  pair: EnvironmentPair,
  asked: Output,
  context: Context,
): Opened<Artifact, EnvironmentPair> {
  const options = context.options as EnvOptions;
  const { folder } = context;
  const command = commandOf(words);
  const differences = differencesOf(pair.passing, pair.failing);
  const output = asked.path;
  const identify = identifyIn(context);
  const invocation = openInvocation(invocationOf(command, pair.failing, [pair.passing], context), context);
  const { original } = invocation;
  const failingFile = join(output, 'failing.env');
  return {
    async firstRun() {
      const { look, ...expected } = await invocation.firstRun();
      const { test } = expected;
      const empty = { ...original, env: pair.passing };
      await demandPass(empty, { test, identify, refuse: notPassing }, context);
      const testedOf = (best: EnvironmentPair) => ({ ...original, env: best.failing });
      const probe = { ...look, empty, identify, testedOf };
      return { ...expected, probe, original: pair, before: sizeOfPair(pair), countsDeltas: true, kept: keptOf };
    },
    async *search({ test, settings, keep }) {
      const { namesOnly = false, strategy } = options;
      const end = yield* isolateEnvironment(pair, original, test, {
        ...settings,
        namesOnly,
        identify,
        keep,
        ...(strategy === undefined ? {} : { strategy: pairStrategy(strategy) }),
      });
      const best = { passing: end.passing, failing: end.failing };
      return { ended: end.ended, minimal: end.minimal, best, after: sizeOfPair(best), proofs: end.proofs };
    },
    keep: best => folder.keepBest(filesOf(best)),
    page: best => ({
      title: `${basename(words[0]!.split(/\s/)[0]!)}: which variable makes the difference`,
      reproduce: reproduceCommand(command, best.failing, failingFile),
      output,
      table: tableOf(differences, best),
    }),
    present({ best }) {
      asked.write(filesOf(best), folder);
      const difference = shownDifferences(best);
      return {
        output,
        reproduce: reproduceCommand(command, best.failing, failingFile),
        result: difference.join('\n'),
        fields: { passing: join(output, 'passing.env'), failing: failingFile, difference },
      };
    },
    close: invocation.close,
  };
}

const sizeOfPair = ({ passing, failing }: EnvironmentPair) => ({
  bytes: bytesOfEnvironment(failing),
  deltas: differencesOf(passing, failing).length,
});

const shownDifferences = ({ passing, failing }: EnvironmentPair): readonly string[] =>
  differencesOf(passing, failing).map(each => shorten(shownDifference(each)));

const filesOf = (pair: EnvironmentPair): Artifact =>
  textFiles({
    'difference.txt': shownDifferences(pair)
      .map(line => `${line}\n`)
      .join(''),
    'failing.env': formatEnvironment(pair.failing),
    'passing.env': formatEnvironment(pair.passing),
  });

function tableOf(differences: ReturnType<typeof differencesOf>, best: EnvironmentPair) {
  const names = new Set(differencesOf(best.passing, best.failing).map(({ name }) => name));
  return {
    caption: 'Every variable in which the two environments differ; what makes the difference is marked',
    columns: ['variable', 'passing', 'failing'],
    rows: differences.map(({ name, passing, failing }) => [
      name,
      ...[passing, failing].map(value => cell(name, value)),
    ]),
    remaining: differences.flatMap(({ name }, i) => (names.has(name) ? [i] : [])),
  };
}

const cell = (name: string, value: string | undefined): string =>
  value === undefined ? '(not set)' : shorten(masked(name, value));
