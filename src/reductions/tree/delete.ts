/** Nodes that can be left out, one by one or level by level. */
import type { Edit } from '../../syntax/edit.js';
import { type FlatTree, kindOf } from '../../syntax/flat-tree.js';
import { type Removal, removals } from '../../syntax/removals.js';
import type { Syntax } from '../../syntax/syntax.js';
import { cut } from '../../syntax/text-cut.js';
import type { TextPass } from './pass.js';

/**
 * Hierarchical delta debugging (Misherghi and Su 2006), coarse form: only nodes that can be left out entirely. A level
 * is counted in removable nodes, not in nodes: a node that can't be removed does not add a level.
 */
export function level(syntax: Syntax, depth: number): TextPass {
  return {
    name: `node at level ${depth}`,
    async edits(text) {
      const tree = await syntax.tree(text);
      return removals(tree)
        .filter(one => one.level === depth)
        .map(one => removal(tree, one));
    },
  };
}

/** How many levels there are. */
export async function levelCount(syntax: Syntax, text: string): Promise<number> {
  return removals(await syntax.tree(text)).reduce((most, one) => Math.max(most, one.level + 1), 0);
}

/** Every removable node of at most `largest` bytes. The outermost come last, because a sweep starts at the end. */
export function deletion(syntax: Syntax, largest = Number.POSITIVE_INFINITY): TextPass {
  return {
    name: 'node',
    async edits(text) {
      const tree = await syntax.tree(text);
      return removals(tree)
        .filter(one => one.end - one.start <= largest)
        .sort((a, b) => b.level - a.level || a.start - b.start)
        .map(one => removal(tree, one));
    },
  };
}

export const removal = (tree: FlatTree, one: Removal): Edit => ({
  spans: [cut(tree.text, one.start, one.end)],
  label: `delete ${kindOf(tree, one.node)}`,
});
