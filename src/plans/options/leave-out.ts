/** `options` without `--prevent`: the arguments that a failure needs. */
import { basename } from 'node:path';
import { type OptionSettings, optionsOf } from '../../circumstances/options/options.js';
import type { Artifact } from '../../core/artifact.js';
import { readRegex } from '../../core/regex.js';
import { simplify } from '../../plans/simplify.js';
import type { Output } from '../../run/output.js';
import { knownFrom } from '../../sources/command-line/knowledge.js';
import { listStrategy } from '../../strategies/registry.js';
import { openInvocation } from '../invocation.js';
import type { Context, Opened } from '../job.js';
import { proofsBy } from '../proof.js';
import { commandFile, identifyArgs, invocationOf, type Line, lengthOf, type OptionsOptions, shownOf } from './line.js';
import { optionPasses } from './passes.js';

/** Removes arguments as long as the command still fails in the same way. */
export function openLeaveOut(line: Line, asked: Output | undefined, context: Context): Opened<Artifact> {
  const options = context.options as OptionsOptions;
  const settings = settingsOf(line, options);
  const { folder } = context;
  const sizeOf = (artifact: Artifact) => {
    const [program = '', ...args] = artifact.args ?? [];
    return { bytes: lengthOf(artifact), deltas: optionsOf(args, { program, ...settings }).count };
  };
  const output = asked?.path ?? `${folder.path}/best/command.txt`;
  const invocation = openInvocation(invocationOf(line, options), context);
  const { original } = invocation;
  return {
    async firstRun() {
      const { look, ...expected } = await invocation.firstRun();
      const probe = { ...look, identify: identifyArgs, testedOf: (best: Artifact) => best };
      return { ...expected, probe, original, before: sizeOf(original), kept: commandFile };
    },
    async *search({ test, settings: exploring, keep }) {
      const { strategy } = options;
      const passes = optionPasses(line.words, settings).map(pass =>
        strategy === undefined ? pass : { ...pass, strategy: () => listStrategy(strategy) },
      );
      const end = yield* simplify(original, passes, test, {
        ...exploring,
        identify: identifyArgs,
        measure: lengthOf,
        accepted: keep,
      });
      const { ended, minimal, artifact: best } = end;
      const proofs = await proofsBy(passes, best, { identify: identifyArgs, measure: lengthOf });
      return { ended, minimal, best, after: sizeOf(best), proofs };
    },
    goBack: (end, best) => ({ ...end, best, after: sizeOf(best) }),
    keep(best) {
      folder.keepBest(commandFile(best));
      asked?.write(commandFile(best), folder);
    },
    page: best => ({
      title: `${basename(line.words[0]!)}: which arguments matter`,
      reproduce: shownOf(best),
      output,
      table: {
        caption: 'Every argument; those that remain are marked',
        columns: ['argument'],
        ...marked(line.words, best.args ?? [], settings),
      },
    }),
    present: ({ best }) => ({ output, reproduce: shownOf(best), fields: { command: best.args } }),
    close: invocation.close,
  };
}

/** What is known about the tool, and which words must stay. */
export function settingsOf({ help }: Line, options: OptionsOptions): OptionSettings {
  const keep = options.keep === undefined ? undefined : readRegex(options.keep, '--keep');
  return {
    ...(help === undefined ? {} : { takes: knownFrom(help) }),
    isProtected: word => /\{\w*\}/.test(word) || (keep?.test(word) ?? false),
  };
}

/** The options of the whole command line, and which of them are left. Their order is kept. */
function marked(whole: readonly string[], left: readonly string[], settings: OptionSettings) {
  const options = optionsOf(whole.slice(1), { program: whole[0]!, ...settings, isProtected: () => false });
  const rows: string[][] = [];
  const remaining: number[] = [];
  let at = 1;
  for (let delta = 0; delta < options.count; delta++) {
    const words = options.build([delta, delta + 1]) ?? [];
    rows.push([options.describe!(delta)]);
    const there = words.filter(word => left[at] === word && at++ > 0);
    if (there.length > 0) remaining.push(delta);
  }
  return { rows, remaining };
}
