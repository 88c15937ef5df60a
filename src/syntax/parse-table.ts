import { broken, firstLeaf, leafAfter, type Outline, tongueOf } from './flat-tree.js';
import { anyState } from './grammars.js';

/**
 * What the parse tables say about a place, before a test is spent (Perses asks a normalised grammar the same questions).
 * The answers err on the side of yes: an LR state with merged lookaheads accepts a little too much, and a place that the
 * parser took for ambiguous or broken accepts anything.
 */

/** The symbol of the token that follows the node; 0, the end of the text, where none does. */
export function symbolAfter(outline: Outline, node: number): number {
  const leaf = leafAfter(outline, node);
  return leaf < outline.count && outline.tongue[leaf] === outline.tongue[node] ? outline.symbol[leaf]! : 0;
}

/** The parser's state before the first token of the node: what came before it was read, nothing of it was. */
export function stateBefore(outline: Outline, node: number): number {
  const leaf = firstLeaf(outline, node);
  const state = outline.state[leaf]!;
  return state === 0 || (outline.flags[leaf]! & broken) !== 0 ? anyState : state;
}

/** Whether the run of siblings from `first` to `last` can be left out. */
export function mayVanish(outline: Outline, first: number, last: number): boolean {
  const { expects, endsLine } = tongueOf(outline, first);
  if (expects === undefined || endsLine === undefined) return true;
  const state = stateBefore(outline, first);
  if (state === anyState || isBroken(outline, leafAfter(outline, last))) return true;
  if (expects(state, symbolAfter(outline, last))) return true;
  return endsLine(state) && linesEndAfter(outline, last);
}

/** A token that the parser could not place: the tables say nothing about what may stand before it. */
const isBroken = (outline: Outline, leaf: number): boolean =>
  leaf < outline.count && ((outline.flags[leaf]! | outline.flags[Math.max(0, outline.parent[leaf]!)]!) & broken) !== 0;

/** Whether a node of this symbol can stand where `node` stands. */
export function mayStand(outline: Outline, node: number, symbol: number): boolean {
  const tongue = tongueOf(outline, node);
  if (tongue.after === undefined || tongue.expects === undefined || tongue.endsLine === undefined) return false;
  // Where the node itself was ambiguous, its first token's state is the node's own unless reductions were pending.
  const known = outline.state[node]!;
  const own = known === anyState ? stateBefore(outline, node) : known;
  if (own === anyState || own === 0) return false;
  const next = tongue.after(own, symbol);
  if (next === 0) return false;
  return tongue.expects(next, symbolAfter(outline, node)) || (tongue.endsLine(next) && linesEndAfter(outline, node));
}

/** A line ends, or a block closes, behind the node: where languages put the semicolon that nobody writes. */
function linesEndAfter(outline: Outline, node: number): boolean {
  const leaf = leafAfter(outline, node);
  if (leaf >= outline.count) return true;
  const gap = outline.text.slice(outline.end[node]!, Math.min(outline.start[leaf]!, outline.end[node]! + 1000));
  return gap.includes('\n') || outline.text[outline.start[leaf]!] === '}';
}
