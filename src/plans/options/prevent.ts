/** `options --prevent`: the options that prevent a failure. */
import { basename } from 'node:path';
import { overArgs } from '../../circumstances/options/artifact.js';
import { preventing } from '../../circumstances/options/prevent.js';
import type { Artifact } from '../../core/artifact.js';
import { type Configuration, deltasOf, size } from '../../core/index.js';
import { quoteAll } from '../../core/shell.js';
import type { Ended } from '../../engine/index.js';
import type { Output } from '../../run/output.js';
import { listStrategy } from '../../strategies/registry.js';
import { openInvocation, textFiles } from '../invocation.js';
import type { Context, Found, Opened } from '../job.js';
import { commandFile, identifyArgs, invocationOf, type Line, type OptionsOptions, shownOf } from './line.js';
import { after as behind, prevent } from './passes.js';

interface Prevention extends Found<Artifact> {
  readonly found: readonly Configuration[];
}

/** Adds options until the command no longer fails, and says which ones prevent the failure. */
export function openPrevent(
  line: Line,
  asked: Output | undefined,
  context: Context,
): Opened<Artifact, Artifact, Prevention> {
  const options = context.options as OptionsOptions;
  const [program = '', ...args] = line.words;
  const circumstance = preventing(args, line.candidates);
  const words = (set: Configuration) => [...deltasOf(set)].map(delta => circumstance.describe!(delta));
  const sentence = (set: Configuration, i: number) =>
    i === 0 ? `${together(words(set))} it` : `so ${size(set) > 1 ? 'do' : 'does'} ${words(set).join(' with ')}`;
  const bare = behind(program, circumstance).build([])!;
  const { folder } = context;
  const output = asked?.path ?? `${folder.path}/best/preventions.txt`;
  const invocation = openInvocation(invocationOf({ ...line, words: bare }, options), context);
  const { original } = invocation;
  const over = overArgs(behind(program, circumstance), original);
  const page = {
    title: `${basename(program)}: which options would help`,
    reproduce: shownOf(original),
    output,
  };
  return {
    async firstRun() {
      const before = { deltas: line.candidates.length };
      const { look, ...expected } = await invocation.firstRun();
      const probe = { ...look, identify: identifyArgs, testedOf: (best: Artifact) => best };
      return { ...expected, probe, original, before, kept: commandFile };
    },
    async *search({ test, settings }) {
      const strategy = options.strategy === undefined ? {} : { strategy: listStrategy(options.strategy) };
      const searching = { ...settings, ...strategy, identify: identifyArgs };
      const { ended, found } = yield* prevent(over, test, searching, sentence);
      const sets = found.map(words);
      return {
        ended,
        found,
        minimal: ended === 'done' && sets.length > 0 ? ['option'] : [],
        best: original,
        after: { deltas: sets.flat().length },
        sentence: sentenceOf(ended, sets, line.candidates.length),
      };
    },
    // There is no smaller artifact on the way: the sets that were found are written at the end.
    keep: () => {},
    page: () => page,
    present({ found }) {
      const kept = textFiles({ 'preventions.txt': found.map(set => `${shownOf(over.build(set)!)}\n`).join('') });
      folder.keepBest(kept);
      asked?.write(kept, folder);
      const sets = found.map(words);
      const none = `None of the ${line.candidates.length} options prevents it, alone or together.`;
      const result = sets.length === 0 ? none : `${found.map(sentence).join('; ')}.`;
      const prevents = line.candidates.map(each => sets.findIndex(set => set.includes(quoteAll(each))));
      return {
        output,
        result: wrapped(result),
        fields: { command: bare, preventions: sets },
        page: {
          ...page,
          table: {
            caption: result,
            columns: ['option', 'prevents it'],
            rows: line.candidates.map((each, i) => [quoteAll(each), inTable(sets[prevents[i]!], quoteAll(each))]),
            remaining: prevents.flatMap((set, i) => (set >= 0 ? [i] : [])),
          },
        },
      };
    },
    close: invocation.close,
  };
}

/** Here nothing became smaller: some of the options help. */
function sentenceOf(ended: Ended, sets: readonly (readonly string[])[], tried: number): string {
  const found = sets.flat().length;
  const isAlone = sets.every(set => set.length === 1);
  const several = isAlone ? ', each alone' : `, in ${sets.length} ${sets.length === 1 ? 'set' : 'sets'}`;
  const how = found === 1 ? '' : several;
  const some = `of ${tried} options, ${found} ${found === 1 ? 'prevents' : 'prevent'} the failure`;
  if (ended !== 'done') {
    const why = ended === 'budget' ? 'The budget is used up' : 'Interrupted';
    return `${why}. So far, ${found === 0 ? 'no option was found that prevents the failure' : some + how}.`;
  }
  if (found === 0) return `Done. None of the ${tried} options prevents the failure.`;
  return `Done. ${some[0]!.toUpperCase()}${some.slice(1)}${how}${isAlone ? '' : ', each option of which is needed'}. No other set was found.`;
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
