/** The branches of a condition, one after the other: `if`, each `else if`, `else`. */
import { addAll } from '../../core/lists.js';
import { childAt, childrenOf, type FlatTree, fieldOf, is, partsOf, textOf } from '../flat-tree.js';

export interface Arm {
  readonly node: number;
  /** Empty for `else`. */
  readonly condition: string;
  /** Where what it does ends. */
  readonly end: number;
}

/** Empty if the node is no condition. */
export function armsOf(tree: FlatTree, node: number): readonly Arm[] {
  const [condition, consequence] = [childAt(tree, node, 'condition'), childAt(tree, node, 'consequence')];
  if (condition === undefined || consequence === undefined) return [];
  const arms: Arm[] = [{ node, condition: textOf(tree, condition), end: tree.end[consequence]! }];
  for (const other of childrenOf(tree, node).filter(child => fieldOf(tree, child) === 'alternative')) {
    const isArm = armsOf(tree, other);
    // In some languages `else` has a node of its own around what it does, in others it has not.
    const inner = isArm.length > 0 || !is(tree, other, 'elseBranch') ? other : (partsOf(tree, other).at(-1) ?? other);
    const chained = armsOf(tree, inner);
    addAll(arms, chained.length > 0 ? chained : [{ node: other, condition: '', end: tree.end[other]! }]);
  }
  return arms;
}
