/** Builds flat trees: node by node, or as a copy of what a parser made. */
import type { Tree, TreeCursor } from 'web-tree-sitter';
import {
  broken,
  comment,
  type EmbeddedGrammar,
  errorKind,
  type FlatTree,
  kindsOf,
  missing,
  named,
} from './flat-tree.js';
import { anyState, type Grammar } from './grammars.js';

/** Builds a flat tree node by node; arrays double as they fill. */
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

  /**
   * A node without flags, of grammar 0. `describe` and `place` set everything else: this runs for every node of a text, and
   * an object here costs ten times as much as the rest.
   */
  open(start: number, end: number, parent: number, kind: number): number {
    const at = this.count++;
    if (at === this.capacity) this.grow();
    this.start[at] = start;
    this.end[at] = end;
    this.past[at] = at + 1;
    this.parent[at] = parent;
    this.kind[at] = kind;
    this.symbol[at] = kind;
    this.state[at] = anyState;
    this.field[at] = 0;
    this.flags[at] = 0;
    this.grammar[at] = 0;
    return at;
  }

  /** The grammar that the node's kind belongs to, and its flags. */
  describe(node: number, grammar: number, flags: number): void {
    this.grammar[node] = grammar;
    this.flags[node] = flags;
  }

  /** Where the parser met the node. */
  place(node: number, symbol: number, state: number, field: number): void {
    this.symbol[node] = symbol;
    this.state[node] = state;
    this.field[node] = field;
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

/** Called for every node that was just opened. Returns true to skip its children (something else was put there). */
export type OnNode = (node: number, kind: number) => boolean;

export interface CopyOptions {
  /** Where the parsed text begins in the whole text. */
  readonly offset?: number;
  /** The node to put the tree under; -1: none. */
  readonly parent?: number;
  /** The tree without its root. */
  readonly isBare?: boolean;
  readonly onNode?: OnNode;
}

/** Copies a tree under `parent`. */
export function copyTree(builder: FlatTreeBuilder, parsed: Tree, grammar: Grammar, options: CopyOptions = {}): void {
  for (const _ of copyInSteps(builder, parsed, grammar, options));
}

/** Nodes that are copied in a few milliseconds. */
const stepOfCopy = 5_000;

/** The same, a few milliseconds at a time: a large tree takes a second. A loop, not a recursion: nesting may be 50,000 deep. */
export function* copyInSteps(
  builder: FlatTreeBuilder,
  parsed: Tree,
  grammar: Grammar,
  { offset = 0, parent = -1, isBare = false, onNode = () => false }: CopyOptions = {},
): Generator<void> {
  const cursor = parsed.walk();
  if (isBare && !cursor.gotoFirstChild()) return cursor.delete();
  const comments = kindsOf(grammar, 'comment');
  const copying: Copying = { builder, cursor, grammar, comments, index: builder.grammarIndex(grammar), offset };
  const path: number[] = [];
  for (;;) {
    const above = path.length > 0 ? path[path.length - 1]! : parent;
    const kind = cursor.nodeTypeId;
    const node = copyNode(copying, above);
    if (node % stepOfCopy === 0) yield;
    if (!onNode(node, kind) && cursor.gotoFirstChild()) {
      path.push(node);
      continue;
    }
    builder.close(node);
    while (!cursor.gotoNextSibling()) {
      if (path.length === 0) return cursor.delete();
      cursor.gotoParent();
      builder.close(path.pop()!);
    }
  }
}

/** What is the same for every node of a copy: the cursor moves. */
interface Copying {
  readonly builder: FlatTreeBuilder;
  readonly cursor: TreeCursor;
  readonly grammar: Grammar;
  readonly comments: Uint8Array;
  /** The grammar's number in the builder. */
  readonly index: number;
  readonly offset: number;
}

function copyNode({ builder, cursor, grammar, comments, index, offset }: Copying, parent: number): number {
  const kind = cursor.nodeTypeId;
  const state = cursor.nodeStateId;
  const start = cursor.startIndex + offset;
  const end = cursor.endIndex + offset;
  let flags = cursor.nodeIsNamed ? named : 0;
  if (kind === errorKind) flags |= broken;
  else if (comments[kind] === 1) flags |= comment;
  if (start === end && cursor.nodeIsMissing) flags |= missing | broken;
  // The public kind is the grammar's own symbol if the tables know it at this place. Only otherwise is it worth asking.
  let symbol = kind;
  if (kind !== errorKind && state !== anyState && !grammar.expects(state, kind) && grammar.after(state, kind) === 0)
    symbol = cursor.currentNode.grammarId;
  const node = builder.open(start, end, parent, kind);
  builder.describe(node, index, flags);
  builder.place(node, symbol, state, cursor.currentFieldId);
  return node;
}
