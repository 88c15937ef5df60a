import { basename } from 'node:path';
import type { Artifact } from '../../circumstances/artifact.js';
import { knownFrom, type OptionSettings, optionsOf, quotedAll } from '../../circumstances/options/index.js';
import { optionPasses } from '../../plans/options.js';
import { simplify } from '../../plans/simplify.js';
import { calling, jsonOf, textFiles } from '../invocation.js';
import { type JobContext, type JobResult, readRegex } from '../job.js';
import type { Output } from '../output.js';
import { listStrategy } from '../strategies.js';
import { calledBy, identifyArgs, type Line, lengthOf, type OptionsOptions, shownOf } from './line.js';

/** Leaves arguments out as long as the command fails as it did. */
export function leaveOut(
  line: Line,
  asked: Output | undefined,
  options: OptionsOptions,
  context: JobContext,
): Promise<JobResult> {
  const settings = settingsOf(line, options);
  const deltasIn = (words: readonly string[]) => optionsOf(words.slice(1), { program: words[0]!, ...settings });
  const before = { bytes: quotedAll(line.words).length, deltas: deltasIn(line.words).count };
  const { folder, see } = context;
  const output = asked?.path ?? `${folder.path}/best/command.txt`;
  const called = { ...calledBy(line, options), before };
  return calling(context, called, async ({ original, first, test, counter, settings: exploring }) => {
    let best = original;
    const keep = (artifact: Artifact) => {
      best = artifact;
      if (folder.journal.replaying) return;
      const text = textFiles({ 'command.txt': `${shownOf(artifact)}\n` });
      folder.keepBest(text);
      asked?.write(text, folder);
    };
    keep(original);
    const page = () => ({
      title: `${basename(line.words[0]!)}: which arguments matter`,
      reproduce: shownOf(best),
      output,
      table: {
        caption: 'Every argument; those that remain are marked',
        columns: ['argument'],
        ...marked(line.words, best.args ?? [], settings),
      },
    });
    context.showing(page);
    const passes = optionPasses(line.words, settings).map(pass =>
      options.strategy === undefined ? pass : { ...pass, strategy: () => listStrategy(options.strategy!) },
    );
    const end = await context.follow(
      simplify(original, passes, test, {
        ...exploring,
        identify: identifyArgs,
        measure: lengthOf,
        accepted: keep,
      }),
    );
    keep(end.artifact);
    const after = { bytes: lengthOf(end.artifact), deltas: deltasIn(end.artifact.args ?? []).count };
    see({
      type: 'ended',
      ended: end.ended,
      minimal: end.minimal,
      size: after,
      counts: counter.counts,
      seconds: context.seconds(),
    });
    const command = shownOf(end.artifact);
    const signature = first.signature?.text ?? first.described;
    return {
      ended: end.ended,
      ending: { output, reproduce: command },
      json: jsonOf(context, 'options', end, counter, { before, after, output, signature, command: end.artifact.args }),
      page: page(),
    };
  });
}

/** What is known of the tool, and which words stay. */
export function settingsOf({ help }: Line, options: OptionsOptions): OptionSettings {
  const keep = options.keep === undefined ? undefined : readRegex(options.keep, '--keep');
  return {
    ...(help === undefined ? {} : { takes: knownFrom(help) }),
    isProtected: word => /\{\w*\}/.test(word) || (keep?.test(word) ?? false),
  };
}

/** The options of the whole command line, and which of them are left. What is left stands in the same order. */
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
