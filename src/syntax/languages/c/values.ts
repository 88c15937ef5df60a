/** Which expressions of C can report their values, and the code with which they do. */
import { childAt, childrenOf, type FlatTree, fieldOf, kindOf, textOf } from '../../flat-tree.js';
import type { Observation } from '../../observed.js';
import { afterCode, appendTo, libraryCalls, ownFunction } from './preludes.js';
import { isPure } from './purity.js';

const kinds =
  /^(identifier|call_expression|field_expression|subscript_expression|pointer_expression|binary_expression|unary_expression|conditional_expression|cast_expression|assignment_expression|update_expression)$/;

/** Where an expression is only a value: as a child of these, or in a field of these. */
const holds = new Map<string, RegExp>([
  ['argument_list', /^$/],
  ['return_statement', /^$/],
  ['initializer_list', /^$/],
  ['init_declarator', /^value$/],
  ['assignment_expression', /^right$/],
  ['binary_expression', /^(left|right)$/],
  ['unary_expression', /^argument$/],
  ['cast_expression', /^value$/],
  ['conditional_expression', /^condition$/],
  ['subscript_expression', /^index$/],
  ['if_statement', /^condition$/],
  ['while_statement', /^condition$/],
  ['do_statement', /^condition$/],
  ['switch_statement', /^condition$/],
  ['for_statement', /^condition$/],
]);

export const cValues: Observation = {
  canReport: (tree, node) =>
    kinds.test(kindOf(tree, node)) &&
    isOwn(textOf(tree, node)) &&
    isValue(tree, node) &&
    isComputed(tree, node) &&
    !isArray(tree, node),
  isPure,
  /**
   * The value is computed once, and keeps its type: an expression inside `__typeof__` is not evaluated. After a comma, an array is a pointer,
   * and a bit-field a number.
   */
  around: (id, plain) => [
    `__extension__({__typeof__(((void)0,(${plain.replace(/\s+/g, ' ')})))__culprit_it=(`,
    `);__culprit_value(${id},__culprit_it);__culprit_it;})`,
  ],
  withPrelude: (text, count, isAlone) => afterCode(prelude(count), text, isAlone, '__culprit_note'),
};

