/** Syntax trees as flat arrays, and how to walk them. */
import type { Grammar } from './grammars.js';
import type { Kinds, Role } from './languages/profile.js';

/**
 * A syntax tree as flat arrays in preorder: light enough for millions of nodes, and free of the WASM heap, whose trees
 * are deleted as soon as they are copied here. The subtree of `i` is `i … past[i] − 1`; its children are found by hopping
 * `c = i + 1; c < past[i]; c = past[c]`.
 */
export interface FlatTree {
  readonly text: string;
  readonly count: number;
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  readonly past: Uint32Array;
  /** −1 for the root. */
  readonly parent: Int32Array;
  /** The public kind, an index into the grammar's `kinds`. */
  readonly kind: Uint16Array;
  /** The grammar's own symbol, as the parse tables use it. */
  readonly symbol: Uint16Array;
  readonly state: Uint16Array;
  readonly field: Uint16Array;
  readonly flags: Uint8Array;
  /** Which of `grammars` the node was parsed with: languages are embedded in others. */
  readonly grammar: Uint8Array;
  readonly grammars: readonly EmbeddedGrammar[];
}

/** A grammar, or the bracket tree, which has kinds but no parse tables. */
export type EmbeddedGrammar = Pick<Grammar, 'kinds' | 'fields' | 'language'> & Partial<Grammar>;

export const named = 1;
export const broken = 2;
export const missing = 4;
export const comment = 8;

/** The kind of what the parser could not read. */
export const errorKind = 0xffff;

/** Whether a node has this role in its own language, by its kind. */
export function is(tree: FlatTree, node: number, role: Role): boolean {
  const grammar = grammarAt(tree, node);
  return kindsOf(grammar, role)[tree.kind[node]!] === 1;
}

/** Whether each kind of a grammar has the role: patterns are too slow to try on every node of a text. */
export function kindsOf({ kinds, language }: EmbeddedGrammar, role: Role): Uint8Array {
  let byProfile = rolesKnown.get(kinds);
  if (byProfile === undefined) rolesKnown.set(kinds, (byProfile = new Map()));
  let roles = byProfile.get(language.kinds);
  if (roles === undefined) byProfile.set(language.kinds, (roles = new Map()));
  let known = roles.get(role);
  if (known === undefined) {
    known = Uint8Array.from(kinds, kind => (language.kinds[role].test(kind) ? 1 : 0));
    roles.set(role, known);
  }
  return known;
}

const rolesKnown = new WeakMap<readonly string[], Map<Kinds, Map<Role, Uint8Array>>>();

export const kindOf = (tree: FlatTree, node: number): string =>
  isError(tree, node) ? 'ERROR' : (tree.grammars[tree.grammar[node]!]!.kinds[tree.kind[node]!] ?? '');
export const fieldOf = (tree: FlatTree, node: number): string =>
  tree.grammars[tree.grammar[node]!]!.fields[tree.field[node]!] ?? '';
export const grammarAt = (tree: FlatTree, node: number): EmbeddedGrammar => tree.grammars[tree.grammar[node]!]!;
export const textOf = (tree: FlatTree, node: number): string => tree.text.slice(tree.start[node], tree.end[node]);
export const isNamed = (tree: FlatTree, node: number): boolean => (tree.flags[node]! & named) !== 0;
export const isLeaf = (tree: FlatTree, node: number): boolean => tree.past[node] === node + 1;
/** What the grammar could not read. */
export const isError = (tree: FlatTree, node: number): boolean => tree.kind[node] === errorKind;
export const isComment = (tree: FlatTree, node: number): boolean => (tree.flags[node]! & comment) !== 0;
export const sizeOf = (tree: FlatTree, node: number): number => tree.end[node]! - tree.start[node]!;

export function childrenOf(tree: FlatTree, node: number): number[] {
  const children: number[] = [];
  for (let child = node + 1; child < tree.past[node]!; child = tree.past[child]!) children.push(child);
  return children;
}

/** The children that mean something: neither punctuation nor comments. */
export const partsOf = (tree: FlatTree, node: number): number[] =>
  childrenOf(tree, node).filter(child => isNamed(tree, child) && !isComment(tree, child));

/** The child in this field of its parent. */
export const childAt = (tree: FlatTree, node: number, field: string): number | undefined =>
  childrenOf(tree, node).find(child => fieldOf(tree, child) === field);

/** The first leaf of a subtree in its own grammar: in preorder, a chain of first children. */
export function firstLeaf(tree: FlatTree, node: number): number {
  const { past, grammar } = tree;
  let leaf = node;
  while (past[leaf]! > leaf + 1 && grammar[leaf + 1] === grammar[node]) leaf++;
  return leaf;
}

/** The first leaf after the subtree, in the same grammar, that is neither a comment nor empty; `count` at the end. */
export function leafAfter(tree: FlatTree, node: number): number {
  const { past, grammar, start, end, count } = tree;
  let next = past[node]!;
  while (next < count && grammar[next] === grammar[node]) {
    const leaf = firstLeaf(tree, next);
    if (!isComment(tree, leaf) && end[leaf]! > start[leaf]!) return leaf;
    next = past[leaf]!;
  }
  return count;
}
