import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { type Environment, parseEnvironment } from '../../circumstances/environment/index.js';
import { UserError } from '../../core/index.js';
import { checkAll, withAllOptions } from '../causes.js';
import { commandAfterDashes, demandCommand, withCommonOptions, withRuleOptions } from '../common.js';
import { allVariables } from '../env/all.js';
import type { EnvOptions } from '../env/called.js';
import { isolate } from '../env/isolate.js';
import { simplifyEnvironment } from '../env/simplify.js';
import { ownArguments, type Resuming, runJob } from '../job.js';
import { keptEnvironment, ownEnvironment } from '../kept-environment.js';
import { type Output, outputFor } from '../output.js';
import { listStrategy } from '../strategies.js';

const example = 'culprit env --passing shell.env --failing ci.env -- npm test';

export function envCommand(resuming?: Resuming): Command {
  const command = new Command('env')
    .description('which environment variables matter for a failure, or which one makes the difference between two')
    .usage('[options] -- <command> [args...]')
    .option('--failing <file>', 'an environment in which the command fails (default: the current one)')
    .option('--passing <file>', 'one in which it succeeds: the smallest difference between the two is looked for')
    .option('--names-only', 'find the variables, and leave their values as they are')
    .allowExcessArguments(true);
  withRuleOptions(withCommonOptions(withAllOptions(command)));
  return command
    .addHelpText(
      'after',
      `
A file holds what env, env -0 or export -p printed, a .env file, or JSON. Variables that look like secrets are not shown,
not taken apart and not written anywhere. The command runs in copies of this folder.

Examples:
  culprit env -- npm test
  culprit env --all -- npm test
  ${example}
`,
    )
    .action(async () => {
      const argv = resuming?.folder.journal.header.argv ?? ownArguments();
      const { command: words } = commandAfterDashes(argv);
      const options = command.opts<EnvOptions>();
      demandCommand(words, example);
      if (command.args.length > words.length)
        throw new UserError(
          `env takes no input, and there is ${command.args[0]} before \`--\`.`,
          `Environments are given with --passing and --failing. For example: ${example}`,
        );
      if (options.strategy) listStrategy(options.strategy);
      // Values are not taken apart in any case: each variable is one delta.
      checkAll(options, { '--names-only': options.namesOnly });
      const failing = options.failing === undefined ? ownEnvironment() : read(options.failing);
      const passing = options.passing === undefined ? undefined : read(options.passing);
      const output = outputOf(options, resuming);
      await runJob('env', 'env', options, argv, resuming, context => {
        const from = options.failing ?? 'the environment';
        const kept = keptEnvironment(context.folder, 'failing environment', failing, from);
        const good = passing && keptEnvironment(context.folder, 'passing environment', passing, options.passing!);
        if (options.all)
          return allVariables(words, { failing: kept, ...(good ? { passing: good } : {}) }, output, options, context);
        if (!good) return simplifyEnvironment(words, kept, output, options, context);
        return isolate(words, { passing: good, failing: kept }, output!, options, context);
      });
    });
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

/** One environment goes into a file, a pair into a folder; beside the failing one where it came from a file. */
function outputOf({ output, passing, failing, all }: EnvOptions, resuming: Resuming | undefined): Output | undefined {
  if (all)
    return output === undefined
      ? undefined
      : outputFor(output, [{ path: failing ?? '/dev/null', name: 'env', folder: false }], !!resuming);
  // A path that nothing can be written beside, where there is no file.
  const original = { path: failing ?? '/dev/null', name: basename(failing ?? 'env'), folder: passing !== undefined };
  if (passing !== undefined && output === undefined) {
    const path = resolve(failing ? beside(failing, 'isolated') : 'env.isolated');
    return outputFor(path, [original], true);
  }
  const asked = output ?? (failing === undefined ? undefined : beside(failing, 'reduced.env'));
  return asked === undefined ? undefined : outputFor(asked, [original], !!resuming);
}

const beside = (path: string, ending: string): string =>
  join(dirname(path), `${basename(path, extname(path))}.${ending}`);
