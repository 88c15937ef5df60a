/** Removable nodes of a few neighbouring depths. */
import { removals } from '../../syntax/removals.js';
import type { Syntax } from '../../syntax/syntax.js';
import { removal } from './delete.js';
import type { TextPass } from './pass.js';

/**
 * Removable nodes of a few neighbouring levels, each node after its descendants. A sweep from the end asks for the last
 * outer node first; if that one is needed, it looks inside it before it continues with earlier nodes. So the uses in a
 * needed node are removed before their definitions, which come earlier, are tried. Level by level (HDD), every definition
 * that a needed node still mentions would be kept until the whole walk begins again.
 */
export function deleteByDepth(syntax: Syntax, from: number, to: number): TextPass {
  return {
    name: 'node',
    async edits(text) {
      const tree = await syntax.tree(text);
      return removals(tree)
        .filter(one => one.level >= from && one.level <= to)
        .sort((a, b) => a.end - b.end || b.start - a.start || a.level - b.level)
        .map(one => removal(tree, one));
    },
  };
}
