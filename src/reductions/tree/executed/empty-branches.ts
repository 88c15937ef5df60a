/** Removes statements whose branches do nothing. */
import { type FlatTree, grammarAt, is, isNamed, kindOf, partsOf, textOf } from '../../../syntax/flat-tree.js';
import { isFunction } from '../../../syntax/functions.js';
import { smallestOf } from '../../../syntax/languages/profile.js';
import { removals } from '../../../syntax/removals.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { removal } from '../delete.js';
import type { TextPass } from '../pass.js';

/**
 * `if (a > b) {}`, and loops over nothing: after everything that did not run is emptied, a program is full of them. They compute a condition for nobody, so
 * nearly all of them go together.
 */
export const emptyBranches = (syntax: Syntax): TextPass => ({
  name: 'empty branch',
  async edits(text) {
    const tree = await syntax.tree(text);
    return removals(tree)
      .filter(({ node }) => is(tree, node, 'holdsStatement') && is(tree, node, 'statement') && isIdle(tree, node))
      .map(one => removal(tree, one));
  },
});

/** Whether it has branches, and all of them are empty. */
function isIdle(tree: FlatTree, node: number): boolean {
  let branches = 0;
  for (let inside = node + 1; inside < tree.past[node]!; ) {
    if (isFunction(tree, inside)) return false;
    if (!isNamed(tree, inside) || !is(tree, inside, 'statementList')) {
      inside++;
      continue;
    }
    if (!doesNothing(tree, inside)) return false;
    branches++;
    inside = tree.past[inside]!;
  }
  return branches > 0;
}

function doesNothing(tree: FlatTree, block: number): boolean {
  const least = smallestOf(grammarAt(tree, block).language, kindOf(tree, block));
  return partsOf(tree, block).every(
    part => textOf(tree, part) === least || (is(tree, part, 'holdsStatement') && isIdle(tree, part)),
  );
}
