/**
 * Which parts of two versions of a text are the same ones: statements, cases, members and items. The parts of a function are compared with those of the
 * function of the same name, by their own tokens, so that a part is found although everything around it was written anew.
 */
import { hunksBetween, runsBetween } from '../../core/diff.js';
import { addTo } from '../../core/lists.js';
import { pauseIfDue } from '../../core/pause.js';
import {
  childAt,
  childrenOf,
  type FlatTree,
  fieldOf,
  is,
  isComment,
  isLeaf,
  isNamed,
  kindOf,
  textOf,
} from '../flat-tree.js';
import type { FunctionPair, MatchedFunctions } from './matched-functions.js';
import { movedParts } from './moved-parts.js';

/** What can be put elsewhere by itself. */
export interface Part {
  readonly node: number;
  /** Its tokens without those of the parts inside it. */
  readonly own: readonly string[];
}

/** The parts of a function in both versions. Those of functions inside it that both have are not among them. */
export interface AlignedParts {
  readonly pair: FunctionPair;
  readonly olds: readonly Part[];
  /** Also those that are in another function of new, but come from this one. */
  readonly news: readonly Part[];
  /** What each part of old became in new, however it has changed. */
  readonly newOf: ReadonlyMap<number, number>;
  /** The same for a node that holds parts. */
  listOf(list: number): number | undefined;
}

export const isPart = (tree: FlatTree, node: number): boolean =>
  isNamed(tree, node) &&
  !isComment(tree, node) &&
  tree.parent[node]! >= 0 &&
  !is(tree, node, 'elseBranch') &&
  // That of a case.
  (fieldOf(tree, node) !== 'value' || is(tree, tree.parent[node]!, 'collection')) &&
  (isList(tree, tree.parent[node]!) || (is(tree, node, 'separable') && !is(tree, node, 'statement')));

const isList = (tree: FlatTree, node: number): boolean =>
  is(tree, node, 'statementList') || is(tree, node, 'body') || is(tree, node, 'collection');

/** The parts beside a part, and the part itself. A file may have thousands, and each of them asks for the same list. */
export function siblingsOf(tree: FlatTree, part: number): readonly number[] {
  let known = siblings.get(tree);
  if (known === undefined) siblings.set(tree, (known = new Map()));
  const list = tree.parent[part]!;
  let found = known.get(list);
  if (found === undefined) known.set(list, (found = childrenOf(tree, list).filter(child => isPart(tree, child))));
  return found;
}

const siblings = new WeakMap<FlatTree, Map<number, readonly number[]>>();

/** The first block or list inside a part: what is before it is its header. */
export function insideOf(tree: FlatTree, part: number): number | undefined {
  for (let node = part + 1; node < tree.past[part]!; node++)
    if (isPart(tree, node)) {
      const list = tree.parent[node]!;
      return list === part ? node : list;
    }
  return childAt(tree, part, 'consequence') ?? childAt(tree, part, 'body');
}

/** `newName`: what a variable of a function is called in new, if only old has it. */
export async function alignParts(
  old: FlatTree,
  now: FlatTree,
  { named }: MatchedFunctions,
  newName: (pair: FunctionPair) => (name: string) => string | undefined,
): Promise<readonly AlignedParts[]> {
  const pairs: readonly FunctionPair[] = [[0, 0], ...named];
  const [before, after] = [
    await partsOf(
      old,
      pairs.map(([a]) => a),
    ),
    await partsOf(
      now,
      pairs.map(([, b]) => b),
    ),
  ];
  const inFunctions: { readonly renamed: readonly Part[]; readonly newOf: ReadonlyMap<number, number> }[] = [];
  for (const [i, pair] of pairs.entries()) {
    await pauseIfDue();
    const rename = newName(pair);
    const renamed = before[i]!.map(({ node, own }) => ({ node, own: own.map(token => rename(token) ?? token) }));
    inFunctions.push({ renamed, newOf: matchParts(renamed, after[i]!) });
  }
  const moved = await betweenFunctions(inFunctions, after.flat());
  const found: AlignedParts[] = [];
  for (const [i, pair] of pairs.entries()) {
    await pauseIfDue();
    const olds = before[i]!;
    const { newOf: own } = inFunctions[i]!;
    const elsewhere = olds.flatMap(({ node }) => moved.get(node) ?? []);
    const news = [...after[i]!, ...elsewhere];
    const all = new Map([
      ...own,
      ...olds.flatMap(({ node }) => (moved.has(node) ? [[node, moved.get(node)!.node] as const] : [])),
    ]);
    const newOf = withAround(old, now, { olds, news, newOf: all });
    found.push({ pair, olds, news, newOf, listOf: list => sameList({ old, now, pair, newOf }, list) });
  }
  return found;
}

