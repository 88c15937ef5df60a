/** Functions and calls, as the tree shows them. */
import {
  childAt,
  childrenOf,
  type FlatTree,
  fieldOf,
  grammarAt,
  is,
  isLeaf,
  isNamed,
  partsOf,
  textOf,
} from './flat-tree.js';
import { isIdentifier } from './names/names.js';

/** A function as the tree shows it. */
export interface Callable {
  readonly node: number;
  /** Every parameter, in order. */
  readonly params: readonly Param[];
  /** The statements of its body, without a `return` at the end. */
  readonly statements: readonly number[];
  /** What it returns at its end. */
  readonly value: number | undefined;
  /** The last statement of its body, even if it is a `return`. */
  readonly last: number | undefined;
  /** It can also return before its end. */
  readonly isBranched: boolean;
}

export interface Param {
  readonly node: number;
  /** The node that names it; −1 if it has no name. */
  readonly name: number;
  readonly byDefault: number | undefined;
}

/** A call as the tree shows it. */
export interface Call {
  readonly node: number;
  /** What is called: a name, the last name of an access, or the function itself. */
  readonly callee: number;
  /** What comes before the dot. */
  readonly receiver: number | undefined;
  readonly args: readonly number[];
}

/** The first of these fields that the node has. */
const byField = (tree: FlatTree, node: number, ...fields: readonly string[]): number | undefined => {
  for (const field of fields) {
    const found = childAt(tree, node, field);
    if (found !== undefined) return found;
  }
  return undefined;
};

export const isFunction = (tree: FlatTree, node: number): boolean =>
  isNamed(tree, node) && is(tree, node, 'function') && byField(tree, node, 'body') !== undefined;

/** The function at a node, if its tree shows how it ends: no generator, nothing asynchronous. */
export function callableAt(tree: FlatTree, node: number): Callable | undefined {
  if (!isFunction(tree, node) || is(tree, node, 'generator')) return undefined;
  if (/^(async|get|set)\b/.test(textOf(tree, node).slice(0, 6))) return undefined;
  const body = byField(tree, node, 'body')!;
  const params = paramsOf(tree, node);
  if (!is(tree, body, 'body')) {
    // C#'s `=> x` is a clause around its expression.
    const value = is(tree, body, 'bodyClause') ? partsOf(tree, body)[0] : body;
    return { node, params, statements: [], value, last: undefined, isBranched: false };
  }
  const all = partsOf(tree, body).filter(one => !is(tree, one, 'noStatement'));
  const last = all[all.length - 1];
  const returned = last === undefined ? undefined : returnAt(tree, last);
  const value = returned ?? (last !== undefined && isValue(tree, last) ? { value: last } : undefined);
  const statements = value === undefined ? all : all.slice(0, -1);
  const isBranched = statements.some(one => returns(tree, one));
  return { node, params, statements, value: value?.value, last, isBranched };
}

/** The value of a `return`, if it has one. */
export function returnAt(tree: FlatTree, statement: number): { readonly value: number | undefined } | undefined {
  let node = statement;
  if (is(tree, node, 'expressionStatement') && tree.past[node]! > node + 1) node++;
  return is(tree, node, 'return') && isNamed(tree, node) ? { value: partsOf(tree, node)[0] } : undefined;
}

/** In some languages the last expression of a body is its value. */
const isValue = (tree: FlatTree, node: number): boolean =>
  grammarAt(tree, node).language.lastIsValue && !is(tree, node, 'noValue');

function returns(tree: FlatTree, statement: number): boolean {
  for (let node = statement; node < tree.past[statement]!; node++) {
    if (isFunction(tree, node)) node = tree.past[node]! - 1;
    else if (isNamed(tree, node) && is(tree, node, 'leaving')) return true;
  }
  return false;
}

function paramsOf(tree: FlatTree, node: number): Param[] {
  const alone = byField(tree, node, 'parameter');
  if (alone !== undefined) return [{ node: alone, name: alone, byDefault: undefined }];
  let at: number | undefined = node;
  while (at !== undefined && byField(tree, at, 'parameters') === undefined) at = byField(tree, at, 'declarator');
  const list = at === undefined ? undefined : byField(tree, at, 'parameters');
  if (list === undefined) return [];
  return partsOf(tree, list).flatMap(param => {
    if (textOf(tree, param) === 'void') return [];
    const byDefault = byField(tree, param, 'value', 'right');
    // Go: one type for several names.
    const several = childrenOf(tree, param).filter(child => fieldOf(tree, child) === 'name');
    const names = several.length > 1 ? several : [nameOfParam(tree, param)];
    return names.map(name => ({ node: param, name, byDefault }));
  });
}

function nameOfParam(tree: FlatTree, param: number): number {
  let node = param;
  while (!isIdentifier(tree, node) && !is(tree, node, 'signedName')) {
    const inner: number | undefined =
      byField(tree, node, 'pattern', 'name', 'declarator', 'left') ??
      (is(tree, node, 'typedParameter') ? node + 1 : undefined);
    if (inner === undefined) return is(tree, node, 'pattern') ? node : -1;
    node = inner;
  }
  return node;
}

/** The call at a node, if every argument belongs to one parameter. */
export function callAt(tree: FlatTree, node: number): Call | undefined {
  if (!isNamed(tree, node) || !is(tree, node, 'call')) return undefined;
  const called = byField(tree, node, 'function', 'name', 'method');
  const list = byField(tree, node, 'arguments');
  if (called === undefined || list === undefined || !is(tree, list, 'arguments')) return undefined;
  const args = partsOf(tree, list).map(arg =>
    is(tree, arg, 'argument') && partsOf(tree, arg).length === 1 ? partsOf(tree, arg)[0]! : arg,
  );
  if (args.some(arg => is(tree, arg, 'loneArgument'))) return undefined;
  let callee = called;
  while (is(tree, callee, 'parenthesized') && partsOf(tree, callee).length === 1) callee = partsOf(tree, callee)[0]!;
  if (isFunction(tree, callee)) return { node, callee, receiver: undefined, args };
  if (isLeaf(tree, callee) || is(tree, callee, 'signedName'))
    return { node, callee: nameIn(tree, callee), receiver: byField(tree, node, 'object', 'receiver'), args };
  const last = byField(tree, callee, 'property', 'field', 'attribute', 'method');
  const receiver = byField(tree, callee, 'object', 'argument', 'operand', 'value', 'expression', 'table');
  return last === undefined || !isIdentifier(tree, last) ? undefined : { node, callee: last, receiver, args };
}

/** The leaf that carries the name: in PHP, a `$` comes before it. */
export const nameIn = (tree: FlatTree, node: number): number =>
  is(tree, node, 'signedName') && !isLeaf(tree, node) ? tree.past[node]! - 1 : node;
