/** Whether a name is introduced at a place: as the name of a declaration, a parameter, a key or a label. */
import { childAt, type FlatTree, fieldOf, is } from './flat-tree.js';

const naming = new Set(['name', 'declarator', 'alias', 'pattern', 'parameter', 'parameters', 'key', 'label', 'left']);

export function isIntroduced(tree: FlatTree, leaf: number): boolean {
  let node = leaf;
  for (let up = 0; up < 6; up++) {
    const above = tree.parent[node]!;
    if (above < 0) return false;
    const field = fieldOf(tree, node);
    if (is(tree, above, 'referring')) return false;
    // Of `a as b`, only `b` is a name here.
    if (field === 'name' && childAt(tree, above, 'alias') !== undefined) return false;
    if (
      is(tree, above, 'introducing') &&
      (naming.has(field) || (field === '' && is(tree, above, 'introducingAnywhere')))
    )
      return true;
    if (is(tree, above, 'tagPart') || !(naming.has(field) || field === '')) return false;
    if (is(tree, above, 'opaque')) return false;
    node = above;
  }
  return false;
}
