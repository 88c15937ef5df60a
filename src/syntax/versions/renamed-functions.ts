/** Pairs functions that have another name in the new version of a text. Neither version has the other name, and most of what is special in them is the same. */
import { addTo } from '../../core/lists.js';
import { pauseIfDue } from '../../core/pause.js';
import { type FlatTree, textOf } from '../flat-tree.js';

type FunctionPair = readonly [old: number, now: number];

/** A function with a name. */
export interface NamedFunction {
  readonly node: number;
  readonly name: string;
}

/** How much of the words of two functions is in both, if rare words count more. */
const alike = 0.5;
/** Of fewer words, too many functions are made. */
const fewestWords = 6;
/** A word of more functions than this does not show which of them is which. */
const mostUsers = 8;
/** Of a text with more functions that only it has, nothing can be said by their words. */
const mostFunctions = 400;

interface Described {
  readonly node: number;
  readonly words: ReadonlySet<string>;
}

/** Each function is in one pair at most, and no other function is more like it. */
export async function renamedFunctions(
  old: FlatTree,
  now: FlatTree,
  olds: readonly NamedFunction[],
  news: readonly NamedFunction[],
): Promise<readonly FunctionPair[]> {
  const before = onlyIn(old, olds, news);
  await pauseIfDue();
  const after = onlyIn(now, news, olds);
  if (before.length > mostFunctions || after.length > mostFunctions) return [];
  const users = new Map<string, number>();
  for (const { words } of [...before, ...after]) for (const word of words) users.set(word, (users.get(word) ?? 0) + 1);
  const sum = (words: readonly string[]) => words.reduce((total, word) => total + 1 / users.get(word)!, 0);
  const weights = new Map([...before, ...after].map(each => [each, sum([...each.words])]));
  const byWord = new Map<string, Described[]>();
  for (const each of after) for (const word of each.words) if (users.get(word)! <= mostUsers) addTo(byWord, word, each);
  const scored: { readonly a: Described; readonly b: Described; readonly score: number }[] = [];
  for (const a of before) {
    await pauseIfDue();
    for (const b of new Set([...a.words].flatMap(word => byWord.get(word) ?? []))) {
      const common = sum([...a.words].filter(word => b.words.has(word)));
      scored.push({ a, b, score: (2 * common) / (weights.get(a)! + weights.get(b)!) });
    }
  }
  const taken = new Set<unknown>();
  return scored
    .filter(({ score }) => score >= alike)
    .sort((x, y) => y.score - x.score)
    .filter(({ a, b }) => {
      const isFree = !taken.has(a) && !taken.has(b);
      taken.add(a).add(b);
      return isFree;
    })
    .map(({ a, b }) => [a.node, b.node] as const);
}

/** Those whose names the other text has not, with their words. */
function onlyIn(
  tree: FlatTree,
  these: readonly NamedFunction[],
  others: readonly NamedFunction[],
): readonly Described[] {
  const names = new Set(others.map(({ name }) => name));
  return these
    .filter(({ name }) => !names.has(name))
    .map(({ node, name }) => ({
      node,
      words: new Set((textOf(tree, node).match(/[\p{L}\p{N}_$]+/gu) ?? []).filter(word => word !== name)),
    }))
    .filter(({ words }) => words.size >= fewestWords);
}
