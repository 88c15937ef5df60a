/** What is between brackets or tags, and what may replace what. */
import { childrenOf, type FlatTree, grammarAt, is, isComment, isNamed, sizeOf } from './flat-tree.js';
import { anyState } from './grammars.js';
import { canReplace } from './parse-table.js';

/**
 * Which kinds occur where in this file: parent's kind, field, child's kind. If the parse tables know nothing (an ambiguous
 * place) or there are none, a kind that occurs elsewhere in the file is also allowed here.
 */
export interface ReplacementRules {
  fits(node: number, other: number): boolean;
}

export function replacementRules(tree: FlatTree): ReplacementRules {
  const key = (place: number, kind: number): number => {
    const above = tree.parent[place]!;
    const parentKind = above < 0 ? 0xffff : tree.kind[above]!;
    return ((tree.grammar[place]! * 65536 + parentKind) * 256 + (tree.field[place]! & 255)) * 65536 + kind;
  };
  const known = new Set<number>();
  for (let node = 0; node < tree.count; node++) known.add(key(node, tree.kind[node]!));
  return {
    fits(node, other) {
      if (tree.grammar[node] !== tree.grammar[other] || isTagPart(tree, other)) return false;
      if (tree.kind[node] === tree.kind[other]) return true;
      if (canReplace(tree, node, tree.symbol[other]!)) return true;
      const isAmbiguous = tree.state[node] === anyState || tree.state[node] === 0;
      return isAmbiguous && known.has(key(node, tree.kind[other]!));
    },
  };
}

/** A node whose children are between an opening and a closing part. */
export interface Bracketed {
  readonly first: number;
  readonly last: number;
  /** The range between the opening and the closing part. */
  readonly start: number;
  readonly end: number;
  readonly inside: readonly number[];
}

/** An opening or closing tag, which makes sense only with its other half. */
export const isTagPart = (tree: FlatTree, node: number): boolean => isNamed(tree, node) && is(tree, node, 'tag');

export function bracketed(tree: FlatTree, node: number): Bracketed | undefined {
  const first = node + 1;
  if (tree.past[node]! <= first || !isDelimiter(tree, first)) return undefined;
  const children = childrenOf(tree, node);
  const last = children[children.length - 1]!;
  if (last === first || !isDelimiter(tree, last)) return undefined;
  if (
    !isNamed(tree, first) &&
    !grammarAt(tree, first).language.tokens.opening.test(tree.text.slice(tree.start[first], tree.end[first]))
  )
    return undefined;
  const inside = children.slice(1, -1);
  return { first, last, start: tree.end[first]!, end: tree.start[last]!, inside };
}

const isDelimiter = (tree: FlatTree, node: number): boolean =>
  isNamed(tree, node) ? is(tree, node, 'tag') : tree.past[node] === node + 1;

/** Named descendants down to `depth`, nearest first, at most `most`. */
export function descendantsWithin(tree: FlatTree, node: number, depth: number, most: number): number[] {
  const found: number[] = [];
  let rank = [node];
  for (let d = 0; d < depth && rank.length > 0 && found.length < most; d++) {
    const next: number[] = [];
    for (const one of rank)
      for (let child = one + 1; child < tree.past[one]! && found.length < most; child = tree.past[child]!) {
        if (next.length > 64) break;
        next.push(child);
        if (isNamed(tree, child) && !isComment(tree, child) && sizeOf(tree, child) > 0) found.push(child);
      }
    rank = next;
  }
  return found;
}
