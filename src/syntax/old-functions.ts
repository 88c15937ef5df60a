/**
 * Old functions in the place of new ones. A rewritten text differs in almost every line, and an old line rarely fits between new ones; but an old
 * function often fits in the place of the new one, wherever that is and however its text is wrapped.
 */
import { hunksBetween } from '../core/diff.js';
import { addTo } from '../core/lists.js';
import type { Span } from './edit.js';
import { type FlatTree, fieldOf, grammarAt, isComment, isLeaf, textOf } from './flat-tree.js';
import { isFunction } from './functions.js';
import {
  type FunctionPair,
  isOwnName,
  leavesOf,
  type MatchedFunctions,
  matchedFunctions,
  named as nameIn,
  shapeOf,
  variableOf,
} from './matched-functions.js';
import { isIdentifier } from './names.js';
import type { SimilarFunctions } from './similar-functions.js';

/** What replaces a function of the new text. */
export interface OldText extends Span {
  /** Where it begins in the old text. */
  readonly from: number;
}

/**
 * The functions of the new text that differ, and what replaces each to make it the old one: parameters and body. In the order of the new text.
 * `similar`: functions that are the same one, whatever their names are.
 */
export function oldFunctions(
  old: FlatTree,
  now: FlatTree,
  similar: readonly SimilarFunctions[] = [],
): readonly OldText[] {
  const matched = matchedFunctions(old, now, similar);
  const newName = renamedIn(old, now, matched);
  const complete = withGone(old, now);
  return matched.differing
    .flatMap(pair => {
      const span = replacement(old, now, pair);
      return span ? [{ ...span, text: complete(underNewNames(span.text, newName(pair))) }] : [];
    })
    .sort((a, b) => a.start - b.start);
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

type Votes = Map<string, Map<string, number>>;

/**
 * What variables that only old has are called in new: the name that most often is in their place, alone among the same tokens, or the variable of
 * the same function in new. First in the function itself, then close to it: a bundle has variables of the same name in many modules, and gives each
 * another name.
 */
function renamedIn(
  old: FlatTree,
  now: FlatTree,
  { named, differing }: MatchedFunctions,
): (pair: FunctionPair) => (name: string) => string | undefined {
  const known = variablesIn(now);
  const [oldNames, newNames] = [identifiersIn(old), identifiersIn(now)];
  const anywhere: Votes = new Map();
  const inPair = new Map<FunctionPair, Votes>();
  for (const pair of differing) {
    const [left, right] = [leavesOf(old, pair[0]), leavesOf(now, pair[1])];
    const here: Votes = new Map();
    inPair.set(pair, here);
    const isVariable = (leaves: readonly string[], at: number) =>
      word.test(leaves[at]!) && leaves[at - 1] !== '.' && leaves[at - 1] !== '?.';
    for (const { oldStart, oldCount, newStart, newCount } of hunksBetween(left, right)) {
      const [from, to] = [left[oldStart]!, right[newStart]!];
      if (oldCount !== 1 || newCount !== 1 || known.has(from)) continue;
      // `true` in the place of `false` is another value, and not another name.
      if (!oldNames.has(from) || !newNames.has(to)) continue;
      if (!isVariable(left, oldStart) || !isVariable(right, newStart)) continue;
      for (const votes of [here, anywhere]) vote(votes, from, to);
    }
  }
  const functions = new Map<string, FunctionPair[]>();
  for (const pair of named) {
    const [from, to] = [variableOf(old, pair[0]), variableOf(now, pair[1])];
    if (from !== undefined && to !== undefined && from !== to && !known.has(from)) addTo(functions, from, pair);
  }
  const closest = (name: string, [at]: FunctionPair): string | undefined => {
    const [first] = (functions.get(name) ?? []).toSorted((a, b) => Math.abs(a[0] - at) - Math.abs(b[0] - at));
    return first && variableOf(now, first[1]);
  };
  return pair => name => mostIn(inPair.get(pair)?.get(name)) ?? closest(name, pair) ?? mostIn(anywhere.get(name));
}

function vote(votes: Votes, from: string, to: string): void {
  const seen = votes.get(from) ?? new Map<string, number>();
  votes.set(from, seen.set(to, (seen.get(to) ?? 0) + 1));
}

const mostIn = (seen: ReadonlyMap<string, number> | undefined): string | undefined =>
  seen && [...seen].sort((a, b) => b[1] - a[1])[0]![0];

const identifiersIn = (tree: FlatTree): ReadonlySet<string> => {
  const found = new Set<string>();
  for (let node = 1; node < tree.count; node++)
    if (isLeaf(tree, node) && isIdentifier(tree, node)) found.add(textOf(tree, node));
  return found;
};

/** All names, except those that are only the names of members, or of functions in expressions, which are known only inside of these. */
function variablesIn(tree: FlatTree): ReadonlySet<string> {
  const found = new Set<string>();
  let before = '';
  for (let node = 1; node < tree.count; node++) {
    if (!isLeaf(tree, node) || isComment(tree, node)) continue;
    const text = textOf(tree, node);
    const isMember = before === '.' || before === '?.';
    before = text;
    const parent = tree.parent[node]!;
    const isOwn = fieldOf(tree, node) === 'name' && parent > 0 && isFunction(tree, parent) && isOwnName(tree, parent);
    if (!isMember && !isOwn) found.add(text);
  }
  return found;
}

const word = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
const words = /(?<![\p{L}\p{N}_$.])[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** A name is replaced if that can't mix up two variables. Members keep their names: they belong to objects, which both versions may make. */
function underNewNames(text: string, newName: (name: string) => string | undefined): string {
  const own = new Set(text.match(words));
  return text.replace(words, each => {
    const name = newName(each);
    return name === undefined || own.has(name) ? each : name;
  });
}

/** More functions than this are a part of the old version, and not of one function. */
const mostGone = 8;

/** Puts the functions that it calls, and that new does not have at all, into an old function. */
function withGone(old: FlatTree, now: FlatTree): (text: string) => string {
  if (grammarAt(old, 0).language.compiler === undefined) return text => text;
  const known = new Set(leavesOf(now, 0));
  const gone = new Map<string, string>();
  for (let node = 1; node < old.count; node++) {
    const name = isFunction(old, node) ? nameIn(old, node, ['name']) : undefined;
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
