/** `options --all`: every set of arguments that fails by itself, and every command line that avoids the failure. */
import { basename } from 'node:path';
import { optionsOf, overArgs, quotedAll } from '../../circumstances/options/index.js';
import { all, minus } from '../../core/index.js';
import { after } from '../../plans/options.js';
import { listCauses } from '../causes.js';
import { calling, jsonOf, textFiles } from '../invocation.js';
import type { JobContext, JobResult } from '../job.js';
import type { Output } from '../output.js';
import { settingsOf } from './leave-out.js';
import { calledBy, identifyArgs, type Line, lengthOf, type OptionsOptions, shownOf } from './line.js';

export function allOptions(
  line: Line,
  asked: Output | undefined,
  options: OptionsOptions,
  context: JobContext,
): Promise<JobResult> {
  const [program = '', ...rest] = line.words;
  const deltas = after(program, optionsOf(rest, { program, ...settingsOf(line, options) }));
  const before = { bytes: quotedAll(line.words).length, deltas: deltas.count };
  const { folder } = context;
  const output = asked?.path ?? `${folder.path}/best/causes.txt`;
  return calling(
    context,
    { ...calledBy(line, options), before },
    async ({ original, first, test, counter, settings }) => {
      const circumstance = overArgs(deltas, original);
      const whole = all(circumstance.count);
      const listed = await listCauses(
        {
          circumstance,
          test,
          settings: { ...settings, identify: identifyArgs, measure: lengthOf },
          options,
          counter,
          use: leftOut => shownOf(circumstance.build(minus(whole, leftOut))!),
        },
        context,
      );
      const kept = textFiles({ 'causes.txt': `${listed.text}\n` });
      folder.keepBest(kept);
      asked?.write(kept, folder);
      const end = { ended: listed.found.ended, minimal: listed.found.causes.length > 0 ? ['option'] : [] };
      return {
        ended: end.ended,
        ending: { output, result: listed.text },
        json: jsonOf(context, 'options', end, counter, {
          before,
          output,
          signature: first.signature?.text ?? first.described,
          ...listed.json,
        }),
        page: {
          title: `${basename(program)}: all causes among its arguments`,
          reproduce: shownOf(original),
          output,
          table: listed.table,
        },
      };
    },
  );
}
