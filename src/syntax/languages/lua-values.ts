/** Which expressions of Lua can report their values. */
import { type FlatTree, fieldOf, kindOf } from '../flat-tree.js';
import { observing } from './observing.js';

export const luaValues = observing({
  kinds:
    /^(identifier|function_call|dot_index_expression|bracket_index_expression|binary_expression|unary_expression)$/,
  holds: new Map([
    ['arguments', /^$/],
    ['expression_list', /^(value)?$/],
    ['field', /^value$/],
    ['binary_expression', /^(left|right)$/],
    ['unary_expression', /^operand$/],
    ['if_statement', /^condition$/],
    ['elseif_statement', /^condition$/],
    ['while_statement', /^condition$/],
    ['repeat_statement', /^condition$/],
    ['for_numeric_clause', /^(start|end|step)$/],
    ['bracket_index_expression', /^(table|field)$/],
    ['dot_index_expression', /^table$/],
    ['method_index_expression', /^table$/],
  ]),
  transparent: /^parenthesized_expression$/,
  isLeftOut: (tree, node) => isLeftSide(tree, node) || isIterator(tree, node),
  // Whatever else it is given is returned too: `f(g())` passes on all that `g` returns.
  around: id => [`__culprit_value(${id},`, ')'],
});

/** `a.b = 1`, and `function a.b()`: only a path may be there. */
function isLeftSide(tree: FlatTree, node: number): boolean {
  let top = node;
  while (fieldOf(tree, top) === 'table') top = tree.parent[top]!;
  return top !== node && fieldOf(tree, top) === 'name' && kindOf(tree, tree.parent[top]!) !== 'function_call';
}

/** `in pairs(t)`: three values that are used up, none of them plain. */
const isIterator = (tree: FlatTree, node: number): boolean =>
  kindOf(tree, tree.parent[tree.parent[node]!] ?? 0) === 'for_generic_clause';
