/** Merges small deletions into larger ones. */
import { type Edit, gainOf } from '../../core/edits.js';

/**
 * Edits of which each takes at least `least` characters away. Small deletions that stand side by side go together; one that
 * lies in another small one goes with it; a rest that is too small for an edit is left for later.
 */
export function coarse(edits: readonly Edit[], least: number): readonly Edit[] {
  const large = edits.filter(edit => gainOf(edit) >= least);
  const edges = large.flatMap(edit => [startOf(edit), endOf(edit)]).sort((a, b) => a - b);
  const groups: Edit[] = [];
  let members: Edit[] = [];
  let gain = 0;
  let edge = 0;
  const close = (): void => {
    if (gain >= least)
      groups.push({ spans: members.flatMap(({ spans }) => spans), label: `delete ${members.length} neighbours` });
    members = [];
    gain = 0;
  };
  for (const edit of outermost(edits.filter(one => gainOf(one) < least))) {
    const last = members.at(-1);
    // Neighbours only: none of them lies in a large part in which another one does not.
    if (last !== undefined) {
      while (edge < edges.length && edges[edge]! < endOf(last)) edge++;
      if (edge < edges.length && edges[edge]! <= startOf(edit)) close();
    }
    members.push(edit);
    gain += gainOf(edit);
    if (gain >= least) close();
  }
  close();
  return [...large, ...groups].sort((a, b) => endOf(a) - endOf(b) || startOf(b) - startOf(a));
}

const startOf = (edit: Edit): number => edit.spans[0]!.start;
const endOf = (edit: Edit): number => edit.spans.at(-1)!.end;

function outermost(edits: readonly Edit[]): readonly Edit[] {
  const kept: Edit[] = [];
  let end = -1;
  for (const edit of [...edits].sort((a, b) => startOf(a) - startOf(b) || endOf(b) - endOf(a))) {
    if (startOf(edit) < end) continue;
    kept.push(edit);
    end = endOf(edit);
  }
  return kept;
}
