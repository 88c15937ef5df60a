/** Pairs the functions that two versions of a text both have, by their names, and compares them. */
import { addAll, addTo } from '../../core/lists.js';
import { pauseIfDue } from '../../core/pause.js';
import { childAt, type FlatTree, fieldOf, is, isComment, isLeaf, sizeOf, textOf } from '../flat-tree.js';
import { isFunction } from '../functions.js';
import { exportedFunctions } from './exported-functions.js';
import { type NamedFunction, renamedFunctions } from './renamed-functions.js';
import type { SimilarFunctions } from './similar-functions.js';

/** A function of the old text and the same one of the new text, as nodes of their trees. */
export type FunctionPair = readonly [old: number, now: number];

/** What two versions of a text have in common. */
export interface MatchedFunctions {
  /** All that have the same names, also those with the same tokens and those inside others. */
  readonly named: readonly FunctionPair[];
  /** Those that differ in their tokens, however they were found. None of them is inside another one. */
  readonly differing: readonly FunctionPair[];
}

/** The same, and those that have other names inside the text, but are exported under the same one. */
export interface MatchedAndExported extends MatchedFunctions {
  readonly exported: readonly FunctionPair[];
}

/** `similar`: functions that are the same one, whatever their names are. */
export async function matchedFunctions(
  old: FlatTree,
  now: FlatTree,
  similar: readonly SimilarFunctions[],
): Promise<MatchedAndExported> {
  const nodeAt = (tree: FlatTree) => {
    const nodes = new Map<string, number>();
    for (let node = tree.count - 1; node > 0; node--)
      if (isFunction(tree, node)) nodes.set(`${tree.start[node]} ${tree.end[node]}`, node);
    return (range: readonly number[]) => nodes.get(range.join(' '));
  };
  const exported = exportedFunctions(old, now, withVariables(old), withVariables(now));
  const { named: sameNames, differing } = correctedBy(exported, await byName(old, now), now);
  const found = [...differing];
  const isTaken = (node: number) => found.some(([, b]) => node < now.past[b]! && b < now.past[node]!);
  const olds = allNamed(old);
  await pauseIfDue();
  const renamed = (await renamedFunctions(old, now, olds, allNamed(now))).filter(
    ([a, b]) => !exported.some(([c, d]) => a === c || b === d),
  );
  for (const [a, b] of [...exported, ...renamed]) if (!isTaken(b) && !isSame(old, a, now, b)) found.push([a, b]);
  const named = [...sameNames, ...exported, ...renamed];
  if (similar.length === 0) return { named, differing: found, exported };
  const [oldAt, newAt] = [nodeAt(old), nodeAt(now)];
  const largestFirst = similar.toSorted((a, b) => b.new[1] - b.new[0] - a.new[1] + a.new[0]);
  for (const each of largestFirst) {
    const [a, b] = [oldAt(each.old), newAt(each.new)];
    if (a !== undefined && b !== undefined && !isTaken(b) && !isSame(old, a, now, b)) found.push([a, b]);
  }
  return { named, differing: found, exported };
}

/** Without the pairs of which one side is exported as another function, and without what is inside of these. */
function correctedBy(
  exported: readonly FunctionPair[],
  { named, differing }: MatchedFunctions,
  now: FlatTree,
): MatchedFunctions {
  const isOther = ([a, b]: FunctionPair) => exported.some(([c, d]) => (a === c) !== (b === d));
  const isInside = ([, b]: FunctionPair) => exported.some(([, d]) => b > d && b < now.past[d]!);
  return {
    named: named.filter(pair => !isOther(pair)),
    differing: differing.filter(pair => !isOther(pair) && !isInside(pair)),
  };
}

/** Functions with the names of the variables that stand for them. */
const withVariables = (tree: FlatTree): readonly NamedFunction[] => {
  const found: NamedFunction[] = [];
  for (let node = 1; node < tree.count; node++) {
    const name = isFunction(tree, node) ? variableOf(tree, node) : undefined;
    if (name !== undefined) found.push({ node, name });
  }
  return found;
};

