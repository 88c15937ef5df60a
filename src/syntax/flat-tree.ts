/** Syntax trees as flat arrays, and how to walk them. */
import type { Tree, TreeCursor } from 'web-tree-sitter';
import { anyState, type Grammar } from './grammars.js';
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
  /** The grammar's own symbol: what the parse tables speak of. */
  readonly symbol: Uint16Array;
  readonly state: Uint16Array;
  readonly field: Uint16Array;
  readonly flags: Uint8Array;
  /** Which of `grammars` the node was parsed by: languages are embedded in others. */
  readonly grammar: Uint8Array;
  readonly grammars: readonly EmbeddedGrammar[];
}

/** A grammar, or the bracket tree, which has kinds but no parse tables. */
export type EmbeddedGrammar = Pick<Grammar, 'kinds' | 'fields' | 'language'> & Partial<Grammar>;

export const named = 1;
export const broken = 2;
export const missing = 4;
export const comment = 8;

const errorKind = 0xffff;

/** Whether a node has this role in its own language, by its kind. */
export function is(tree: FlatTree, node: number, role: Role): boolean {
  const grammar = grammarAt(tree, node);
  return kindsOf(grammar, role)[tree.kind[node]!] === 1;
}

/** For every kind of a grammar whether it has the role: patterns are too slow to try them on every node of a text. */
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
  tree.kind[node] === errorKind ? 'ERROR' : (tree.grammars[tree.grammar[node]!]!.kinds[tree.kind[node]!] ?? '');
export const fieldOf = (tree: FlatTree, node: number): string =>
  tree.grammars[tree.grammar[node]!]!.fields[tree.field[node]!] ?? '';
export const grammarAt = (tree: FlatTree, node: number): EmbeddedGrammar => tree.grammars[tree.grammar[node]!]!;
export const textOf = (tree: FlatTree, node: number): string => tree.text.slice(tree.start[node], tree.end[node]);
export const isNamed = (tree: FlatTree, node: number): boolean => (tree.flags[node]! & named) !== 0;
export const isLeaf = (tree: FlatTree, node: number): boolean => tree.past[node] === node + 1;
export const isComment = (tree: FlatTree, node: number): boolean => (tree.flags[node]! & comment) !== 0;
export const sizeOf = (tree: FlatTree, node: number): number => tree.end[node]! - tree.start[node]!;

export function childrenOf(tree: FlatTree, node: number): number[] {
  const children: number[] = [];
  for (let child = node + 1; child < tree.past[node]!; child = tree.past[child]!) children.push(child);
  return children;
}

/** The children that mean something: neither signs nor comments. */
export const partsOf = (tree: FlatTree, node: number): number[] =>
  childrenOf(tree, node).filter(child => isNamed(tree, child) && !isComment(tree, child));

/** The child that stands in this field of its parent. */
export const childAt = (tree: FlatTree, node: number, field: string): number | undefined =>
  childrenOf(tree, node).find(child => fieldOf(tree, child) === field);

/** The first leaf of a subtree in its own grammar: preorder makes it a run of first children. */
export function firstLeaf(tree: FlatTree, node: number): number {
  const { past, grammar } = tree;
  let leaf = node;
  while (past[leaf]! > leaf + 1 && grammar[leaf + 1] === grammar[node]) leaf++;
  return leaf;
}

/** The first leaf after the subtree, in the same grammar, that is more than a comment or nothing; `count` at the end. */
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

/** Builds an tree node by node; arrays double as they fill. */
export class FlatTreeBuilder {
  private capacity = 1024;
  private start = new Uint32Array(this.capacity);
  private end = new Uint32Array(this.capacity);
  private past = new Uint32Array(this.capacity);
  private parent = new Int32Array(this.capacity);
  private kind = new Uint16Array(this.capacity);
  private symbol = new Uint16Array(this.capacity);
  private state = new Uint16Array(this.capacity);
  private field = new Uint16Array(this.capacity);
  private flags = new Uint8Array(this.capacity);
  private grammar = new Uint8Array(this.capacity);
  private readonly grammars: EmbeddedGrammar[] = [];
  count = 0;

  constructor(readonly text: string) {}

  grammarIndex(grammar: EmbeddedGrammar): number {
    const known = this.grammars.indexOf(grammar);
    return known >= 0 ? known : this.grammars.push(grammar) - 1;
  }

