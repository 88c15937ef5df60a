/** What prevents a failure, in words: sentences and a table. */
import { capital, counted } from '../../core/phrases.js';
import type { Ended } from '../../engine/index.js';

/** `-a with -b prevent it`, `so does -c`. */
export const setWords = (words: readonly string[], i: number): string => {
  const several = words.length > 1;
  return i === 0
    ? `${words.join(' with ')} ${several ? 'prevent' : 'prevents'} it`
    : `so ${several ? 'do' : 'does'} ${words.join(' with ')}`;
};

interface PreventionFacts {
  readonly ended: Ended;
  readonly sets: readonly (readonly string[])[];
  readonly tried: number;
  readonly noun: readonly [one: string, many: string];
  readonly unstable: number;
}

/** Nothing became smaller here: some of the candidates help. */
export function sentenceOf({ ended, sets, tried, noun: [one, many], unstable }: PreventionFacts): string {
  const found = sets.flat().length;
  const isAlone = sets.every(set => set.length === 1);
  const several = isAlone ? ', each alone' : `, in ${counted(sets.length, 'set')}`;
  const how = found === 1 ? '' : several;
  const some = `of ${tried} ${many}, ${found} ${found === 1 ? 'prevents' : 'prevent'} the failure`;
  if (ended !== 'done') {
    const why = ended === 'budget' ? 'The budget is used up' : 'Interrupted';
    return `${why}. So far, ${found === 0 ? `no ${one} was found that prevents the failure` : some + how}.`;
  }
  const doubt =
    unstable === 0
      ? ''
      : ` ${unstable} more ${unstable === 1 ? 'set' : 'sets'} did not prevent it when tested again: the test is not stable.`;
  if (found === 0) return `Done. None of the ${tried} ${many} prevents the failure.${doubt}`;
  const needed = isAlone ? '' : `, each ${one} of which is needed`;
  return `Done. ${capital(some)}${how}${needed}. No other set was found.${doubt}`;
}

/** A row for each candidate, with the candidates that it needs. */
export function tableOf(caption: string, one: string, names: readonly string[], sets: readonly (readonly string[])[]) {
  const setOf = names.map(name => sets.findIndex(set => set.includes(name)));
  return {
    caption,
    columns: [one, 'prevents it'],
    rows: names.map((name, i) => [name, inTable(sets[setOf[i]!], name)]),
    remaining: setOf.flatMap((set, i) => (set >= 0 ? [i] : [])),
  };
}

const inTable = (set: readonly string[] | undefined, own: string): string => {
  if (set === undefined) return '';
  const others = set.filter(word => word !== own);
  return others.length === 0 ? 'yes' : `with ${others.join(' and ')}`;
};

/** A long sentence, one set per line. */
export const wrapSentence = (sentence: string): string =>
  sentence.length > 100 ? sentence.replaceAll('; so', ';\nso') : sentence;
