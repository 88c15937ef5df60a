/** Shorter ways to write something in PHP. */
import type { Span } from '../edit.js';
import { childrenOf, type FlatTree, fieldOf, kindOf, textOf } from '../flat-tree.js';
import { put } from '../text-cut.js';
import { conjunction } from './conjunction.js';

export const phpForms = (tree: FlatTree, node: number): Span | undefined =>
  bracketed(tree, node) ?? named(tree, node) ?? declared(tree, node) ?? conjunction(tree, node);

/** `array(1)` as `[1]`. */
function bracketed(tree: FlatTree, node: number): Span | undefined {
  if (kindOf(tree, node) !== 'array_creation_expression') return undefined;
  const inside = /^array\s*\((.*)\)$/is.exec(textOf(tree, node))?.[1];
  return inside === undefined ? undefined : put(tree.text, tree.start[node]!, tree.end[node]!, `[${inside}]`);
}

/** `$a->{'b'}` as `$a->b`. */
function named(tree: FlatTree, node: number): Span | undefined {
  const name = /^(["'])([a-z_]\w*)\1$/i.exec(textOf(tree, node))?.[2];
  if (name === undefined || fieldOf(tree, node) !== 'name') return undefined;
  const siblings = childrenOf(tree, tree.parent[node]!);
  const [open, close] = [siblings[siblings.indexOf(node) - 1], siblings[siblings.indexOf(node) + 1]];
  if (open === undefined || close === undefined || textOf(tree, open) !== '{') return undefined;
  return put(tree.text, tree.start[open]!, tree.end[close]!, name);
}

/** `protected $a` as `var $a`. */
function declared(tree: FlatTree, node: number): Span | undefined {
  const isOfProperty = kindOf(tree, tree.parent[node]!) === 'property_declaration';
  if (!isOfProperty || kindOf(tree, node) !== 'visibility_modifier') return undefined;
  return put(tree.text, tree.start[node]!, tree.end[node]!, 'var');
}
