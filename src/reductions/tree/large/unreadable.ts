/** Removes lines of what a grammar cannot read. */
import type { Edit } from '../../../syntax/edit.js';
import { type FlatTree, isError, sizeOf } from '../../../syntax/flat-tree.js';
import type { Syntax } from '../../../syntax/syntax.js';
import type { TextPass } from '../pass.js';

/** A smaller part of the text is removed as quickly by other passes. */
const leastShare = 8;

const endOfLine = /\r\n|\n|\r|$/g;

/**
 * A grammar that meets what it does not know (a dialect, a newer version, a template) may take most of a text for one error: a
 * node with everything behind it, and with few parts of its own. Nodes are then all or next to nothing, and lines are not.
 */
export function unreadableLines(syntax: Syntax): TextPass {
  return {
    name: 'unreadable line',
    async edits(text) {
      if (syntax.grammar === undefined) return [];
      const tree = await syntax.tree(text);
      return outermostErrors(tree)
        .filter(node => sizeOf(tree, node) * leastShare >= text.length)
        .flatMap(node => linesIn(text, tree.start[node]!, tree.end[node]!));
    },
  };
}

function outermostErrors(tree: FlatTree): readonly number[] {
  const found: number[] = [];
  for (let node = 0; node < tree.count; node++) {
    if (!isError(tree, node)) continue;
    found.push(node);
    node = tree.past[node]! - 1;
  }
  return found;
}

function linesIn(text: string, from: number, to: number): readonly Edit[] {
  const edits: Edit[] = [];
  let start = from;
  endOfLine.lastIndex = from;
  while (start < to) {
    const found = endOfLine.exec(text)!;
    const end = Math.min(to, found.index + found[0].length);
    if (end > start) edits.push({ spans: [{ start, end, text: '' }], label: 'delete unreadable line' });
    start = end;
    endOfLine.lastIndex = end;
  }
  return edits;
}
