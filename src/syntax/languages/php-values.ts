/** Which expressions of PHP can report their values. */
import { childAt, type FlatTree, kindOf, textOf } from '../flat-tree.js';
import { observing } from './observing.js';

export const phpValues = observing({
  kinds:
    /^(variable_name|subscript_expression|member_access_expression|function_call_expression|member_call_expression|scoped_call_expression|binary_expression|unary_op_expression|conditional_expression|cast_expression|encapsed_string)$/,
  holds: new Map([
    ['argument', /^$/],
    ['array_element_initializer', /^$/],
    ['return_statement', /^$/],
    ['echo_statement', /^$/],
    ['print_intrinsic', /^$/],
    ['sequence_expression', /^$/],
    ['assignment_expression', /^right$/],
    ['augmented_assignment_expression', /^right$/],
    ['binary_expression', /^(left|right)$/],
    ['unary_op_expression', /^argument$/],
    ['conditional_expression', /^/],
    ['cast_expression', /^value$/],
    ['case_statement', /^value$/],
    ['subscript_expression', /^$/],
    ['member_call_expression', /^name$/],
    ['member_access_expression', /^name$/],
    ['if_statement', /^condition$/],
    ['else_if_clause', /^condition$/],
    ['while_statement', /^condition$/],
    ['do_statement', /^condition$/],
    ['switch_statement', /^condition$/],
    ['arrow_function', /^body$/],
  ]),
  transparent: /^parenthesized_expression$/,
  isLeftOut: (tree, node) => mayBeReference(tree, node) || isConstant(tree, node) || isPlace(tree, node),
  around: id => [`__culprit_value(${id},`, ')'],
});

const place = /^(variable_name|subscript_expression|member_access_expression)$/;

/** A function may change what it is given, and an array may hold a reference; `isset` and `??` ask about the place itself. */
function mayBeReference(tree: FlatTree, node: number): boolean {
  if (!place.test(kindOf(tree, node))) return false;
  const above = tree.parent[node]!;
  const operator = childAt(tree, above, 'operator');
  return (
    /^(argument|array_element_initializer)$/.test(kindOf(tree, above)) ||
    (operator !== undefined && textOf(tree, operator) === '??')
  );
}

/** What is indexed, and a name without braces: only the index, and what is in braces, are values. */
function isPlace(tree: FlatTree, node: number): boolean {
  const above = tree.parent[node]!;
  const kind = kindOf(tree, above);
  if (kind === 'subscript_expression') return tree.start[node] === tree.start[above];
  return /^member_/.test(kind) && tree.text[tree.start[node]! - 1] !== '{';
}

const declared =
  /^(const_element|property_element|property_initializer|simple_parameter|property_promotion_parameter|static_variable_declaration|attribute|enum_case)$/;
const body = /^(compound_statement|program|arrow_function)$/;

/** A declared value is computed before anything can be called. */
function isConstant(tree: FlatTree, node: number): boolean {
  for (let at = tree.parent[node]!; at > 0 && !body.test(kindOf(tree, at)); at = tree.parent[at]!)
    if (declared.test(kindOf(tree, at))) return true;
  return false;
}
