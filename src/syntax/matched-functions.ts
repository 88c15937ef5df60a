/**
 * The functions that two versions of a text both have, by their names. A rewritten text differs in almost every line, and an old line rarely
 * fits between new ones; but an old function often fits in the place of the new one, wherever that is and however its text is wrapped.
 */
import { hunksBetween } from '../core/diff.js';
import { addTo } from '../core/lists.js';
import type { Span } from './edit.js';
import { childAt, type FlatTree, grammarAt, is, isComment, isLeaf, sizeOf, textOf } from './flat-tree.js';
import { isFunction } from './functions.js';

/** A function of the old text and the same one of the new text, as nodes of their trees. */
export type FunctionPair = readonly [old: number, now: number];

/** What replaces a function of the new text. */
export interface OldText extends Span {
  /** Where it begins in the old text. */
  readonly from: number;
}

/** The functions of the new text that differ, and what replaces each to make it the old one: parameters and body. In the order of the new text. */
export function oldFunctions(old: FlatTree, now: FlatTree): readonly OldText[] {
  const pairs = differingFunctions(old, now);
  const names = renamedIn(old, now, pairs);
  const spans = pairs.flatMap(pair => replacement(old, now, pair) ?? []);
  const complete = withGone(old, now);
  return spans
    .map(span => ({ ...span, text: complete(underNewNames(span.text, names)) }))
    .sort((a, b) => a.start - b.start);
}

/** More functions than this are a part of the old version, and not of one function. */
const mostGone = 8;

/** Puts the functions that it calls, and that new does not have at all, into an old function. */
function withGone(old: FlatTree, now: FlatTree): (text: string) => string {
  if (grammarAt(old, 0).language.compiler === undefined) return text => text;
  const known = new Set(leavesOf(now, 0));
  const gone = new Map<string, string>();
  for (let node = 1; node < old.count; node++) {
    const name = isFunction(old, node) ? named(old, node, ['name']) : undefined;
    const text = name === undefined || known.has(name) ? '' : textOf(old, node);
    if (/^(?:async\s+)?function\b/.test(text)) gone.set(name!, text);
  }
  return text => {
    if (!text.endsWith('}')) return text;
    const added = new Set<string>();
    for (const pending = [text]; pending.length > 0; )
      for (const each of pending.pop()!.match(words) ?? [])
        if (gone.has(each) && !added.has(each)) {
          added.add(each);
          pending.push(gone.get(each)!);
        }
    if (added.size === 0 || added.size > mostGone) return text;
    return `${text.slice(0, -1)}\n${[...added].map(name => gone.get(name)!).join('\n')}}`;
  };
}

/** Functions that both have and that differ in their tokens. None of them is inside another one. */
function differingFunctions(old: FlatTree, now: FlatTree): readonly FunctionPair[] {
  const found: FunctionPair[] = [];
  const search = (before: readonly number[], after: readonly number[]): number => {
    let covered = 0;
    for (const [a, b] of matched(old, before, now, after)) {
      covered += sizeOf(now, b);
      if (isSame(old, a, now, b)) continue;
      const at = found.length;
      // A function that is little more than a wrapper around others is not worth replacing as a whole.
      const inside = search(namedIn(old, a), namedIn(now, b));
      if (2 * inside > sizeOf(now, b)) continue;
      found.length = at;
      found.push([a, b]);
    }
    return covered;
  };
  search(namedIn(old, 0), namedIn(now, 0));
  return found;
}

