/** What is left of a function that is not called, in languages whose compilers insist on its type. */
import { childAt, type FlatTree, kindOf } from '../flat-tree.js';

/** This body, if the function says in this field what it returns. */
export const ifItReturns =
  (field: string, body: string) =>
  (tree: FlatTree, node: number): string | undefined => {
    const type = childAt(tree, node, field);
    return type === undefined || kindOf(tree, type) === 'void_type' ? undefined : body;
  };
