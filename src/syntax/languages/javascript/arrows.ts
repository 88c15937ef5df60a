/** A function of JavaScript as an arrow function. */
import type { Span } from '../../edit.js';
import { childAt, type FlatTree, kindOf, partsOf, textOf } from '../../flat-tree.js';
import { put } from '../../text-cut.js';

/**
 * `function (x) { return y; }` as `x=>y`, and `function f() {}` as `let f=()=>{};`. The receiver of an arrow function is another
 * one, and a variable exists only from its declaration on: the test decides whether that matters.
 */
export function arrow(tree: FlatTree, node: number): Span | undefined {
  const kind = kindOf(tree, node);
  if (kind !== 'function_expression' && kind !== 'function_declaration') return undefined;
  const [parameters, body] = [childAt(tree, node, 'parameters'), childAt(tree, node, 'body')];
  if (parameters === undefined || body === undefined) return undefined;
  const name = childAt(tree, node, 'name');
  const isAsync = /^async\b/.test(textOf(tree, node));
  const value = `${isAsync ? 'async ' : ''}${parametersOf(tree, parameters)}=>${bodyOf(tree, body)}`;
  const isDeclared = kind === 'function_declaration' && name !== undefined;
  const text = isDeclared ? `let ${textOf(tree, name)}=${value};` : value;
  return put(tree.text, tree.start[node]!, tree.end[node]!, text);
}

function parametersOf(tree: FlatTree, node: number): string {
  const [only, ...more] = partsOf(tree, node);
  const isName = only !== undefined && more.length === 0 && /^[\w$]+$/.test(textOf(tree, only));
  return isName ? textOf(tree, only) : textOf(tree, node);
}

function bodyOf(tree: FlatTree, node: number): string {
  const [only, ...more] = partsOf(tree, node);
  const isReturn = only !== undefined && more.length === 0 && kindOf(tree, only) === 'return_statement';
  const value = isReturn ? partsOf(tree, only)[0] : undefined;
  if (value === undefined) return textOf(tree, node);
  // A brace after the arrow would begin a block.
  const needsBrackets = /^\{/.test(textOf(tree, value)) || kindOf(tree, value) === 'sequence_expression';
  return needsBrackets ? `(${textOf(tree, value)})` : textOf(tree, value);
}
