import type { Edit, Span } from '../../syntax/edit.js';
import { compact, placed, shrinks } from '../../syntax/expressions.js';
import { childrenOf, fieldOf, isLeaf, kindOf, type Outline, sizeOf, textOf } from '../../syntax/flat-tree.js';
import { isIdentifier } from '../../syntax/names.js';
import { declarationSpans, type RemovalTable, removalTable } from '../../syntax/repair.js';
import type { Syntax } from '../../syntax/syntax.js';
import { cut, disjoint, put } from '../../syntax/text-cut.js';
import { assignmentAt, isMember, isWritten, type Usage, usageOf } from '../../syntax/usage.js';
import type { TextPass } from './pass.js';

/**
 * A value goes where it is read, and the assignment that brought it there goes. What an assignment brings is read from its
 * end up to the end of the next one to the same place, in the order of the text: loops and calls may see that otherwise,
 * and the test tells. A place is a variable, or an access that is spelled the same. A property that gets a value only once is
 * one place, whatever stands before its dot.
 */
export function flow(syntax: Syntax): TextPass {
  return {
    name: 'value in place',
    async edits(text) {
      const outline = await syntax.outline(text);
      const usage = await usageOf(syntax, outline);
      const table = removalTable(outline);
      const writes = writesIn(outline);
      const byPlace = new Map(writes.map(write => [write.place, write]));
      const accesses = accessesIn(outline, writes);
      const edits: Edit[] = [];
      const seen = new Set<string>();
      const offer = (write: Write, reads: readonly number[]): void => {
        const size = compact(textOf(outline, write.value));
        // As `a=…;` once and `a` for every reader it would be no longer.
        if (reads.length === 0 || (reads.length > 1 && reads.length * size > reads.length + size + 3)) return;
        const gone = goneWith(outline, table, write);
        const spans = [...gone, ...reads.map(read => moved(outline, write.value, read))];
        const place = textOf(outline, write.place);
        const edit = { spans: disjoint(spans), label: `put ${place.slice(0, 40)} in place` };
        const key = JSON.stringify(edit.spans);
        if (edit.spans.length < spans.length || !shrinks(text, edit, place, reads.length + 1) || seen.has(key)) return;
        seen.add(key);
        edits.push(edit);
      };
      for (const write of writes) {
        const own = occurrences(outline, usage, accesses, write.place);
        const isSettled = isLeaf(outline, write.place) && usage.bindingOf(write.place) !== undefined;
        // What is declared once and never written again is moved together with its declaration, in another pass.
        if (!(isSettled && own.filter(one => isWritten(outline, one) || isSet(outline, one)).length < 2))
          offer(write, readsOf(outline, byPlace, own, write));
        const member = memberOf(outline, write.place);
        if (member !== undefined) offer(write, onlyReads(outline, usage.alike(member), member));
      }
      return edits;
    },
  };
}

/** A place gets a value. */
interface Write {
  /** The assignment, the declarator, or the pair. */
  readonly node: number;
  readonly place: number;
  readonly value: number;
}

function writesIn(outline: Outline): readonly Write[] {
  const found: Write[] = [];
  for (let node = 1; node < outline.count; node++) {
    const assigned = assignmentAt(outline, node);
    if (assigned !== undefined) found.push({ node, place: assigned.left, value: assigned.right });
    else if (/^(variable_declarator|init_declarator|pair)$/.test(kindOf(outline, node))) {
      const children = childrenOf(outline, node);
      const place = children.find(child => /^(name|declarator|key)$/.test(fieldOf(outline, child)));
      const value = children.find(child => fieldOf(outline, child) === 'value');
      if (place !== undefined && value !== undefined && isIdentifier(outline, place))
        found.push({ node, place, value });
    }
  }
  return found;
}

/** The name of a declarator that gives it a value. */
const isSet = (outline: Outline, place: number): boolean =>
  /^(variable_declarator|init_declarator)$/.test(kindOf(outline, outline.parent[place]!)) &&
  /^(name|declarator)$/.test(fieldOf(outline, place));

/** Accesses like `a.b` and `a[0]` that are written to somewhere, by their spelling. */
function accessesIn(outline: Outline, writes: readonly Write[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  for (const { place } of writes) if (!isLeaf(outline, place)) found.set(textOf(outline, place), []);
  if (found.size > 0)
    for (let node = 1; node < outline.count; node++)
      if (/member|subscript|field_expression|attribute|index_expression/.test(kindOf(outline, node)))
        found.get(textOf(outline, node))?.push(node);
  return found;
}

const occurrences = (
  outline: Outline,
  usage: Usage,
  accesses: ReadonlyMap<string, readonly number[]>,
  place: number,
): readonly number[] => {
  if (isMember(outline, place)) return [];
  if (isIdentifier(outline, place)) return usage.alike(place);
  return isLeaf(outline, place) ? [] : (accesses.get(textOf(outline, place)) ?? []);
};

/** What reads the value before another one takes its place; nothing where it is counted up, or read and written at once. */
function readsOf(
  outline: Outline,
  writes: ReadonlyMap<number, Write>,
  own: readonly number[],
  { node, place }: Write,
): readonly number[] {
  const after = own.filter(one => outline.start[one]! >= outline.end[node]! && one !== place);
  let end = Number.POSITIVE_INFINITY;
  for (const one of after) {
    const other = writes.get(one);
    if (other !== undefined) end = Math.min(end, outline.end[other.node]!);
    else if (isWritten(outline, one)) {
      if (outline.start[one]! < end) return [];
    }
  }
  return after.filter(one => outline.end[one]! <= end && !writes.has(one));
}

/** The property's name in `a.b`, or the key of a pair. */
function memberOf(outline: Outline, place: number): number | undefined {
  const leaf = outline.past[place]! - 1;
  return isMember(outline, leaf) && (leaf === place || outline.parent[leaf] === place) ? leaf : undefined;
}

/** The accesses of a property that nothing else gives a value to. */
function onlyReads(outline: Outline, leaves: readonly number[], own: number): readonly number[] {
  const reads: number[] = [];
  for (const leaf of leaves) {
    if (leaf === own) continue;
    const access = outline.parent[leaf]!;
    if (fieldOf(outline, leaf) !== 'property' || isWritten(outline, access)) return [];
    reads.push(access);
  }
  return reads;
}

/** The assignment goes; where its value is needed, it stays as the value alone. */
function goneWith(outline: Outline, table: RemovalTable, { node, place, value }: Write): readonly Span[] {
  const { text, start, end } = outline;
  if (/declarator$/.test(kindOf(outline, node))) return [cut(text, end[place]!, end[value]!)];
  const isBare =
    kindOf(outline, node) === 'pair' ||
    /^(expression_statement|sequence_expression|comma_expression)$/.test(kindOf(outline, outline.parent[node]!));
  const spans = !isBare ? undefined : declarationSpans(outline, table, { name: '', definitions: [place], uses: [] });
  const size = spans?.reduce((sum, span) => sum + text.slice(span.start, span.end).trim().length, 0) ?? 0;
  if (spans !== undefined && size <= sizeOf(outline, node) + 2) return spans;
  return [put(text, start[node]!, end[node]!, placed(outline, value, textOf(outline, value), node))];
}

function moved(outline: Outline, value: number, read: number): Span {
  const text = placed(outline, value, textOf(outline, value), read);
  const shown = /^shorthand/.test(kindOf(outline, read)) ? `${textOf(outline, read)}:${text}` : text;
  return put(outline.text, outline.start[read]!, outline.end[read]!, shown);
}
