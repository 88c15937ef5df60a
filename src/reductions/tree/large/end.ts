/** Removes small parts at the end of a program, where the rest of it is used. */
import type { Edit } from '../../../syntax/edit.js';
import { type FlatTree, grammarAt } from '../../../syntax/flat-tree.js';
import { removals } from '../../../syntax/removals.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { removal } from '../delete.js';
import { leavesHead } from '../delete-by-depth.js';
import type { TextPass } from '../pass.js';

/** The end is this fraction of the text. */
const endShare = 32;

/**
 * Nodes at the end of the code, of every depth. The last lines of a program use what is
 * before them, and keep it alive: a small script at the end of a page keeps a large library. As long as they are as they were,
 * hardly anything before them can be removed.
 */
export function endOfCode(syntax: Syntax): TextPass {
  return {
    name: 'end',
    async edits(text) {
      const tree = await syntax.tree(text);
      const end = endOfNames(tree);
      const from = endStart(text, end);
      const isThere = (start: number): boolean => start >= from && start < end;
      return removals(tree)
        .filter(one => isThere(one.start) && !leavesHead(tree, one.node))
        .map(one => removal(tree, one))
        .sort(byEnd);
    },
  };
}

/** Where the end of a text begins, if its code ends at `end`. */
export const endStart = (text: string, end: number): number =>
  Math.max(0, end - Math.min(mostEnd, Math.max(text.length / endShare, leastEnd)));

const leastEnd = 1_000;
/** What people write after a library is seldom longer. */
const mostEnd = 8_000;

/** Where the last part in a language with names ends: in a page, its last script. */
function endOfNames(tree: FlatTree): number {
  let node = tree.count - 1;
  while (node > 0 && grammarAt(tree, node).language.names !== true) node--;
  return node > 0 ? tree.end[node]! : 0;
}

/** Each edit after those inside it. */
const byEnd = (a: Edit, b: Edit): number => endOf(a) - endOf(b) || startOf(b) - startOf(a);
const startOf = (edit: Edit): number => edit.spans[0]!.start;
const endOf = (edit: Edit): number => edit.spans.at(-1)!.end;