/** What is in another function of new, by its node in old. */
async function betweenFunctions(
  functions: readonly { readonly renamed: readonly Part[]; readonly newOf: ReadonlyMap<number, number> }[],
  all: readonly Part[],
): Promise<ReadonlyMap<number, Part>> {
  const kept = new Set(functions.flatMap(({ newOf }) => [...newOf.values()]));
  const olds = functions.flatMap(({ renamed, newOf }) =>
    renamed.filter(part => !newOf.has(part.node) && part.own.length >= fewestTokens),
  );
  const news = all.filter(part => !kept.has(part.node) && part.own.length >= fewestTokens);
  const moved = await movedParts({ olds, news, likeness: comparing(olds, news), least: veryAlike });
  return new Map([...moved].map(([part, now]) => [part.node, now]));
}

/** The parts of each function. */
async function partsOf(tree: FlatTree, functions: readonly number[]): Promise<readonly (readonly Part[])[]> {
  const found: { readonly node: number; readonly own: string[] }[][] = functions.map(() => []);
  const indexOf = new Map(functions.map((node, i) => [node, i]));
  const inside: { readonly index: number; readonly past: number }[] = [{ index: 0, past: tree.count }];
  const open: { readonly own: string[]; readonly past: number }[] = [];
  for (let node = 1; node < tree.count; node++) {
    if (node % nodesAtOnce === 0) await pauseIfDue();
    while (node >= inside.at(-1)!.past) inside.pop();
    while (open.length > 0 && node >= open.at(-1)!.past) open.pop();
    if (isPart(tree, node)) {
      const own: string[] = [];
      found[inside.at(-1)!.index]!.push({ node, own });
      open.push({ own, past: tree.past[node]! });
    }
    const index = indexOf.get(node);
    if (index !== undefined) inside.push({ index, past: tree.past[node]! });
    if (isLeaf(tree, node) && !isComment(tree, node)) open.at(-1)?.own.push(textOf(tree, node));
  }
  return found;
}

/** Nodes that are looked at in a few milliseconds. */
const nodesAtOnce = 1_000;

/** Those with the same tokens in the same order; between them those that are alike; then those that are alike but were moved. */
function matchParts(olds: readonly Part[], news: readonly Part[]): ReadonlyMap<number, number> {
  const [left, right] = [olds.map(({ own }) => own.join(' ')), news.map(({ own }) => own.join(' '))];
  const hunks = hunksBetween(left, right);
  const newOf = new Map<number, number>();
  for (const { start, end, shift } of runsBetween(hunks, left.length))
    for (let at = start; at < end; at++) newOf.set(olds[at]!.node, news[at + shift]!.node);
  const likeness = comparing(olds, news);
  const match = (before: readonly Part[], after: readonly Part[], least: number, isMoved: boolean): void => {
    if (before.length * after.length > mostCompared) return;
    const scored = before.flatMap((old, a) => after.map((now, b) => ({ a, b, score: likeness(old, now) })));
    const taken: { readonly a: number; readonly b: number }[] = [];
    for (const { a, b } of scored.filter(({ score }) => score >= least).sort((x, y) => y.score - x.score))
      if (taken.every(each => each.a !== a && each.b !== b && (isMoved || each.a < a === each.b < b)))
        taken.push({ a, b });
    for (const { a, b } of taken) newOf.set(before[a]!.node, after[b]!.node);
  };
  for (const { oldStart, oldCount, newStart, newCount } of hunks)
    match(olds.slice(oldStart, oldStart + oldCount), news.slice(newStart, newStart + newCount), alike, false);
  const kept = new Set(newOf.values());
  const isLong = ({ own }: Part) => own.length >= fewestTokens;
  match(
    olds.filter(part => !newOf.has(part.node) && isLong(part)),
    news.filter(part => !kept.has(part.node) && isLong(part)),
    veryAlike,
    true,
  );
  return newOf;
}

