/** Which expressions of C++ can report their values, and the code with which they do. */
import { onceFor } from '../../../core/once-for.js';
import { childAt, childrenOf, type FlatTree, fieldOf, isNamed, kindOf, textOf } from '../../flat-tree.js';
import type { Observation } from '../../observed.js';
import { afterCode, ownFunction } from './preludes.js';
import { macro, noted, noteValues, returnsNothing } from './values.js';

/**
 * What has a value of its own. A name may be meant as the variable itself: an argument, what a reference is bound to, a field of a few
 * bits.
 */
const kinds = /^(call_expression|binary_expression|unary_expression)$/;

/** Where an expression is only a value: as a child of these, or in a field of these. */
const holds = new Map<string, RegExp>([
  ['argument_list', /^$/],
  ['return_statement', /^$/],
  ['init_declarator', /^value$/],
  ['assignment_expression', /^right$/],
  ['binary_expression', /^(left|right)$/],
  ['unary_expression', /^argument$/],
  ['condition_clause', /^value$/],
  ['do_statement', /^condition$/],
  ['for_statement', /^condition$/],
  ['subscript_argument_list', /^$/],
]);

export const cppValues: Observation = {
  canReport: (tree, node) =>
    kinds.test(kindOf(tree, node)) &&
    !isMisread(tree, node) &&
    isValue(tree, node) &&
    (!mayBeMade(tree, node) || isPlain(tree, node)) &&
    isComputed(tree, node),
  /** The function returns what it was given. */
  around: id => [`__culprit_value(${id},(`, '))'],
  withPrelude: (text, count, isAlone) => afterCode(prelude(count), text, isAlone, '__culprit_note'),
};