/** Those with the same names. */
async function byName(old: FlatTree, now: FlatTree): Promise<MatchedFunctions> {
  const named: FunctionPair[] = [];
  const found: FunctionPair[] = [];
  const search = async (before: readonly number[], after: readonly number[]): Promise<number> => {
    let covered = 0;
    for (const [a, b] of matched(old, before, now, after)) {
      await pauseIfDue();
      covered += sizeOf(now, b);
      named.push([a, b]);
      if (isSame(old, a, now, b)) continue;
      const at = found.length;
      // A function that is little more than a wrapper around others is not worth replacing as a whole.
      const inside = await search(namedIn(old, a), namedIn(now, b));
      if (2 * inside > sizeOf(now, b)) continue;
      found.length = at;
      found.push([a, b]);
    }
    return covered;
  };
  await search(namedIn(old, 0), namedIn(now, 0));
  return { named, differing: found };
}

/** The outermost functions with a name inside a node. */
function namedIn(tree: FlatTree, outer: number): readonly number[] {
  const found: number[] = [];
  for (let node = outer + 1; node < tree.past[outer]!; node++)
    if (isFunction(tree, node) && nameOf(tree, node) !== undefined) {
      found.push(node);
      node = tree.past[node]! - 1;
    }
  return found;
}

/** Functions with a name, also those inside others. */
const allNamed = (tree: FlatTree): readonly NamedFunction[] => {
  const found: NamedFunction[] = [];
  for (let node = 1; node < tree.count; node++) {
    const name = isFunction(tree, node) ? nameOf(tree, node) : undefined;
    if (name !== undefined) found.push({ node, name });
  }
  return found;
};

/** What a bundler appends to the names of all but one of the functions that have the same name in different modules: which of them gets which number may change. */
const numbered = /(?<=.)\$\d+$/;

export const withoutNumber = (name: string): string => name.replace(numbered, '');

function nameOf(tree: FlatTree, node: number): string | undefined {
  const name = writtenName(tree, node);
  return name === undefined ? undefined : withoutNumber(name);
}

/** Its own name, or that of the variable or member that it is assigned to. */
function writtenName(tree: FlatTree, node: number): string | undefined {
  const own = named(tree, node, ['name', 'declarator']);
  if (own !== undefined) return own;
  const parent = tree.parent[node]!;
  return parent < 0 ? undefined : named(tree, parent, ['name', 'key', 'left', 'declarator']);
}

/** The variable that stands for a function: in `var a = function b() {}`, it is `a`. */
export function variableOf(tree: FlatTree, node: number): string | undefined {
  const parent = tree.parent[node]!;
  const variable = parent < 0 || fieldOf(tree, node) !== 'value' ? undefined : childAt(tree, parent, 'name');
  const name = variable ?? (isOwnName(tree, node) ? undefined : childAt(tree, node, 'name'));
  return name === undefined || !isLeaf(tree, name) ? undefined : textOf(tree, name);
}

/** Whether the name of a function is known only inside of it: in `var a = function b() {}`, that is `b`. */
export const isOwnName = (tree: FlatTree, node: number): boolean => ['value', 'right'].includes(fieldOf(tree, node));