/** Not one letter; and not what may not be written twice (labels, in blocks) or in one line (directives, comments). */
const isOwn = (text: string): boolean => text.length > 1 && !/[{#]|\/[/*]/.test(text);

function isValue(tree: FlatTree, node: number): boolean {
  const above = tree.parent[node]!;
  if (above < 0) return false;
  const [kind, field] = [kindOf(tree, above), fieldOf(tree, node)];
  if (kind === 'parenthesized_expression') return isValue(tree, above);
  // `a ? b() : c();` may compute nothing.
  if (kind === 'conditional_expression' && field !== 'condition') return isValue(tree, above);
  if (kind === 'comma_expression') return field === 'right' && isValue(tree, above);
  if (kind === 'cast_expression' && textOf(tree, childAt(tree, above, 'type')!) === 'void') return false;
  if (kind === 'return_statement' && returnsNothing(tree, above)) return false;
  return holds.get(kind)?.test(field) === true;
}

/** `return f();` in a function without a value. */
export function returnsNothing(tree: FlatTree, node: number): boolean {
  let top = node;
  while (top > 0 && kindOf(tree, top) !== 'function_definition') top = tree.parent[top]!;
  const type = childAt(tree, top, 'type');
  const declarator = childAt(tree, top, 'declarator');
  return (
    type === undefined ||
    declarator === undefined ||
    (textOf(tree, type) === 'void' && kindOf(tree, declarator) === 'function_declarator')
  );
}

/** The compiler must know its value, or it is not evaluated, or its text counts. */
const constant =
  /^(enumerator|bitfield_clause|array_declarator|abstract_array_declarator|sizeof_expression|alignof_expression|offsetof_expression|generic_expression|static_assert_declaration|type_descriptor|gnu_asm_expression|attribute_specifier|attribute_declaration|subscript_designator|subscript_range_designator|translation_unit|ERROR)$|^preproc/;

/** Arguments of these may be types, members, or names. */
export const macro = /^(__builtin_\w+|va_\w+|offsetof|[A-Z][A-Z\d_]*)$/;

/** Whether it is computed in a function, when the program runs. */
function isComputed(tree: FlatTree, node: number): boolean {
  for (let [below, at] = [node, tree.parent[node]!]; at >= 0; [below, at] = [at, tree.parent[at]!]) {
    const kind = kindOf(tree, at);
    if (kind === 'function_definition') return fieldOf(tree, below) === 'body';
    if (constant.test(kind) || (kind === 'case_statement' && fieldOf(tree, below) === 'value')) return false;
    if (kind === 'declaration' && isStatic(tree, at)) return false;
    if (kind === 'call_expression' && macro.test(textOf(tree, childAt(tree, at, 'function')!))) return false;
  }
  return false;
}

const isStatic = (tree: FlatTree, node: number): boolean =>
  childrenOf(tree, node).some(
    child => kindOf(tree, child) === 'storage_class_specifier' && /^(static|extern)$/.test(textOf(tree, child)),
  );

/** An array or a function has no plain value, and not every compiler makes a pointer of it after a comma. */
function isArray(tree: FlatTree, node: number): boolean {
  let [place, depth] = [node, 0];
  for (; kindOf(tree, place) === 'subscript_expression'; place = childAt(tree, place, 'argument')!) depth++;
  const name = kindOf(tree, place) === 'field_expression' ? childAt(tree, place, 'field') : place;
  return name !== undefined && (depths(tree).get(textOf(tree, name)) ?? 0) > depth;
}

const knownDepths = new WeakMap<FlatTree, ReadonlyMap<string, number>>();

/** The names of arrays and functions, with the number of their brackets. */
function depths(tree: FlatTree): ReadonlyMap<string, number> {
  const known = knownDepths.get(tree);
  if (known) return known;
  const found = new Map<string, number>();
  for (let node = 1; node < tree.count; node++) {
    let [at, depth] = [node, 0];
    for (; /^(array|function)_declarator$/.test(kindOf(tree, at)); at = childAt(tree, at, 'declarator') ?? 0) depth++;
    if (depth > 0) found.set(textOf(tree, at), Math.max(depth, found.get(textOf(tree, at)) ?? 0));
  }
  knownDepths.set(tree, found);
  return found;
}

/** What a value of each type is noted as: a letter, and the type of the parameter that takes it. */
export const noted = [
  ['i', 'int', ['_Bool', 'char', 'signed char', 'unsigned char', 'short', 'unsigned short', 'int']],
  ['u', 'unsigned', ['unsigned']],
  ['l', 'long', ['long']],
  ['m', 'unsigned long', ['unsigned long']],
  ['x', 'long long', ['long long']],
  ['y', 'unsigned long long', ['unsigned long long']],
  ['f', 'float', ['float']],
  ['d', 'double', ['double']],
] as const;

const ofType = ([letter, type]: (typeof noted)[number]): string =>
  /[fd]/.test(letter)
    ? `${ownFunction} __culprit_${letter}(int id, ${type} value) { union { double value; unsigned long long bits; } it; it.value = value; __culprit_note(id, '${letter}', it.bits); }`
    : `${ownFunction} __culprit_${letter}(int id, ${type} value) { __culprit_note(id, '${letter}', (unsigned long long)value); }`;

/**
 * A line for the first value of an expression, and one for the first that differs: a number, a letter for the type, and its bits. What may be
 * an address is different in every run. Whatever has no plain type is not noted: a pointer, a structure.
 */
export const noteValues = (count: number): string =>
  [
    libraryCalls,
    `static struct { unsigned long long bits; char known; } __culprit_seen[${count}];`,
    `${ownFunction} __culprit_note(int id, char type, unsigned long long bits) {`,
    'char *path, text[40]; int at = 40, file;',
    'if (__culprit_seen[id].known == 2 || (__culprit_seen[id].known == 1 && __culprit_seen[id].bits == bits)) return;',
    "if (__culprit_seen[id].known == 1 || (type != 'd' && type != 'f' && bits >> 40 && !(bits >> 48))) type = '?';",
    "__culprit_seen[id].known = type == '?' ? 2 : 1;",
    '__culprit_seen[id].bits = bits;',
    "text[--at] = '\\n';",
    'do text[--at] = "0123456789abcdef"[bits & 15]; while (bits >>= 4);',
    'text[--at] = type;',
    "do text[--at] = (char)('0' + id % 10); while (id /= 10);",
    appendTo('CULPRIT_SEEN', 40),
    '}',
    ...noted.map(ofType),
  ].join(' ');

const prelude = (count: number): string =>
  [
    noteValues(count),
    `${ownFunction} __culprit_other(int id, ...) { (void)id; }`,
    `\n#define __culprit_value(id, it) _Generic((it), ${noted
      .flatMap(([letter, , types]) => types.map(type => `${type}: __culprit_${letter}`))
      .join(', ')}, default: __culprit_other)(id, it)`,
  ].join(' ');