  /** Nine numbers in a row, because this runs for every node of a text: an object here costs ten times the rest. */
  open(
    start: number,
    end: number,
    parent: number,
    grammar: number,
    kind: number,
    flags: number,
    symbol = kind,
    state = anyState,
    field = 0,
  ): number {
    const at = this.count++;
    if (at === this.capacity) this.grow();
    this.start[at] = start;
    this.end[at] = end;
    this.past[at] = at + 1;
    this.parent[at] = parent;
    this.kind[at] = kind;
    this.symbol[at] = symbol;
    this.state[at] = state;
    this.field[at] = field;
    this.flags[at] = flags;
    this.grammar[at] = grammar;
    return at;
  }

  /** The subtree of `node` is complete. */
  close(node: number, end?: number): void {
    this.past[node] = this.count;
    if (end !== undefined) this.end[node] = end;
  }

  startOf(node: number): number {
    return this.start[node]!;
  }

  endOf(node: number): number {
    return this.end[node]!;
  }

  kindOf(node: number): string {
    return this.grammars[this.grammar[node]!]!.kinds[this.kind[node]!] ?? 'ERROR';
  }

  parentOf(node: number): number {
    return this.parent[node]!;
  }

  tree(): FlatTree {
    const n = this.count;
    return {
      text: this.text,
      count: n,
      start: this.start.subarray(0, n),
      end: this.end.subarray(0, n),
      past: this.past.subarray(0, n),
      parent: this.parent.subarray(0, n),
      kind: this.kind.subarray(0, n),
      symbol: this.symbol.subarray(0, n),
      state: this.state.subarray(0, n),
      field: this.field.subarray(0, n),
      flags: this.flags.subarray(0, n),
      grammar: this.grammar.subarray(0, n),
      grammars: this.grammars,
    };
  }

  private grow(): void {
    this.capacity *= 2;
    const larger = <A extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(array: A): A => {
      const copy = new (array.constructor as new (length: number) => A)(this.capacity);
      copy.set(array);
      return copy;
    };
    this.start = larger(this.start);
    this.end = larger(this.end);
    this.past = larger(this.past);
    this.parent = larger(this.parent);
    this.kind = larger(this.kind);
    this.symbol = larger(this.symbol);
    this.state = larger(this.state);
    this.field = larger(this.field);
    this.flags = larger(this.flags);
    this.grammar = larger(this.grammar);
  }
}

/** Called for every node that was just opened; true: its children are not wanted (something else was put there). */
export type OnNode = (node: number, kind: number) => boolean;

/** Copies a tree under `parent`. A loop, not a recursion: nesting may be 50,000 deep. */
export function copyTree(
  builder: FlatTreeBuilder,
  parsed: Tree,
  grammar: Grammar,
  offset: number,
  parent: number,
  onNode: OnNode = () => false,
): void {
  const index = builder.grammarIndex(grammar);
  const comments = kindsOf(grammar, 'comment');
  const cursor = parsed.walk();
  const path: number[] = [];
  for (;;) {
    const above = path.length > 0 ? path[path.length - 1]! : parent;
    const kind = cursor.nodeTypeId;
    const node = copyNode(builder, cursor, grammar, comments, index, offset, above);
    if (!onNode(node, kind) && cursor.gotoFirstChild()) {
      path.push(node);
      continue;
    }
    builder.close(node);
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) {
        cursor.delete();
        return;
      }
      builder.close(path.pop()!);
    }
  }
}

function copyNode(
  builder: FlatTreeBuilder,
  cursor: TreeCursor,
  grammar: Grammar,
  comments: Uint8Array,
  index: number,
  offset: number,
  parent: number,
): number {
  const kind = cursor.nodeTypeId;
  const state = cursor.nodeStateId;
  const start = cursor.startIndex + offset;
  const end = cursor.endIndex + offset;
  let flags = cursor.nodeIsNamed ? named : 0;
  if (kind === errorKind) flags |= broken;
  else if (comments[kind] === 1) flags |= comment;
  if (start === end && cursor.nodeIsMissing) flags |= missing | broken;
  // The public kind is the grammar's own symbol wherever the tables know it at this place; only else is it worth asking.
  let symbol = kind;
  if (kind !== errorKind && state !== anyState && !grammar.expects(state, kind) && grammar.after(state, kind) === 0)
    symbol = cursor.currentNode.grammarId;
  return builder.open(start, end, parent, index, kind, flags, symbol, state, cursor.currentFieldId);
}
