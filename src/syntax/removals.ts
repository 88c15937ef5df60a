/** Which nodes can be left out, according to the parse tables. */
import { isTagPart } from './delimiters.js';
import { type FlatTree, grammarAt, is, isComment, isNamed, sizeOf } from './flat-tree.js';
import { canRemove } from './parse-table.js';

/** A node that can be left out, with the separators that go with it. */
export interface Removal {
  readonly node: number;
  readonly start: number;
  readonly end: number;
  /** How many removals contain it. */
  readonly level: number;
}

/** Every node that can be left out according to the parse tables, in preorder. */
export function removals(tree: FlatTree): readonly Removal[] {
  if (!cache.has(tree)) for (const _ of removalsInSteps(tree));
  return cache.get(tree)!;
}

const cache = new WeakMap<FlatTree, readonly Removal[]>();

/** Nodes that are looked at in a few milliseconds. */
const stepOfNodes = 5_000;

/** Finds them a few milliseconds at a time, so that `removals` then knows them: a large tree takes a second. */
export function* removalsInSteps(tree: FlatTree): Generator<void> {
  if (cache.has(tree)) return;
  const found: Removal[] = [];
  const { count, parent } = tree;
  const level = new Uint16Array(count);
  const taken = new Uint8Array(count);
  const previous = previousSiblings(tree);
  for (let node = 1; node < count; node++) {
    const above = parent[node]!;
    if (node % stepOfNodes === 0) yield;
    level[node] = Math.min(0xfffe, level[above]! + taken[above]!);
    const run = removalOf(tree, node, previous[node]!);
    if (run === undefined) continue;
    taken[node] = 1;
    const isItself = run.start === tree.start[node];
    const start = isItself ? startWithDialect(tree, node, previous[node]!) : run.start;
    found.push({ node, start, end: run.end, level: level[node]! });
  }
  cache.set(tree, found);
}

const known = new WeakMap<FlatTree, Int32Array>();

function siblingsBefore(tree: FlatTree): Int32Array {
  let found = known.get(tree);
  if (!found) known.set(tree, (found = previousSiblings(tree)));
  return found;
}

/** For every node the sibling before it; −1 for first children. */
export function previousSiblings(tree: FlatTree): Int32Array {
  const previous = new Int32Array(tree.count).fill(-1);
  for (let node = 0; node < tree.count; node++) {
    const next = tree.past[node]!;
    if (next < tree.count && tree.parent[next] === tree.parent[node]) previous[next] = node;
  }
  return previous;
}

/**
 * Where a declaration begins if its attributes are in front of it, or words of a dialect, which no node represents: `[[nodiscard]]` without what
 * follows it is an error. Line numbers of the preprocessor may stay.
 */
export function startWithDialect(tree: FlatTree, node: number, previous: number): number {
  const start = attributesBefore(tree, node, previous);
  const { dialect } = grammarAt(tree, node).language;
  if (dialect === undefined || !is(tree, node, 'listed')) return start;
  const above = tree.parent[node]!;
  const from = previous >= 0 ? tree.end[previous]! : above === 0 ? 0 : tree.start[above]!;
  const gap = tree.text.slice(from, start);
  const first = gap.replace(lineNumber, found => ' '.repeat(found.length)).search(/\S/);
  return first < 0 ? start : from + first;
}

/** Where the attributes of a declaration begin, which a parser has as nodes before it; or else the declaration. */
function attributesBefore(tree: FlatTree, node: number, previous: number): number {
  let first = node;
  if (is(tree, node, 'attribute') || isComment(tree, node) || !isNamed(tree, node)) return tree.start[node]!;
  for (let at = previous; at >= 0 && is(tree, at, 'attribute'); at = siblingsBefore(tree)[at]!) first = at;
  return tree.start[first]!;
}

const lineNumber = /^#[ \t]*\d+ "[^\n]*$/gm;

