import { childrenOf, isComment, isNamed, kindOf, type Outline, sizeOf } from './flat-tree.js';
import { anyState } from './grammars.js';
import { mayStand } from './parse-table.js';

/**
 * Which kinds stand where in this very file: parent's kind, field, child's kind. Where the parse tables know nothing (an
 * ambiguous place) or there are none, what was seen elsewhere in the file may stand here too.
 */
export interface Seen {
  fits(node: number, other: number): boolean;
}

export function seenIn(outline: Outline): Seen {
  const key = (place: number, kind: number): number => {
    const above = outline.parent[place]!;
    const parentKind = above < 0 ? 0xffff : outline.kind[above]!;
    return ((outline.tongue[place]! * 65536 + parentKind) * 256 + (outline.field[place]! & 255)) * 65536 + kind;
  };
  const known = new Set<number>();
  for (let node = 0; node < outline.count; node++) known.add(key(node, outline.kind[node]!));
  return {
    fits(node, other) {
      if (outline.tongue[node] !== outline.tongue[other] || isTagPart(outline, other)) return false;
      if (outline.kind[node] === outline.kind[other]) return true;
      if (mayStand(outline, node, outline.symbol[other]!)) return true;
      const isAmbiguous = outline.state[node] === anyState || outline.state[node] === 0;
      return isAmbiguous && known.has(key(node, outline.kind[other]!));
    },
  };
}

/** A node whose children stand between an opening and a closing part. */
export interface Bracketed {
  readonly first: number;
  readonly last: number;
  /** The room between the opening and the closing part. */
  readonly start: number;
  readonly end: number;
  readonly inside: readonly number[];
}

const tag = /^(start_tag|end_tag|STag|ETag|jsx_(opening|closing)_(element|fragment))$/;
export const isTagKind = (kind: string): boolean => tag.test(kind);
/** An opening or closing tag, which makes sense only with its other half. */
export const isTagPart = (outline: Outline, node: number): boolean =>
  isNamed(outline, node) && tag.test(kindOf(outline, node));

const openings = /^([([{<"'`]|\[\[|\$\(|\$\{|#\{|begin|do|then|\|)/;

export function bracketed(outline: Outline, node: number): Bracketed | undefined {
  const first = node + 1;
  if (outline.past[node]! <= first || !isDelimiter(outline, first)) return undefined;
  const children = childrenOf(outline, node);
  const last = children[children.length - 1]!;
  if (last === first || !isDelimiter(outline, last)) return undefined;
  if (!isNamed(outline, first) && !openings.test(outline.text.slice(outline.start[first], outline.end[first])))
    return undefined;
  const inside = children.slice(1, -1);
  return { first, last, start: outline.end[first]!, end: outline.start[last]!, inside };
}

const isDelimiter = (outline: Outline, node: number): boolean =>
  isNamed(outline, node) ? tag.test(kindOf(outline, node)) : outline.past[node] === node + 1;

/** Named descendants down to `depth`, nearest first, at most `most`. */
export function within(outline: Outline, node: number, depth: number, most: number): number[] {
  const found: number[] = [];
  let rank = [node];
  for (let d = 0; d < depth && rank.length > 0 && found.length < most; d++) {
    const next: number[] = [];
    for (const one of rank)
      for (let child = one + 1; child < outline.past[one]! && found.length < most; child = outline.past[child]!) {
        if (next.length > 64) break;
        next.push(child);
        if (isNamed(outline, child) && !isComment(outline, child) && sizeOf(outline, child) > 0) found.push(child);
      }
    rank = next;
  }
  return found;
}
