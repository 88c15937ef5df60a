/** What is left of a function of C that is not called. */
import { childAt, childrenOf, type FlatTree, kindOf, textOf } from '../../flat-tree.js';

/** It never has to return from this. */
const endlessBody = '{for(;;);}';

/** A body that is valid for any type. */
export const endlessUnlessVoid = (tree: FlatTree, node: number): string | undefined =>
  returnsNothing(tree, node) ? undefined : endlessBody;

/**
 * A body that returns something, whatever the type. Many tests refuse a program if gcc warns that a function has no `return`, and it does so
 * even if the end of the function can't be reached. A call that is not expected then ends at once, too.
 */
export function idleBody(tree: FlatTree, node: number): string | undefined {
  if (returnsNothing(tree, node)) return undefined;
  const declarator = childAt(tree, node, 'declarator');
  const type = childAt(tree, node, 'type');
  if (declarator === undefined || type === undefined) return endlessBody;
  if (kindOf(tree, declarator) === 'pointer_declarator') return '{return 0;}';
  const meant = meaning(tree, type);
  if (meant === 'number') return '{return 0;}';
  return meant === 'structure' ? `{static ${textOf(tree, type)} a;return a;}` : endlessBody;
}

/** `void f()`, but not `void *f()`; and what is declared without a type, as a constructor is. */
function returnsNothing(tree: FlatTree, node: number): boolean {
  const type = childAt(tree, node, 'type');
  const body = childAt(tree, node, 'body');
  if (type === undefined || body === undefined) return true;
  return /^void\b(?!\s*[*&])/.test(tree.text.slice(tree.start[type], tree.start[body]));
}

/** What a type is once its names are resolved, as far as the text shows it. */
function meaning(tree: FlatTree, type: number, depth = 0): 'number' | 'structure' | undefined {
  const kind = kindOf(tree, type);
  if (/^(primitive_type|sized_type_specifier|enum_specifier)$/.test(kind)) return 'number';
  // With its members, it would be defined twice.
  if (/^(struct|union)_specifier$/.test(kind))
    return childAt(tree, type, 'body') === undefined ? 'structure' : undefined;
  if (kind !== 'type_identifier' || depth > deepest) return undefined;
  const named = definitionOf(tree, textOf(tree, type));
  if (named === undefined) return undefined;
  if (named.isPointer) return 'number';
  return /^(struct|union)_specifier$/.test(kindOf(tree, named.type))
    ? 'structure'
    : meaning(tree, named.type, depth + 1);
}

/** A chain of names this long is a circle. */
const deepest = 16;

function definitionOf(
  tree: FlatTree,
  name: string,
): { readonly type: number; readonly isPointer: boolean } | undefined {
  for (let node = 1; node < tree.count; node++) {
    if (kindOf(tree, node) !== 'type_definition') continue;
    for (const child of childrenOf(tree, node)) {
      const isPointer = kindOf(tree, child) === 'pointer_declarator';
      const own = isPointer ? childAt(tree, child, 'declarator') : child;
      if (own === undefined || kindOf(tree, own) !== 'type_identifier' || textOf(tree, own) !== name) continue;
      const type = childAt(tree, node, 'type');
      if (type !== undefined && type !== own) return { type, isPointer };
    }
  }
  return undefined;
}
