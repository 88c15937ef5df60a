import { basename } from 'node:path';
import { overArgs, preventing } from '../../circumstances/options/index.js';
import { type Configuration, deltasOf, size } from '../../core/index.js';
import { quoteAll } from '../../core/shell.js';
import type { Ended } from '../../engine/index.js';
import { after as behind, prevent } from '../../plans/options.js';
import { calling, jsonOf, textFiles } from '../invocation.js';
import type { JobContext, JobResult } from '../job.js';
import type { Output } from '../output.js';
import { calledBy, identifyArgs, type Line, type OptionsOptions, shownOf } from './line.js';

/** Adds options until the command no longer fails, and says which ones do it. */
export function preventFailure(
  line: Line,
  asked: Output | undefined,
  options: OptionsOptions,
  context: JobContext,
): Promise<JobResult> {
  const [program = '', ...args] = line.words;
  const circumstance = preventing(args, line.candidates);
  const words = (set: Configuration) => [...deltasOf(set)].map(delta => circumstance.describe!(delta));
  const sentence = (set: Configuration, i: number) =>
    i === 0 ? `${together(words(set))} it` : `so ${size(set) > 1 ? 'do' : 'does'} ${words(set).join(' with ')}`;
  const bare = behind(program, circumstance).build([])!;
  const before = { deltas: line.candidates.length };
  const { folder, see } = context;
  const output = asked?.path ?? `${folder.path}/best/preventions.txt`;
  const called = { ...calledBy({ ...line, words: bare }, options), before };
  return calling(context, called, async ({ original, first, test, counter, settings }) => {
    const over = overArgs(behind(program, circumstance), original);
    const end = await context.follow(prevent(over, test, { ...settings, identify: identifyArgs }, sentence));
    const sets = end.found.map(words);
    const text = end.found.map(set => `${shownOf(over.build(set)!)}\n`).join('');
    const kept = textFiles({ 'preventions.txt': text });
    folder.keepBest(kept);
    asked?.write(kept, folder);
    const minimal = end.ended === 'done' && sets.length > 0 ? ['option'] : [];
    const after = { deltas: sets.flat().length };
    see({
      type: 'ended',
      ended: end.ended,
      minimal,
      size: after,
      counts: counter.counts,
      seconds: context.seconds(),
      told: toldOf(end.ended, sets, line.candidates.length),
    });
    const none = `None of the ${line.candidates.length} options prevents it, alone or with the others.`;
    const result = sets.length === 0 ? none : `${end.found.map(sentence).join('; ')}.`;
    const prevents = line.candidates.map(each => sets.findIndex(set => set.includes(quoteAll(each))));
    return {
      ended: end.ended,
      ending: { output, result: wrapped(result) },
      json: jsonOf(context, 'options', { ended: end.ended, minimal }, counter, {
        before,
        after,
        output,
        signature: first.signature?.text ?? first.described,
        command: bare,
        preventions: sets,
      }),
      page: {
        title: `${basename(program)}: which options would help`,
        reproduce: shownOf(original),
        output,
        table: {
          caption: result,
          columns: ['option', 'prevents it'],
          rows: line.candidates.map((each, i) => [quoteAll(each), inTable(sets[prevents[i]!], quoteAll(each))]),
          remaining: prevents.flatMap((set, i) => (set >= 0 ? [i] : [])),
        },
      },
    };
  });
}

/** Here nothing became smaller: some of the options help. */
function toldOf(ended: Ended, sets: readonly (readonly string[])[], tried: number): string {
  const found = sets.flat().length;
  const isAlone = sets.every(set => set.length === 1);
  const several = isAlone ? ', each alone' : `, in ${sets.length} ${sets.length === 1 ? 'set' : 'sets'}`;
  const how = found === 1 ? '' : several;
  const some = `of ${tried} options, ${found} ${found === 1 ? 'prevents' : 'prevent'} the failure`;
  if (ended !== 'done') {
    const why = ended === 'budget' ? 'The budget is used up' : 'Interrupted';
    return `${why}. So far, ${found === 0 ? 'no option is known that prevents the failure' : some + how}.`;
  }
  if (found === 0) return `Done: none of ${tried} options prevents the failure.`;
  return `Done: ${some}${how}${isAlone ? '' : ', none of whose options can go'}; no further set was found.`;
}

const together = (words: readonly string[]): string =>
  words.length > 1 ? `${words.join(' with ')} prevent` : `${words[0]} prevents`;

const inTable = (set: readonly string[] | undefined, own: string): string => {
  const others = set?.filter(word => word !== own) ?? [];
  if (set === undefined) return '';
  return others.length === 0 ? 'yes' : `with ${others.join(' and ')}`;
};

/** A long sentence, one option a line. */
const wrapped = (sentence: string): string => (sentence.length > 100 ? sentence.replaceAll('; so', ';\nso') : sentence);
