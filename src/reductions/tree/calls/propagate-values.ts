/** Moves a value to where it is read. */
import type { Edit, Span } from '../../../syntax/edit.js';
import { compact, shrinks, toReplacement } from '../../../syntax/expressions.js';
import { childrenOf, type FlatTree, fieldOf, is, isLeaf, sizeOf, textOf } from '../../../syntax/flat-tree.js';
import { isIdentifier } from '../../../syntax/names/names.js';
import { declarationSpans, type RemovalTable, removalTable } from '../../../syntax/names/repair.js';
import { assignmentAt, isMember, isWritten, type Usage, usageOf } from '../../../syntax/names/usage.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { cut, disjoint, put } from '../../../syntax/text-cut.js';
import type { TextPass } from '../pass.js';

/**
 * Moves a value to where it is read, and removes the assignment. An assigned value counts as read from its end up to the end
 * of the next assignment to the same place, in the order of the text. Loops and calls may differ, and the test decides. A
 * place is a variable, or an access with the same spelling. A property that is assigned only once is one place, whatever
 * comes before its dot.
 */
export function propagateValues(syntax: Syntax): TextPass {
  return {
    name: 'value in place',
    async edits(text) {
      const tree = await syntax.tree(text);
      const usage = await usageOf(syntax, tree);
      const table = removalTable(tree);
      const writes = writesIn(tree);
      const byPlace = new Map(writes.map(write => [write.place, write]));
      const accesses = accessesIn(tree, writes);
      const edits: Edit[] = [];
      const seen = new Set<string>();
      const offer = (write: Write, reads: readonly number[]): void => {
        const size = compact(textOf(tree, write.value));
        // Not worth it if `a=…;` once and `a` for every reader would be shorter.
        if (reads.length === 0 || (reads.length > 1 && reads.length * size > reads.length + size + 3)) return;
        const gone = goneWith(tree, table, write);
        const spans = [...gone, ...reads.map(read => moved(tree, write.value, read))];
        const place = textOf(tree, write.place);
        const edit = { spans: disjoint(spans), label: `put ${place.slice(0, 40)} in place` };
        const key = JSON.stringify(edit.spans);
        if (edit.spans.length < spans.length || !shrinks(text, edit, place, reads.length + 1) || seen.has(key)) return;
        seen.add(key);
        edits.push(edit);
      };
      for (const write of writes) {
        const own = occurrences(tree, usage, accesses, write.place);
        const isSettled = isLeaf(tree, write.place) && usage.bindingOf(write.place) !== undefined;
        // What is declared once and never written again is moved together with its declaration, in another pass.
        if (!(isSettled && own.filter(one => isWritten(tree, one) || isSet(tree, one)).length < 2))
          offer(write, readsOf(tree, byPlace, own, write));
        const member = memberOf(tree, write.place);
        if (member !== undefined) offer(write, onlyReads(tree, usage.alike(member), member));
      }
      return edits;
    },
  };
}

/** A place gets a value. */
export interface Write {
  /** The assignment, the declarator, or the pair. */
  readonly node: number;
  readonly place: number;
  readonly value: number;
}

export function writesIn(tree: FlatTree): readonly Write[] {
  const found: Write[] = [];
  for (let node = 1; node < tree.count; node++) {
    const assigned = assignmentAt(tree, node);
    if (assigned !== undefined) found.push({ node, place: assigned.left, value: assigned.right });
    else if (is(tree, node, 'nameWithValue')) {
      const children = childrenOf(tree, node);
      const place = children.find(child => /^(name|declarator|key)$/.test(fieldOf(tree, child)));
      const value = children.find(child => fieldOf(tree, child) === 'value');
      if (place !== undefined && value !== undefined && isIdentifier(tree, place)) found.push({ node, place, value });
    }
  }
  return found;
}

