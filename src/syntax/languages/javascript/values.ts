/** Which expressions of JavaScript can report their values. */
import { childAt, type FlatTree, fieldOf, kindOf, textOf } from '../../flat-tree.js';
import type { Observation } from '../../observed.js';

/** Expressions whose value may be plain, and that are not as short as a literal. */
const kinds =
  /^(identifier|member_expression|subscript_expression|call_expression|binary_expression|unary_expression|ternary_expression|template_string|assignment_expression|await_expression)$/;

/** Where an expression is only a value: as a child of these, or in a field of these. */
const holds = new Map<string, RegExp>([
  ['arguments', /^$/],
  ['array', /^$/],
  ['return_statement', /^$/],
  ['throw_statement', /^$/],
  ['sequence_expression', /^/],
  ['template_substitution', /^$/],
  ['jsx_expression', /^$/],
  ['variable_declarator', /^value$/],
  ['field_definition', /^value$/],
  ['assignment_pattern', /^right$/],
  ['assignment_expression', /^right$/],
  ['augmented_assignment_expression', /^right$/],
  ['binary_expression', /^(left|right)$/],
  ['ternary_expression', /^(condition|consequence|alternative)$/],
  ['pair', /^value$/],
  ['arrow_function', /^body$/],
  ['for_statement', /^condition$/],
  ['subscript_expression', /^(index|object)$/],
  ['member_expression', /^object$/],
  ['unary_expression', /^argument$/],
]);

/** They test what is in brackets. */
const tests = /^(if_statement|while_statement|do_statement|switch_statement)$/;

export const javascriptValues: Observation = {
  canReport: (tree, node) => kinds.test(kindOf(tree, node)) && isOwnWord(tree, node) && isValue(tree, node),
  around: id => [`__culprit_value(${id},`, ')'],
};

/** Not one letter, and not a word that means a value already. */
const isOwnWord = (tree: FlatTree, node: number): boolean =>
  kindOf(tree, node) !== 'identifier' || !/^(.|undefined|NaN|Infinity|arguments)$/.test(textOf(tree, node));

function isValue(tree: FlatTree, node: number): boolean {
  const above = tree.parent[node]!;
  if (above < 0) return false;
  const kind = kindOf(tree, above);
  const field = fieldOf(tree, node);
  // `(o.f)()` is still a call of a method, so brackets are only as good as where they are.
  if (kind === 'parenthesized_expression') return tests.test(kindOf(tree, tree.parent[above]!)) || isValue(tree, above);
  if (kind === 'unary_expression' && /^(delete|typeof)$/.test(operatorOf(tree, above))) return false;
  // In `a?.b.c`, nothing is read if there is no `a`; in `new a.b()`, a call would end what is constructed.
  if (field === 'object' && (textOf(tree, node).includes('?.') || isConstructed(tree, above))) return false;
  return holds.get(kind)?.test(field) === true;
}

const operatorOf = (tree: FlatTree, node: number): string => {
  const operator = childAt(tree, node, 'operator');
  return operator === undefined ? '' : textOf(tree, operator);
};

/** Whether it is the beginning of what stands behind `new`, or behind `@`. */
function isConstructed(tree: FlatTree, node: number): boolean {
  let top = node;
  while (fieldOf(tree, top) === 'object') top = tree.parent[top]!;
  return fieldOf(tree, top) === 'constructor' || kindOf(tree, tree.parent[top]!) === 'decorator';
}
