/** `options --prevent`: the options that prevent a failure if they are added. */
import { basename } from 'node:path';
import { overArgs } from '../../circumstances/options/artifact.js';
import { preventing } from '../../circumstances/options/prevent.js';
import type { Artifact } from '../../core/artifact.js';
import type { Output } from '../../run/output.js';
import { openInvocation } from '../invocation.js';
import type { Context } from '../job.js';
import { openPrevent } from '../prevent/open.js';
import { commandFile, identifyArgs, invocationOf, type Line, type OptionsOptions, shownOf } from './line.js';
import { after } from './passes.js';

export function openPreventOptions(line: Line, output: Output | undefined, context: Context) {
  const options = context.options as OptionsOptions;
  const [program = '', ...args] = line.words;
  const added = after(program, preventing(args, line.candidates));
  const bare = added.build([])!;
  const invocation = openInvocation(invocationOf({ ...line, words: bare }, options), context);
  const { original } = invocation;
  const circumstance = overArgs(added, original);
  return openPrevent(
    {
      title: `${basename(program)}: which options would help`,
      noun: ['option', 'options'],
      ...(output ? { output } : {}),
      identify: identifyArgs,
      firstRun: async () => ({ ...(await invocation.firstRun()), circumstance, kept: commandFile }),
      use: set => shownOf(circumstance.build(set) as Artifact),
      reproduce: shownOf(original),
      fields: () => ({ command: bare }),
      close: invocation.close,
    },
    context,
  );
}
