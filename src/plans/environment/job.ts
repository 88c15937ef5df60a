/** `culprit env`: which environment variables matter for a failure, or which one makes the difference between two. */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { differencesOf } from '../../circumstances/environment/environment.js';
import { cannotCombine } from '../../core/cannot-combine.js';
import { UserError } from '../../core/index.js';
import { askedRule } from '../../oracle/command/rules.js';
import { keptEnvironment, ownEnvironment } from '../../run/kept-environment.js';
import { type Output, outputFor } from '../../run/output.js';
import type { RunFolder } from '../../run/run-folder.js';
import { parseEnvironment } from '../../sources/environment/parse.js';
import type { Environment } from '../../sources/environment/secrets.js';
import { readNamed } from '../../sources/read-named.js';
import { listStrategy, pairStrategy } from '../../strategies/registry.js';
import { checkAll } from '../causes/options.js';
import type { AnyJob, Request } from '../job.js';
import { openAllVariables } from './causes.js';
import type { EnvOptions } from './command.js';
import { openIsolate } from './isolate.js';
import { openPreventVariables, variablesIn } from './prevent.js';
import { openSimplify } from './simplify.js';

export async function envJob({ command, options }: Request<EnvOptions>, resumed?: RunFolder): Promise<AnyJob> {
  askedRule(options);
  // In any case values are not split: each variable is one delta.
  checkAll(options, { '--names-only': options.namesOnly, '--prevent': options.prevent });
  checkPrevent(options);
  const candidates = options.prevent ? candidatesOf(options) : undefined;
  const isPair = options.passing !== undefined && !options.all;
  if (options.strategy) (isPair ? pairStrategy : listStrategy)(options.strategy);
  const failing = options.failing === undefined ? ownEnvironment() : read(options.failing);
  const passing = options.passing === undefined ? undefined : read(options.passing);
  if (passing && differencesOf(passing, failing).length === 0)
    throw new UserError(
      'Nothing to isolate: the two environments are the same.',
      'Pass one in which the command succeeds and one in which it fails.',
      1,
    );
  const output = outputOf(options, resumed);
  return {
    name: 'env',
    runName: 'env',
    outputs: [output],
    async open(context) {
      const from = options.failing ?? 'the environment';
      const kept = keptEnvironment(context.folder, 'failing environment', failing, from);
      const good = passing && keptEnvironment(context.folder, 'passing environment', passing, options.passing!);
      if (candidates) {
        const tried = keptEnvironment(context.folder, 'tried environment', candidates, options.tryFile ?? '--try');
        return openPreventVariables(command, { failing: kept, candidates: tried }, output, context);
      }
      if (options.all)
        return openAllVariables(command, { failing: kept, ...(good ? { passing: good } : {}) }, output, context);
      if (!good) return openSimplify(command, kept, output, context);
      return openIsolate(command, { passing: good, failing: kept }, output!, context);
    },
  };
}

function checkPrevent({ prevent, passing, namesOnly, try: tries, tryFile }: EnvOptions): void {
  const example = 'culprit env --prevent --try LANG=C.UTF-8 --try TZ=UTC -- npm test';
  if (prevent && (passing !== undefined || namesOnly))
    throw cannotCombine(
      '--prevent',
      namesOnly ? '--names-only' : '--passing',
      passing === undefined ? `For example: ${example}` : `To try the variables of a file, use: --try-file ${passing}`,
    );
  if (prevent && !tries && tryFile === undefined)
    throw new UserError(
      '--prevent needs variables to try.',
      `Pass them with --try or --try-file. For example: ${example}`,
    );
  if (!prevent && (tries || tryFile !== undefined))
    throw new UserError('--try needs --prevent.', 'Add --prevent to find the variables that prevent the failure.');
}

const candidatesOf = ({ try: tries = [], tryFile }: EnvOptions): Environment => ({
  ...(tryFile === undefined ? {} : read(tryFile)),
  ...variablesIn(tries),
});

function read(path: string): Environment {
  let text: string;
  try {
    text = readNamed(path).toString();
  } catch (error) {
    throw new UserError(
      `The environment ${path} can't be read: ${(error as Error).message}.`,
      `Capture one with: env -0 > ${path}`,
    );
  }
  return parseEnvironment(text, path);
}

/**
 * One environment goes into a file, a pair into a folder; next to the failing one if it came from a file. A list of causes
 * goes to --output.
 */
function outputOf(options: EnvOptions, resumed: RunFolder | undefined): Output | undefined {
  const { output: asked, passing, failing, force, run } = options;
  const inputs = [passing, failing, options.tryFile].filter(path => path !== undefined);
  const common = { asked, inputs, run, force, resumed };
  if (options.all || options.prevent)
    return asked === undefined ? undefined : outputFor({ ...common, otherwise: asked, kind: 'file' });
  if (passing !== undefined) {
    const otherwise = failing === undefined ? 'env.isolated' : beside(failing, 'isolated');
    return outputFor({ ...common, otherwise, kind: 'folder', ignored: true });
  }
  const otherwise = asked ?? (failing === undefined ? undefined : beside(failing, 'reduced.env'));
  return otherwise === undefined ? undefined : outputFor({ ...common, otherwise, kind: 'file' });
}

/** Beside a pipe of the shell, `--failing <(command)`, nothing can be written. */
const beside = (path: string, ending: string): string =>
  existsSync(path) && statSync(path).isFIFO()
    ? `env.${ending}`
    : join(dirname(path), `${basename(path, extname(path))}.${ending}`);
