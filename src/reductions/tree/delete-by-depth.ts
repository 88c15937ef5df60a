/** Removable nodes of a few neighbouring depths. */
import { bracketed } from '../../syntax/delimiters.js';
import { type FlatTree, fieldOf, grammarAt, is } from '../../syntax/flat-tree.js';
import { isFunction } from '../../syntax/functions.js';
import { type Removal, removals } from '../../syntax/removals.js';
import type { Syntax } from '../../syntax/syntax.js';
import { removal } from './delete.js';
import type { TextPass } from './pass.js';

/** The body of a function: in most languages, what is left of the function would be an error. It can be emptied instead. */
export function leavesHead(tree: FlatTree, node: number): boolean {
  if (fieldOf(tree, node) !== 'body') return false;
  const { mayBeEmpty } = grammarAt(tree, node).language;
  return !mayBeEmpty || (isFunction(tree, tree.parent[node]!) && bracketed(tree, node) !== undefined);
}

/**
 * Removable nodes of a few neighbouring levels, each node after its descendants. A sweep from the end asks for the last
 * outer node first; if that one is needed, it looks inside it before it continues with earlier nodes. So the uses in a
 * needed node are removed before their definitions, which come earlier, are tried. Level by level (HDD), every definition
 * that a needed node still mentions would be kept until the whole walk begins again.
 */
export const deleteByDepth = (syntax: Syntax, from: number, to: number): TextPass =>
  deleteSome(syntax, (_, one) => one.level >= from && one.level <= to);

/** Statements, declarations and members of any depth, in the same order. */
export const deleteStatements = (syntax: Syntax): TextPass =>
  deleteSome(syntax, (tree, { node }) => is(tree, node, 'listed') && !is(tree, tree.parent[node]!, 'parameters'));

const deleteSome = (syntax: Syntax, isWanted: (tree: FlatTree, one: Removal) => boolean): TextPass => ({
  name: 'node',
  async edits(text) {
    const tree = await syntax.tree(text);
    return removals(tree)
      .filter(one => isWanted(tree, one) && !leavesHead(tree, one.node))
      .sort((a, b) => a.end - b.end || b.start - a.start || a.level - b.level)
      .map(one => removal(tree, one));
  },
});
