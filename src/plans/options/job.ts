/** `culprit options`: which arguments of a command matter for its failure, or which options would prevent it. */

import { basename } from 'node:path';
import { UserError } from '../../core/index.js';
import { readRegex } from '../../core/regex.js';
import { isShellLine } from '../../core/shell.js';
import { askedRule } from '../../oracle/command/rules.js';
import { type Output, outputFor } from '../../run/output.js';
import type { RunFolder } from '../../run/run-folder.js';
import { listStrategy } from '../../strategies/registry.js';
import { checkAll } from '../causes/options.js';
import type { AnyJob, Request } from '../job.js';
import { openAllOptions } from './causes.js';
import { openLeaveOut } from './leave-out.js';
import { lineOf, type OptionsOptions } from './line.js';
import { openPreventOptions } from './prevent.js';

const example = "culprit options --match 'internal compiler error' -- gcc -O3 -g -ffast-math @build.rsp -c bug.c";
const preventExample = 'culprit options --prevent --try -fno-gcse -fno-inline -Os -- gcc -O2 -c bug.c';

export async function optionsJob(request: Request<OptionsOptions>, resumed?: RunFolder): Promise<AnyJob> {
  const { command, options } = request;
  checkRequest(command, options);
  const output = outputOf(options, resumed);
  return {
    name: 'options',
    runName: `${basename(command[0]!)}-options`,
    outputs: [output],
    async open(context) {
      const line = lineOf(command, options, context);
      const open = options.all ? openAllOptions : options.prevent ? openPreventOptions : openLeaveOut;
      return open(line, output, context);
    },
  };
}

/** Without --output, the result is only in the run's folder: there is no original to put it next to. */
function outputOf(options: OptionsOptions, resumed: RunFolder | undefined): Output | undefined {
  const { output: asked, force, run, tryFile: inputs = [] } = options;
  if (asked === undefined) return undefined;
  return outputFor({ asked, otherwise: asked, kind: 'file', inputs, run, force, resumed });
}

function checkRequest(words: readonly string[], options: OptionsOptions): void {
  askedRule(options);
  checkAll(options, { '--prevent': options.prevent });
  if (options.strategy) listStrategy(options.strategy);
  const tries = options.tries ?? options.tryFile ?? options.tryHelp;
  if (isShellLine(words))
    throw new UserError('Pass the command as separate arguments, not as one shell string.', `For example: ${example}`);
  if (options.prevent && !tries)
    throw new UserError(
      '--prevent needs options to try.',
      `Pass them with --try, --try-file or --try-help. For example: ${preventExample}`,
    );
  if (!options.prevent && tries)
    throw new UserError('--try needs --prevent.', 'Add --prevent to find the options that prevent the failure.');
  if (!options.prevent && words.length === 1)
    throw new UserError(`${words[0]} has no arguments that could be removed.`, `For example: ${example}`);
  for (const name of ['keep', 'tryOnly'] as const)
    if (options[name] !== undefined) readRegex(options[name], name === 'keep' ? '--keep' : '--try-only');
}
