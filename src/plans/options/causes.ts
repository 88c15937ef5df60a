/** `options --all`: every set of arguments that fails by itself, and every command line that avoids the failure. */
import { basename } from 'node:path';
import { overArgs } from '../../circumstances/options/artifact.js';
import { optionsOf } from '../../circumstances/options/options.js';
import type { Artifact } from '../../core/artifact.js';
import { all, minus } from '../../core/index.js';
import type { Output } from '../../run/output.js';
import { openCauses } from '../causes/open.js';
import type { AllCauses } from '../causes/search.js';
import { openInvocation } from '../invocation.js';
import type { Context, Opened } from '../job.js';
import { settingsOf } from './leave-out.js';
import { commandFile, identifyArgs, invocationOf, type Line, type OptionsOptions, shownOf } from './line.js';
import { after } from './passes.js';

export function openAllOptions(line: Line, output: Output | undefined, context: Context): Opened<Artifact, AllCauses> {
  const options = context.options as OptionsOptions;
  const [program = '', ...rest] = line.words;
  const invocation = openInvocation(invocationOf(line, options), context);
  const deltas = after(program, optionsOf(rest, { program, ...settingsOf(line, options) }));
  const circumstance = overArgs(deltas, invocation.original);
  return openCauses(
    {
      title: `${basename(program)}: all causes among its arguments`,
      ...(output ? { output } : {}),
      identify: identifyArgs,
      firstRun: async () => ({ ...(await invocation.firstRun()), circumstance, kept: commandFile }),
      use: leftOut => shownOf(circumstance.build(minus(all(circumstance.count), leftOut))!),
      close: invocation.close,
    },
    context,
  );
}