/** How one node is left out. `previous`: the sibling before it, or −1. */
export function removalOf(
  tree: FlatTree,
  node: number,
  previous: number,
): { readonly start: number; readonly end: number } | undefined {
  const { start, end, past, parent, count, text } = tree;
  if (sizeOf(tree, node) === 0) return undefined;
  if (isComment(tree, node)) return { start: start[node]!, end: end[node]! };
  const above = parent[node]!;
  const isOnly = start[above] === start[node] && end[above] === end[node];
  if (isOnly && above !== 0) return undefined;
  const anonymous = !isNamed(tree, node);
  if (
    anonymous &&
    (grammarAt(tree, node).language.tokens.paired.test(text.slice(start[node], start[node]! + 6)) ||
      tree.past[node] !== node + 1)
  )
    return undefined;
  if (isTagPart(tree, node)) return undefined;
  const next = past[node]! < count && parent[past[node]!] === above ? past[node]! : -1;
  const before = previous >= 0 && isToken(tree, previous) ? previous : -1;
  const behind = next >= 0 && isToken(tree, next) ? next : -1;
  if (grammarAt(tree, node).expects === undefined) return looseRemoval(tree, node);
  const run = (first: number, last: number) =>
    canRemove(tree, first, last) ? { start: start[first]!, end: end[last]! } : undefined;
  if (anonymous) {
    if (grammarAt(tree, node).language.tokens.separator.test(text.slice(start[node], end[node]))) return undefined;
    return run(node, node);
  }
  const follows = isSeparator(tree, before) && !endsItself(tree, node, before, behind);
  if (follows || isSeparator(tree, behind)) {
    // Every element but the first takes the separator before it, so that neighbours can be removed together.
    const inList =
      (follows ? run(before, node) : undefined) ??
      (isSeparator(tree, behind) && !ends(tree, behind) ? run(node, behind) : undefined);
    if (inList !== undefined) return inList;
  }
  return (
    run(node, node) ??
    (before >= 0 && !opens(tree, before) ? run(before, node) : undefined) ??
    (behind >= 0 && !closes(tree, behind) && !ends(tree, behind) ? run(node, behind) : undefined)
  );
}

/**
 * In a bracket tree, an item is removed with the comma before it if nothing of its list follows, and one of several groups with a
 * comma between them: `values (1), (2)`.
 */
function looseRemoval(tree: FlatTree, node: number): { start: number; end: number } {
  const [start, end] = [tree.start[node]!, tree.end[node]!];
  const before = tree.text.slice(Math.max(0, start - 20), start);
  const behind = tree.text.slice(end, end + 20);
  if (is(tree, node, 'item')) {
    const isLast = !/[,;]/.test(tree.text[end - 1]!) && /^\s*[)\]}]/.test(behind);
    return { start: start - (isLast ? (/,\s*$/.exec(before)?.[0].length ?? 0) : 0), end };
  }
  if (!is(tree, node, 'bracketPart')) return { start, end };
  const comma = /(?<=[)\]}]\s*),\s*$/.exec(before);
  return comma === null
    ? { start, end: end + (/^\s*,\s*(?=[([{])/.exec(behind)?.[0].length ?? 0) }
    : { start: start - comma[0].length, end };
}

const isToken = (tree: FlatTree, node: number): boolean => !isNamed(tree, node) && tree.past[node] === node + 1;
const isSeparator = (tree: FlatTree, node: number): boolean =>
  node >= 0 &&
  grammarAt(tree, node).language.tokens.separator.test(
    tree.text.slice(tree.start[node], Math.min(tree.end[node]!, tree.start[node]! + 6)),
  );
/** The semicolon before a declaration that has its own end belongs to the one before it: `struct A {}; int b;`. */
const endsItself = (tree: FlatTree, node: number, before: number, behind: number): boolean =>
  is(tree, node, 'listed') &&
  tree.text[tree.start[before]!] === ';' &&
  /[;}]/.test(tree.text[tree.end[node]! - 1]!) &&
  !(behind >= 0 && tree.text[tree.start[behind]!] === ';');
/** The semicolon at the end of its parent: without it, the rest would merge with what follows. */
const ends = (tree: FlatTree, node: number): boolean =>
  tree.text[tree.start[node]!] === ';' && tree.end[tree.parent[node]!] === tree.end[node];
const opens = (tree: FlatTree, node: number): boolean =>
  /[([{"'`<]$/.test(tree.text.slice(tree.start[node], tree.end[node]));
const closes = (tree: FlatTree, node: number): boolean =>
  /^[)\]}"'`>]/.test(tree.text.slice(tree.start[node], tree.end[node]));