/** A part whose header was written anew is the same one if everything in it is still together, in a part of the same kind that only new has. */
function withAround(
  old: FlatTree,
  now: FlatTree,
  { olds, news, newOf }: Pick<AlignedParts, 'olds' | 'news' | 'newOf'>,
): ReadonlyMap<number, number> {
  const found = new Map(newOf);
  const kept = new Set(newOf.values());
  const [before, after] = [new Set(olds.map(({ node }) => node)), new Set(news.map(({ node }) => node))];
  const insides = new Map<number, number[]>();
  for (const { node } of olds) addTo(insides, around(old, node, before), node);
  // From the inside out: what is around two parts may itself be around others.
  for (const { node } of olds.toReversed()) {
    const inside = found.has(node) ? [] : (insides.get(node) ?? []);
    if (inside.length === 0 || !inside.every(part => found.has(part))) continue;
    const [outer, ...others] = new Set(inside.map(part => around(now, found.get(part)!, after)));
    if (outer === undefined || others.length > 0 || !after.has(outer) || kept.has(outer)) continue;
    if (kindOf(now, outer) !== kindOf(old, node)) continue;
    found.set(node, outer);
    kept.add(outer);
  }
  return found;
}

/** The part that a part is in, of these; −1 if there is none. */
function around(tree: FlatTree, part: number, parts: ReadonlySet<number>): number {
  let at = tree.parent[part]!;
  while (at >= 0 && !parts.has(at)) at = tree.parent[at]!;
  return at;
}

/** Two parts are versions of one if they share this much of their words. */
const alike = 0.5;
/** The same in other places. */
const veryAlike = 0.6;
/** A shorter part is like many others. */
const fewestTokens = 4;
/** In a larger gap, too much is too similar. */
const mostCompared = 40_000;

/** How much two parts have in common. Words that are everywhere say little. */
function comparing(olds: readonly Part[], news: readonly Part[]): (a: Part, b: Part) => number {
  const counts = new Map<string, number>();
  const known = new Map<Part, ReadonlySet<string>>();
  for (const part of [...olds, ...news]) {
    const words = part.own.filter(token => /[\p{L}\p{N}_$]/u.test(token));
    known.set(part, new Set(words.length === 0 ? part.own : words));
    for (const word of known.get(part)!) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const weightOf = (words: Iterable<string>): number => {
    let sum = 0;
    for (const word of words) sum += 1 / counts.get(word)!;
    return sum;
  };
  const weights = new Map([...known].map(([part, words]) => [part, weightOf(words)]));
  return (a, b) => {
    const common = [...known.get(a)!].filter(word => known.get(b)!.has(word));
    const score = common.length === 0 ? 0 : (2 * weightOf(common)) / (weights.get(a)! + weights.get(b)!);
    const name = score < alike ? givenIn(a) : undefined;
    return name !== undefined && name === givenIn(b) ? alike : score;
  };
}

/** The variable or the member that a part is about: `var a = …`, `a = …`, `a: …`. Its value may be another one altogether. */
function givenIn({ own }: Part): string | undefined {
  if (own[1] === ':') return own[0];
  const at = own.indexOf('=');
  return at === 1 || at === 2 ? own[at - 1] : undefined;
}

interface Sides extends Pick<AlignedParts, 'pair' | 'newOf'> {
  readonly old: FlatTree;
  readonly now: FlatTree;
}

/** Up to what is around a list in both versions, and down again on the other side. */
function sameList({ old, now, pair: [a, b], newOf }: Sides, list: number): number | undefined {
  const way: number[] = [];
  let at = list;
  for (; at !== a && !newOf.has(at) && at > 0; at = old.parent[at]!) way.unshift(at);
  let found = at === a ? b : newOf.get(at);
  for (const step of way) {
    if (found === undefined) return undefined;
    const field = fieldOf(old, step);
    found =
      field === ''
        ? childrenOf(now, found).find(child => kindOf(now, child) === kindOf(old, step))
        : childAt(now, found, field);
  }
  return found;
}