/** `a<b>(c)` may be a call of a template, and `!operator==(a)` is a call, whatever the parser took them for. */
function isMisread(tree: FlatTree, node: number): boolean {
  const text = textOf(tree, node);
  if (/#|\b(?:operator|co_await|co_yield)\b/.test(text)) return true;
  return kindOf(tree, node) === 'binary_expression' && /(?<!<)<(?!<)/.test(text) && /(?<![->])>(?!>)/.test(text);
}

function isValue(tree: FlatTree, node: number): boolean {
  const above = tree.parent[node]!;
  if (above < 0) return false;
  const [kind, field] = [kindOf(tree, above), fieldOf(tree, node)];
  if (kind === 'parenthesized_expression') return isValue(tree, above);
  if (kind === 'return_statement' && returnsNothing(tree, above)) return false;
  return holds.get(kind)?.test(field) === true;
}

/** An object is made where it is wanted. If it went through a function, it would be moved, and how that is done may be gone. */
function mayBeMade(tree: FlatTree, node: number): boolean {
  const above = tree.parent[node]!;
  const kind = kindOf(tree, above);
  if (kind === 'parenthesized_expression') return mayBeMade(tree, above);
  if (kind === 'argument_list') return true;
  const declares =
    kind === 'init_declarator' ? tree.parent[above]! : kind === 'return_statement' ? functionOf(tree, above) : 0;
  return declares > 0 && !isPlainType(tree, declares);
}

const plainTypes = /^(primitive_type|sized_type_specifier)$/;
const isPlainType = (tree: FlatTree, declaration: number): boolean =>
  plainTypes.test(kindOf(tree, childAt(tree, declaration, 'type') ?? 0));

function functionOf(tree: FlatTree, node: number): number {
  let top = node;
  while (top > 0 && kindOf(tree, top) !== 'function_definition') top = tree.parent[top]!;
  return top;
}

/** Whether it is no object: a comparison, or a call of a function that returns a number, a pointer or a reference. */
function isPlain(tree: FlatTree, node: number): boolean {
  const operator = childAt(tree, node, 'operator');
  if (operator !== undefined) return /^([=!<>]=|[<>!]|&&|\|\|)$/.test(textOf(tree, operator));
  let called = childAt(tree, node, 'function');
  for (let inner = called; inner !== undefined; inner = childAt(tree, inner, 'field') ?? childAt(tree, inner, 'name'))
    called = inner;
  return called !== undefined && plainFunctions(tree).get(textOf(tree, called)) === true;
}

const knownFunctions = new WeakMap<FlatTree, ReadonlyMap<string, boolean>>();

/** By name, whether all functions of this name return no object. */
const plainFunctions = (tree: FlatTree): ReadonlyMap<string, boolean> =>
  onceFor(knownFunctions, tree, () => {
    const found = new Map<string, boolean>();
    for (let node = 1; node < tree.count; node++) {
      if (kindOf(tree, node) !== 'function_declarator') continue;
      let above = tree.parent[node]!;
      const isIndirect = /^(pointer|reference)_declarator$/.test(kindOf(tree, above));
      while (/_declarator$/.test(kindOf(tree, above))) above = tree.parent[above]!;
      const name = textOf(tree, childAt(tree, node, 'declarator') ?? 0)
        .split('::')
        .at(-1)!;
      found.set(name, (isIndirect || isPlainType(tree, above)) && found.get(name) !== false);
    }
    return found;
  });

/** The compiler must know its value, or it is not evaluated. What is in a template may be both. */
const constant =
  /^(template_declaration|template_argument_list|lambda_expression|lambda_capture_specifier|enumerator|bitfield_clause|array_declarator|abstract_array_declarator|new_declarator|sizeof_expression|alignof_expression|alignas_qualifier|decltype|noexcept|requires_clause|requires_expression|concept_definition|static_assert_declaration|type_descriptor|optional_parameter_declaration|field_initializer_list|gnu_asm_expression|attribute_specifier|attribute_declaration|translation_unit|ERROR)$|^preproc/;

/** Whether it is computed in a function, when the program runs. */
function isComputed(tree: FlatTree, node: number): boolean {
  let isInBody = false;
  for (let [below, at] = [node, tree.parent[node]!]; at >= 0; [below, at] = [at, tree.parent[at]!]) {
    const kind = kindOf(tree, at);
    if (kind === 'translation_unit') return isInBody;
    if (constant.test(kind) || (kind === 'case_statement' && fieldOf(tree, below) === 'value')) return false;
    if ((kind === 'declaration' || kind === 'function_definition') && isFixed(tree, at)) return false;
    if (kind === 'if_statement' && fieldOf(tree, below) === 'condition' && isConstantIf(tree, at)) return false;
    if (kind === 'call_expression' && macro.test(textOf(tree, childAt(tree, at, 'function')!))) return false;
    if (kind === 'function_definition' && fieldOf(tree, below) === 'body') isInBody = true;
  }
  return isInBody;
}

/** It is computed once, or while the program is compiled. */
const isFixed = (tree: FlatTree, node: number): boolean =>
  childrenOf(tree, node).some(
    child =>
      (kindOf(tree, node) === 'declaration' &&
        kindOf(tree, child) === 'storage_class_specifier' &&
        /^(static|extern|thread_local)$/.test(textOf(tree, child))) ||
      (isNamed(tree, child) && /^(constexpr|consteval|constinit)$/.test(textOf(tree, child))),
  );

const isConstantIf = (tree: FlatTree, node: number): boolean =>
  childrenOf(tree, node).some(child => textOf(tree, child) === 'constexpr');

/** What has no plain type is not noted: an object, a pointer. Of the functions with one name, the compiler takes the one for the very type. */
const prelude = (count: number): string =>
  [
    noteValues(count),
    ...noted.flatMap(([letter, , types]) =>
      types.map(
        type =>
          `${ownFunction} __culprit_see(int id, ${type === '_Bool' ? 'bool' : type} value) { __culprit_${letter}(id, value); }`,
      ),
    ),
    'template<class type> inline void __culprit_see(int, const volatile type &) {}',
    'template<class type> inline type &&__culprit_value(int id, type &&value) { __culprit_see(id, value); return static_cast<type &&>(value); }',
  ].join(' ');