/** What variables that only old has are called in new: the name that most often is in their place, alone among the same tokens. */
function renamedIn(old: FlatTree, now: FlatTree, pairs: readonly FunctionPair[]): ReadonlyMap<string, string> {
  const known = new Set(leavesOf(now, 0));
  const votes = new Map<string, Map<string, number>>();
  for (const [a, b] of pairs) {
    const [left, right] = [leavesOf(old, a), leavesOf(now, b)];
    const isVariable = (leaves: readonly string[], at: number) =>
      word.test(leaves[at]!) && leaves[at - 1] !== '.' && leaves[at - 1] !== '?.';
    for (const { oldStart, oldCount, newStart, newCount } of hunksBetween(left, right)) {
      const [from, to] = [left[oldStart]!, right[newStart]!];
      if (oldCount !== 1 || newCount !== 1 || known.has(from)) continue;
      if (!isVariable(left, oldStart) || !isVariable(right, newStart)) continue;
      const seen = votes.get(from) ?? new Map<string, number>();
      votes.set(from, seen.set(to, (seen.get(to) ?? 0) + 1));
    }
  }
  return new Map([...votes].map(([from, seen]) => [from, [...seen].sort((a, b) => b[1] - a[1])[0]![0]]));
}

const word = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
const words = /(?<![\p{L}\p{N}_$.])[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** A name is replaced if that can't mix up two variables. Members keep their names: they belong to objects, which both versions may make. */
function underNewNames(text: string, names: ReadonlyMap<string, string>): string {
  const own = new Set(text.match(words));
  return text.replace(words, each => {
    const name = names.get(each);
    return name === undefined || own.has(name) ? each : name;
  });
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

/** Its own name, or that of the variable or member that it is assigned to. */
function nameOf(tree: FlatTree, node: number): string | undefined {
  const own = named(tree, node, ['name', 'declarator']);
  if (own !== undefined) return own;
  const parent = tree.parent[node]!;
  return parent < 0 ? undefined : named(tree, parent, ['name', 'key', 'left', 'declarator']);
}

function named(tree: FlatTree, node: number, fields: readonly string[]): string | undefined {
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
      if (olds) found.push(...paired(old, olds, now, news));
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

/** As many on both sides are the same ones, in order; otherwise those with the most words in common are. */
function paired(
  old: FlatTree,
  olds: readonly number[],
  now: FlatTree,
  news: readonly number[],
): readonly FunctionPair[] {
  if (olds.length === news.length) return news.map((node, i) => [olds[i]!, node] as const);
  const scored = olds.flatMap(a => {
    const words = wordsIn(old, a);
    return news.map(b => ({ pair: [a, b] as const, score: likeness(words, wordsIn(now, b)) }));
  });
  const found: FunctionPair[] = [];
  for (const { pair } of scored.filter(({ score }) => score >= alike).sort((a, b) => b.score - a.score))
    if (!found.some(([a, b]) => a === pair[0] || b === pair[1])) found.push(pair);
  return found;
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
function leavesOf(tree: FlatTree, node: number): readonly string[] {
  const texts: string[] = [];
  const from = shapeOf(tree, node)?.start ?? 0;
  for (let leaf = node; leaf < tree.past[node]!; leaf++)
    if (isLeaf(tree, leaf) && !isComment(tree, leaf) && tree.start[leaf]! >= from) texts.push(textOf(tree, leaf));
  return texts;
}

/** Undefined if an old function would mean something else in the new form. */
function replacement(old: FlatTree, now: FlatTree, [a, b]: FunctionPair): OldText | undefined {
  const [from, to] = [shapeOf(old, a), shapeOf(now, b)];
  if (!from || !to) return undefined;
  const { start, end } = to;
  if (from.isArrow === to.isArrow) return { from: from.start, start, end, text: old.text.slice(from.start, from.end) };
  // An arrow has the receiver and the arguments of what is around it.
  if (/\b(?:this|arguments|super)\b/.test(old.text.slice(from.start, from.end))) return undefined;
  const params = from.params.startsWith('(') ? from.params : `(${from.params})`;
  return {
    from: from.start,
    start,
    end,
    text: `${params}${to.between}${from.isBlock ? from.body : `{ return ${from.body}; }`}`,
  };
}

function shapeOf(tree: FlatTree, node: number) {
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
