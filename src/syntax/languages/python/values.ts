/** Which expressions of Python can report their values. */
import { type FlatTree, fieldOf, kindOf, textOf } from '../../flat-tree.js';
import type { Observation } from '../../observed.js';

const kinds =
  /^(identifier|attribute|subscript|call|binary_operator|boolean_operator|not_operator|unary_operator|comparison_operator|conditional_expression)$/;

/** Where an expression is only a value: as a child of these, or in a field of these. */
const holds = new Map<string, RegExp>([
  ['argument_list', /^$/],
  ['keyword_argument', /^value$/],
  ['default_parameter', /^value$/],
  ['return_statement', /^$/],
  ['assert_statement', /^$/],
  ['assignment', /^right$/],
  ['augmented_assignment', /^right$/],
  ['binary_operator', /^(left|right)$/],
  ['boolean_operator', /^(left|right)$/],
  ['comparison_operator', /^/],
  ['not_operator', /^argument$/],
  ['unary_operator', /^argument$/],
  ['conditional_expression', /^/],
  ['if_statement', /^condition$/],
  ['elif_clause', /^condition$/],
  ['while_statement', /^condition$/],
  ['list', /^$/],
  ['pair', /^(key|value)$/],
  ['lambda', /^body$/],
  ['list_comprehension', /^body$/],
  ['attribute', /^object$/],
  ['subscript', /^(value|subscript)$/],
]);

export const pythonValues: Observation = {
  canReport: (tree, node) => kinds.test(kindOf(tree, node)) && textOf(tree, node).length > 1 && isValue(tree, node),
  // Imported where it is needed: `from __future__` must stay in front.
  around: id => [`__import__('culprit_values').seen(${id},`, ')'],
};

function isValue(tree: FlatTree, node: number): boolean {
  const above = tree.parent[node]!;
  if (above < 0 || isInString(tree, above)) return false;
  const kind = kindOf(tree, above);
  if (kind === 'parenthesized_expression') return isValue(tree, above);
  // Not in `del a, b`.
  if (kind === 'expression_list')
    return fieldOf(tree, above) === 'right' || kindOf(tree, tree.parent[above]!) === 'return_statement';
  // `super()` finds its class by the frame that calls it.
  if (/^super\b/.test(textOf(tree, node))) return false;
  return holds.get(kind)?.test(fieldOf(tree, node)) === true;
}

/** The quotes of the report would end the string. */
function isInString(tree: FlatTree, node: number): boolean {
  for (let at = node; at > 0; at = tree.parent[at]!) if (kindOf(tree, at) === 'interpolation') return true;
  return false;
}
