/** `culprit env`: which environment variables matter for a failure, or which one makes the difference between two. */
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { differencesOf } from '../../circumstances/environment/environment.js';
import { UserError } from '../../core/index.js';
import { askedRule } from '../../oracle/command/rules.js';
import { keptEnvironment, ownEnvironment } from '../../run/kept-environment.js';
import { type Output, outputFor } from '../../run/output.js';
import type { RunFolder } from '../../run/run-folder.js';
import { parseEnvironment } from '../../sources/environment/parse.js';
import type { Environment } from '../../sources/environment/secrets.js';
import { listStrategy, pairStrategy } from '../../strategies/registry.js';
import type { AnyJob, Request } from '../job.js';
import type { EnvOptions } from './command.js';
import { openIsolate } from './isolate.js';
import { openSimplify } from './simplify.js';

export async function envJob({ command, options }: Request<EnvOptions>, resumed?: RunFolder): Promise<AnyJob> {
  askedRule(options);
  if (options.strategy) (options.passing === undefined ? listStrategy : pairStrategy)(options.strategy);
  const failing = options.failing === undefined ? ownEnvironment() : read(options.failing);
  const passing = options.passing === undefined ? undefined : read(options.passing);
  if (passing && differencesOf(passing, failing).length === 0)
    throw new UserError(
      'The two environments are the same, so no difference can be isolated.',
      'Give one in which the command succeeds and one in which it fails.',
      1,
    );
  const output = outputOf(options, resumed !== undefined);
  return {
    name: 'env',
    runName: 'env',
    async open(context) {
      const from = options.failing ?? 'the environment';
      const kept = keptEnvironment(context.folder, 'failing environment', failing, from);
      if (!passing) return openSimplify(command, kept, output, context);
      const good = keptEnvironment(context.folder, 'passing environment', passing, options.passing!);
      return openIsolate(command, { passing: good, failing: kept }, output!, context);
    },
  };
}

function read(path: string): Environment {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UserError(
      `The environment ${path} can't be read: ${(error as Error).message}.`,
      `Capture one with: env -0 > ${path}`,
    );
  }
  return parseEnvironment(text, path);
}

/** One environment goes into a file, a pair into a folder; beside the failing one if it came from a file. */
function outputOf({ output, passing, failing }: EnvOptions, isResumed: boolean): Output | undefined {
  // A path that nothing can be written beside, if there is no file.
  const original = { path: failing ?? '/dev/null', name: basename(failing ?? 'env'), folder: passing !== undefined };
  if (passing !== undefined && output === undefined) {
    const path = resolve(failing ? beside(failing, 'isolated') : 'env.isolated');
    return outputFor(path, [original], true);
  }
  const asked = output ?? (failing === undefined ? undefined : beside(failing, 'reduced.env'));
  return asked === undefined ? undefined : outputFor(asked, [original], isResumed);
}

const beside = (path: string, ending: string): string =>
  join(dirname(path), `${basename(path, extname(path))}.${ending}`);