/** The name in one of these fields. */
export function named(tree: FlatTree, node: number, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const child = childAt(tree, node, field);
    if (child === undefined || isFunction(tree, child)) continue;
    // The name of a declaration in C is deep inside it.
    const inner = named(tree, child, ['declarator']);
    const name = inner ?? /([\w$]+)\W*$/.exec(textOf(tree, child))?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Pairs of functions with the same name. If only one of two functions has a match, those inside the other one are looked at instead. */
function matched(
  old: FlatTree,
  before: readonly number[],
  now: FlatTree,
  after: readonly number[],
): readonly FunctionPair[] {
  const found: FunctionPair[] = [];
  let [left, right] = [before, after];
  while (left.length > 0 && right.length > 0) {
    const [byName, others] = [groupBy(old, left), groupBy(now, right)];
    for (const [name, news] of others) {
      const olds = byName.get(name);
      if (olds) addAll(found, paired(old, olds, now, news));
    }
    const [a, b] = [new Set(found.map(([each]) => each)), new Set(found.map(([, each]) => each))];
    const inner = (tree: FlatTree, nodes: readonly number[], taken: ReadonlySet<number>) =>
      nodes.filter(node => !taken.has(node)).flatMap(node => namedIn(tree, node));
    const next = [inner(old, left, a), inner(now, right, b)] as const;
    const isOver = next[0].length + next[1].length === 0;
    // What has no match stays, because it may be inside what the other version has around it.
    left = isOver ? [] : [...left.filter(node => !a.has(node) && namedIn(old, node).length === 0), ...next[0]];
    right = isOver ? [] : [...right.filter(node => !b.has(node) && namedIn(now, node).length === 0), ...next[1]];
  }
  return found;
}

function groupBy(tree: FlatTree, nodes: readonly number[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const node of nodes) addTo(groups, nameOf(tree, node)!, node);
  return groups;
}

/** Those with the most words in common are the same ones. As many on both sides are the same ones in order, unless their words say otherwise. */
function paired(
  old: FlatTree,
  olds: readonly number[],
  now: FlatTree,
  news: readonly number[],
): readonly FunctionPair[] {
  const isSameCount = olds.length === news.length;
  if (isSameCount && news.length === 1) return [[olds[0]!, news[0]!]];
  const [before, after] = [olds.map(node => wordsIn(old, node)), news.map(node => wordsIn(now, node))];
  const scored = before.flatMap((words, i) =>
    after.map((others, j) => ({ pair: [i, j] as const, score: likeness(words, others) })),
  );
  const [left, right] = [new Set<number>(), new Set<number>()];
  const alikeOnes = scored
    .filter(({ score }) => score >= alike)
    .sort((a, b) => b.score - a.score)
    .filter(({ pair: [i, j] }) => !left.has(i) && !right.has(j) && left.add(i) && right.add(j));
  const sum = (pairs: typeof scored) => pairs.reduce((total, { score }) => total + score, 0);
  const inOrder = isSameCount ? scored.filter(({ pair: [i, j] }) => i === j) : [];
  const best = isSameCount && sum(inOrder) >= sum(alikeOnes) ? inOrder : alikeOnes;
  return best.map(({ pair: [i, j] }) => [olds[i]!, news[j]!] as const);
}

/** Two functions of the same name are versions of one if they share this much of their words. */
const alike = 0.3;

const wordsIn = (tree: FlatTree, node: number): ReadonlySet<string> => new Set(textOf(tree, node).match(/[\w$]+/g));

const likeness = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  (2 * [...a].filter(word => b.has(word)).length) / (a.size + b.size);

/** Whether two functions have the same tokens, apart from comments. */
function isSame(old: FlatTree, a: number, now: FlatTree, b: number): boolean {
  return leavesOf(old, a).join(' ') === leavesOf(now, b).join(' ');
}

/** The tokens of the parameters and the body. */
export function leavesOf(tree: FlatTree, node: number): readonly string[] {
  const texts: string[] = [];
  const from = shapeOf(tree, node)?.start ?? 0;
  for (let leaf = node; leaf < tree.past[node]!; leaf++)
    if (isLeaf(tree, leaf) && !isComment(tree, leaf) && tree.start[leaf]! >= from) texts.push(textOf(tree, leaf));
  return texts;
}

/** The parts of a function; undefined if it has no parameters or no body. */
export function shapeOf(tree: FlatTree, node: number) {
  const list = parametersOf(tree, node);
  const body = childAt(tree, node, 'body');
  if (list === undefined || body === undefined) return undefined;
  const between = tree.text.slice(tree.end[list]!, tree.start[body]!);
  return {
    start: tree.start[list]!,
    end: tree.end[body]!,
    params: textOf(tree, list),
    between,
    body: textOf(tree, body),
    isBlock: is(tree, body, 'body'),
    isArrow: between.includes('=>'),
  };
}

function parametersOf(tree: FlatTree, node: number): number | undefined {
  for (let at: number | undefined = node; at !== undefined; at = childAt(tree, at, 'declarator')) {
    const list = childAt(tree, at, 'parameters') ?? childAt(tree, at, 'parameter');
    if (list !== undefined) return list;
  }
  return undefined;
}
