/** Groups small deletions of a large text, so that each question removes enough of it to be worth a test. */
import { disjoint } from '../../syntax/text-cut.js';
import { type Edit, gainOf, type Span } from '../edits.js';

/**
 * Edits that each remove at least as many characters as `leastAt` says for their place. Neighbouring small deletions form a
 * group. A group is a union of whole deltas: half a declaration removed with its neighbour would only break the text. A
 * remainder that is too small for a group is left for later.
 */
export function groupEdits(edits: readonly Edit[], leastAt: (start: number) => number): readonly Edit[] {
  const isLarge = (edit: Edit): boolean => gainOf(edit) >= leastAt(startOf(edit));
  const large = edits.filter(isLarge);
  const edges = large.flatMap(edit => [startOf(edit), endOf(edit)]).sort((a, b) => a - b);
  const groups: Edit[] = [];
  let spans: readonly Span[] = [];
  let members = 0;
  let edge = 0;
  const close = (): void => {
    const group = { spans, label: `delete ${members} neighbours` };
    if (spans.length > 0 && isLarge(group)) groups.push(group);
    spans = [];
    members = 0;
  };
  for (const edit of outermost(edits.filter(one => !isLarge(one)))) {
    const last = spans.at(-1);
    // Neighbours only: none of them is in a large part that does not contain the others.
    if (last !== undefined) {
      while (edge < edges.length && edges[edge]! < last.end) edge++;
      if (edge < edges.length && edges[edge]! <= startOf(edit)) close();
    }
    spans = disjoint([...spans, ...edit.spans]);
    members++;
    if (isLarge({ spans })) close();
  }
  close();
  return [...large, ...groups].sort((a, b) => endOf(a) - endOf(b) || startOf(b) - startOf(a));
}

/**
 * The largest parts of at most `most` characters, of which none contains another. A half of them is a union of whole
 * parts. In a list of parts and of the parts inside them, the middle is inside a part, and everything but its shell would be removed; and
 * the last one, which contains all others, would be in the second half.
 */
export const wholeParts = (edits: readonly Edit[], most: number): readonly Edit[] =>
  outermost(edits.filter(edit => gainOf(edit) <= most));

const startOf = (edit: Edit): number => edit.spans[0]!.start;
const endOf = (edit: Edit): number => edit.spans.at(-1)!.end;

/** Without the edits that are inside another one. Two that share only a blank both stay. */
function outermost(edits: readonly Edit[]): readonly Edit[] {
  const kept: Edit[] = [];
  let end = -1;
  for (const edit of [...edits].sort((a, b) => startOf(a) - startOf(b) || endOf(b) - endOf(a))) {
    if (endOf(edit) <= end) continue;
    kept.push(edit);
    end = endOf(edit);
  }
  return kept;
}
