/** How an expression can replace another one. */
import type { Edit } from './edit.js';
import { type FlatTree, fieldOf, is, isLeaf } from './flat-tree.js';

/** The text of `value` in a form that can replace the node `place`: in brackets if its parts could bind differently. */
export function toReplacement(tree: FlatTree, value: number, text: string, place: number): string {
  const above = tree.parent[place]!;
  if (is(tree, value, 'statementLike')) return opensStatement(tree, place) ? `(${text})` : text;
  // `3.x` would be read as a number followed by a letter.
  if (/^\d+$/.test(text) && fieldOf(tree, place) === 'object') return `(${text})`;
  if (isLeaf(tree, value) || is(tree, value, 'tight') || (is(tree, value, 'construction') && text.endsWith(')')))
    return text;
  if (above >= 0 && is(tree, above, 'around') && fieldOf(tree, place) !== 'left') return text;
  if (fieldOf(tree, place) === 'index') return text;
  return `(${text})`;
}

function opensStatement(tree: FlatTree, place: number): boolean {
  for (let node = place; node > 0 && tree.start[node] === tree.start[place]; node = tree.parent[node]!)
    if (is(tree, tree.parent[node]!, 'opensStatement'))
      return tree.start[tree.parent[node]!] === tree.start[place] || fieldOf(tree, node) === 'body';
  return false;
}

/**
 * Whether an edit makes the text smaller now, and also if the name that it removes from `places` places were one letter
 * long and all whitespace were gone. Later passes do both, but they do not shrink the copies that the edit inserts.
 */
export function shrinks(text: string, { spans }: Edit, name = '', places = 0): boolean {
  let now = 0;
  let later = places > 2 ? -Math.max(0, name.length - 1) * places : 0;
  for (const span of spans) {
    now += span.end - span.start - span.text.length;
    later += compact(text.slice(span.start, span.end)) - compact(span.text);
  }
  return now > 0 && later > 0;
}

export const compact = (text: string): number => text.replace(/\s+/g, '').length;

/** base[start, end) with some of its nodes replaced. The nodes do not overlap. */
export function withReplaced(
  tree: FlatTree,
  start: number,
  end: number,
  replaced: ReadonlyMap<number, string>,
): string {
  const pieces: string[] = [];
  let position = start;
  for (const [node, text] of [...replaced].sort((a, b) => a[0] - b[0])) {
    if (tree.start[node]! < position || tree.end[node]! > end) continue;
    pieces.push(tree.text.slice(position, tree.start[node]), text);
    position = tree.end[node]!;
  }
  pieces.push(tree.text.slice(position, end));
  return pieces.join('');
}