/** The name of a declarator that gives it a value. */
const isSet = (tree: FlatTree, place: number): boolean =>
  is(tree, tree.parent[place]!, 'variable') && /^(name|declarator)$/.test(fieldOf(tree, place));

/** Accesses like `a.b` and `a[0]` that are written to somewhere, by their spelling. */
function accessesIn(tree: FlatTree, writes: readonly Write[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const { place } of writes) if (!isLeaf(tree, place)) found.set(textOf(tree, place), []);
  if (found.size > 0)
    for (let node = 1; node < tree.count; node++)
      if (is(tree, node, 'place')) found.get(textOf(tree, node))?.push(node);
  return found;
}

const occurrences = (
  tree: FlatTree,
  usage: Usage,
  accesses: ReadonlyMap<string, readonly number[]>,
  place: number,
): readonly number[] => {
  if (isMember(tree, place)) return [];
  if (isIdentifier(tree, place)) return usage.alike(place);
  // Only other variables: a class may have the same name.
  if (is(tree, place, 'signedName') && !isLeaf(tree, place))
    return usage
      .alike(tree.past[place]! - 1)
      .map(leaf => tree.parent[leaf]!)
      .filter(node => is(tree, node, 'signedName'));
  return isLeaf(tree, place) ? [] : (accesses.get(textOf(tree, place)) ?? []);
};

/** What reads the value before another one replaces it; nothing if it is incremented, or read and written at once. */
function readsOf(
  tree: FlatTree,
  writes: ReadonlyMap<number, Write>,
  own: readonly number[],
  { node, place }: Write,
): readonly number[] {
  const after = own.filter(one => tree.start[one]! >= tree.end[node]! && one !== place);
  let end = Number.POSITIVE_INFINITY;
  for (const one of after) {
    const other = writes.get(one);
    if (other !== undefined) end = Math.min(end, tree.end[other.node]!);
    else if (isWritten(tree, one)) {
      if (tree.start[one]! < end) return [];
    }
  }
  return after.filter(one => tree.end[one]! <= end && !writes.has(one));
}

/** The property's name in `a.b`, or the key of a pair. */
function memberOf(tree: FlatTree, place: number): number | undefined {
  const leaf = tree.past[place]! - 1;
  return isMember(tree, leaf) && (leaf === place || tree.parent[leaf] === place) ? leaf : undefined;
}

/** The accesses of a property that nothing else gives a value to. */
function onlyReads(tree: FlatTree, leaves: readonly number[], own: number): readonly number[] {
  const reads: number[] = [];
  for (const leaf of leaves) {
    if (leaf === own) continue;
    const access = tree.parent[leaf]!;
    if (fieldOf(tree, leaf) !== 'property' || isWritten(tree, access)) return [];
    reads.push(access);
  }
  return reads;
}

/** Removes the assignment; if its value is needed, the value alone stays. */
function goneWith(tree: FlatTree, table: RemovalTable, { node, place, value }: Write): readonly Span[] {
  const { text, start, end } = tree;
  if (is(tree, node, 'variable')) return [cut(text, end[place]!, end[value]!)];
  const isBare = is(tree, node, 'pair') || is(tree, tree.parent[node]!, 'holdsAssignment');
  const spans = !isBare ? undefined : declarationSpans(tree, table, { name: '', definitions: [place], uses: [] });
  const size = spans?.reduce((sum, span) => sum + text.slice(span.start, span.end).trim().length, 0) ?? 0;
  if (spans !== undefined && size <= sizeOf(tree, node) + 2) return spans;
  return [put(text, start[node]!, end[node]!, toReplacement(tree, value, textOf(tree, value), node))];
}

function moved(tree: FlatTree, value: number, read: number): Span {
  const text = toReplacement(tree, value, textOf(tree, value), read);
  const shown = is(tree, read, 'shorthand') ? `${textOf(tree, read)}:${text}` : text;
  return put(tree.text, tree.start[read]!, tree.end[read]!, shown);
}
