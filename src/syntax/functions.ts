import {
  childAt,
  childrenOf,
  fieldOf,
  isLeaf,
  isNamed,
  kindOf,
  type Outline,
  partsOf,
  textOf,
  tongueOf,
} from './flat-tree.js';
import { isIdentifier } from './names.js';

/** A function as the tree shows it. */
export interface Callable {
  readonly node: number;
  /** Every parameter, in order. */
  readonly params: readonly Param[];
  /** The statements of its body, without a `return` at the end. */
  readonly statements: readonly number[];
  /** What it returns at its end. */
  readonly value: number | undefined;
  /** The last statement of its body, be it a `return`. */
  readonly last: number | undefined;
  /** It can also end elsewhere than at its end. */
  readonly isBranched: boolean;
}

export interface Param {
  readonly node: number;
  /** The node that names it; −1 where it has no name. */
  readonly name: number;
  readonly byDefault: number | undefined;
}

/** A call as the tree shows it. */
export interface Call {
  readonly node: number;
  /** What is called: a name, the last name of an access, or the function itself. */
  readonly callee: number;
  /** What stands before the dot. */
  readonly receiver: number | undefined;
  readonly args: readonly number[];
}

const functional = /function|method|lambda|arrow|closure|func_literal/;
const blocks =
  /^(statement_block|compound_statement|block|body_statement|suite|do_block|function_body|constructor_body)$/;

/** The child in the first of these fields that there is. */
const byField = (outline: Outline, node: number, ...fields: readonly string[]): number | undefined => {
  for (const field of fields) {
    const found = childAt(outline, node, field);
    if (found !== undefined) return found;
  }
  return undefined;
};

export const isFunction = (outline: Outline, node: number): boolean =>
  isNamed(outline, node) && functional.test(kindOf(outline, node)) && byField(outline, node, 'body') !== undefined;

/** The function at a node, if its end can be told from its tree: no generator, nothing asynchronous. */
export function callableAt(outline: Outline, node: number): Callable | undefined {
  if (!isFunction(outline, node) || /generator/.test(kindOf(outline, node))) return undefined;
  if (/^(async|get|set)\b/.test(textOf(outline, node).slice(0, 6))) return undefined;
  const body = byField(outline, node, 'body')!;
  const params = paramsOf(outline, node);
  if (!blocks.test(kindOf(outline, body))) {
    // C#'s `=> x` is a clause around its expression.
    const value = /clause$/.test(kindOf(outline, body)) ? partsOf(outline, body)[0] : body;
    return { node, params, statements: [], value, last: undefined, isBranched: false };
  }
  const all = partsOf(outline, body).filter(one => !/^(pass_statement|empty_statement)$/.test(kindOf(outline, one)));
  const last = all[all.length - 1];
  const returned = last === undefined ? undefined : returnAt(outline, last);
  const value = returned ?? (last !== undefined && isValue(outline, last) ? { value: last } : undefined);
  const statements = value === undefined ? all : all.slice(0, -1);
  const isBranched = statements.some(one => returns(outline, one));
  return { node, params, statements, value: value?.value, last, isBranched };
}

/** The value of a `return`, which may have none. */
export function returnAt(outline: Outline, statement: number): { readonly value: number | undefined } | undefined {
  let node = statement;
  if (kindOf(outline, node) === 'expression_statement' && outline.past[node]! > node + 1) node++;
  return /^return/.test(kindOf(outline, node)) && isNamed(outline, node)
    ? { value: partsOf(outline, node)[0] }
    : undefined;
}

/** In Rust and Ruby the last expression of a body is its value. */
const isValue = (outline: Outline, node: number): boolean =>
  /^(rust|ruby)$/.test(tongueOf(outline, node).language.name) &&
  !/statement|declaration|assignment|_item$/.test(kindOf(outline, node));

function returns(outline: Outline, statement: number): boolean {
  for (let node = statement; node < outline.past[statement]!; node++) {
    if (isFunction(outline, node)) node = outline.past[node]! - 1;
    else if (isNamed(outline, node) && /^(return|yield)/.test(kindOf(outline, node))) return true;
  }
  return false;
}

function paramsOf(outline: Outline, node: number): Param[] {
  const alone = byField(outline, node, 'parameter');
  if (alone !== undefined) return [{ node: alone, name: alone, byDefault: undefined }];
  let at: number | undefined = node;
  while (at !== undefined && byField(outline, at, 'parameters') === undefined) at = byField(outline, at, 'declarator');
  const list = at === undefined ? undefined : byField(outline, at, 'parameters');
  if (list === undefined) return [];
  return partsOf(outline, list).flatMap(param => {
    if (textOf(outline, param) === 'void') return [];
    const byDefault = byField(outline, param, 'value', 'right');
    // Go: one type for several names.
    const several = childrenOf(outline, param).filter(child => fieldOf(outline, child) === 'name');
    const names = several.length > 1 ? several : [nameOfParam(outline, param)];
    return names.map(name => ({ node: param, name, byDefault }));
  });
}

function nameOfParam(outline: Outline, param: number): number {
  let node = param;
  while (!isIdentifier(outline, node) && kindOf(outline, node) !== 'variable_name') {
    const inner: number | undefined =
      byField(outline, node, 'pattern', 'name', 'declarator', 'left') ??
      (/^typed_parameter$/.test(kindOf(outline, node)) ? node + 1 : undefined);
    if (inner === undefined) return /pattern$/.test(kindOf(outline, node)) ? node : -1;
    node = inner;
  }
  return node;
}

/** The call at a node, where every argument stands for one parameter. */
export function callAt(outline: Outline, node: number): Call | undefined {
  if (!isNamed(outline, node) || !/call|invocation/.test(kindOf(outline, node))) return undefined;
  const called = byField(outline, node, 'function', 'name', 'method');
  const list = byField(outline, node, 'arguments');
  if (called === undefined || list === undefined || !/argument/.test(kindOf(outline, list))) return undefined;
  const args = partsOf(outline, list).map(arg =>
    kindOf(outline, arg) === 'argument' && partsOf(outline, arg).length === 1 ? partsOf(outline, arg)[0]! : arg,
  );
  if (args.some(arg => /spread|splat|keyword|named|label/.test(kindOf(outline, arg)))) return undefined;
  let callee = called;
  while (/^parenthesized/.test(kindOf(outline, callee)) && partsOf(outline, callee).length === 1)
    callee = partsOf(outline, callee)[0]!;
  if (isFunction(outline, callee)) return { node, callee, receiver: undefined, args };
  if (isLeaf(outline, callee) || kindOf(outline, callee) === 'variable_name')
    return { node, callee: nameIn(outline, callee), receiver: byField(outline, node, 'object', 'receiver'), args };
  const last = byField(outline, callee, 'property', 'field', 'attribute');
  const receiver = byField(outline, callee, 'object', 'argument', 'operand', 'value', 'expression');
  return last === undefined || !isIdentifier(outline, last) ? undefined : { node, callee: last, receiver, args };
}

/** The leaf that carries the name: PHP has a sign before it. */
export const nameIn = (outline: Outline, node: number): number =>
  kindOf(outline, node) === 'variable_name' && !isLeaf(outline, node) ? outline.past[node]! - 1 : node;
