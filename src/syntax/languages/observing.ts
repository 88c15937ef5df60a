/** Where the expressions of a language are only values, so that a function call around them changes nothing. */
import { type FlatTree, fieldOf, kindOf } from '../flat-tree.js';
import type { Observation } from '../observed.js';

export interface ObservedPlaces {
  /** Expressions whose value may be plain, and that are not as short as a literal. */
  readonly kinds: RegExp;
  /** Where an expression is only a value: as a child of these, or in a field of these. */
  readonly holds: ReadonlyMap<string, RegExp>;
  /** What adds nothing to the value of its only part: it is only as good as its own place. */
  readonly transparent: RegExp;
  /** Exceptions. */
  isLeftOut?(tree: FlatTree, node: number): boolean;
  readonly around: Observation['around'];
}

export const observing = ({ kinds, holds, transparent, isLeftOut, around }: ObservedPlaces): Observation => {
  const isValue = (tree: FlatTree, node: number): boolean => {
    const above = tree.parent[node]!;
    if (above < 0) return false;
    const kind = kindOf(tree, above);
    return transparent.test(kind) ? isValue(tree, above) : holds.get(kind)?.test(fieldOf(tree, node)) === true;
  };
  return {
    canReport: (tree, node) =>
      kinds.test(kindOf(tree, node)) && isValue(tree, node) && isLeftOut?.(tree, node) !== true,
    around,
  };
};
