/** What the parse tables say about a place. */
import { broken, type FlatTree, firstLeaf, grammarAt, leafAfter } from './flat-tree.js';
import { anyState } from './grammars.js';

/**
 * What the parse tables say about a place, before a test is spent (Perses asks a normalised grammar the same questions).
 * The answers err on the side of yes: an LR state with merged lookaheads accepts a little too much, and a place that the
 * parser found ambiguous or broken accepts anything.
 */

/** The symbol of the token after the node; 0, the end of the text, if there is none. */
export function symbolAfter(tree: FlatTree, node: number): number {
  const leaf = leafAfter(tree, node);
  return leaf < tree.count && tree.grammar[leaf] === tree.grammar[node] ? tree.symbol[leaf]! : 0;
}

/** The parser's state before the first token of the node: it has read everything before the node, and nothing of it. */
export function stateBefore(tree: FlatTree, node: number): number {
  const leaf = firstLeaf(tree, node);
  const state = tree.state[leaf]!;
  return state === 0 || (tree.flags[leaf]! & broken) !== 0 ? anyState : state;
}

/** Whether the run of siblings from `first` to `last` can be left out. */
export function canRemove(tree: FlatTree, first: number, last: number): boolean {
  const { expects, endsLine } = grammarAt(tree, first);
  if (expects === undefined || endsLine === undefined) return true;
  const state = stateBefore(tree, first);
  if (state === anyState || isBroken(tree, leafAfter(tree, last))) return true;
  if (expects(state, symbolAfter(tree, last))) return true;
  return endsLine(state) && linesEndAfter(tree, last);
}

/** A token that the parser could not place: the tables say nothing about what may come before it. */
const isBroken = (tree: FlatTree, leaf: number): boolean =>
  leaf < tree.count && ((tree.flags[leaf]! | tree.flags[Math.max(0, tree.parent[leaf]!)]!) & broken) !== 0;

/** Whether a node of this symbol may replace `node`. */
export function canReplace(tree: FlatTree, node: number, symbol: number): boolean {
  const grammar = grammarAt(tree, node);
  if (grammar.after === undefined || grammar.expects === undefined || grammar.endsLine === undefined) return false;
  // If the node itself was ambiguous, the state of its first token is used: it is the node's own unless reductions were
  // pending.
  const known = tree.state[node]!;
  const own = known === anyState ? stateBefore(tree, node) : known;
  if (own === anyState || own === 0) return false;
  const next = grammar.after(own, symbol);
  if (next === 0) return false;
  return grammar.expects(next, symbolAfter(tree, node)) || (grammar.endsLine(next) && linesEndAfter(tree, node));
}

/** A line ends, or a block closes, after the node: this is where languages insert semicolons. */
function linesEndAfter(tree: FlatTree, node: number): boolean {
  const leaf = leafAfter(tree, node);
  if (leaf >= tree.count) return true;
  const gap = tree.text.slice(tree.end[node]!, Math.min(tree.start[leaf]!, tree.end[node]! + 1000));
  return gap.includes('\n') || tree.text[tree.start[leaf]!] === '}';
}
