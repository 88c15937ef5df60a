/** Removes a declaration together with its uses, and a part together with the declarations that only it needed. */
import { greatestOf, leastOf } from '../../core/lists.js';
import type { Edit, Span } from '../../syntax/edit.js';
import { childrenOf, type FlatTree, fieldOf, is, isNamed, kindOf, sizeOf, textOf } from '../../syntax/flat-tree.js';
import type { Binding } from '../../syntax/names/bindings.js';
import {
  declarationSpans,
  isListed,
  type RemovalTable,
  removalAround,
  removalTable,
  toDefaultValue,
} from '../../syntax/names/repair.js';
import { bindingsOf } from '../../syntax/names/semantic.js';
import type { Syntax } from '../../syntax/syntax.js';
import { cut, disjoint, put } from '../../syntax/text-cut.js';
import type { TextPass } from './pass.js';

/**
 * Edits that keep references intact: a declaration is removed together with what refers to it, or its uses get a default
 * value (DRReduce), or its own initialiser; a part is removed together with the declarations that only it needed
 * (shrinkray: worth more than all its grammar passes together).
 */
export function declarations(syntax: Syntax, most = 200): TextPass {
  return {
    name: 'declaration with uses',
    async edits(text) {
      const tree = await syntax.tree(text);
      const table = removalTable(tree);
      const edits: Edit[] = [];
      for (const binding of await bindingsOf(syntax, tree)) {
        if (binding.uses.length > most) continue;
        const declared = declarationSpans(tree, table, binding);
        if (declared === undefined) continue;
        const outside = binding.uses.filter(
          use => !declared.some(span => span.start <= tree.start[use]! && tree.end[use]! <= span.end),
        );
        const together = (what: string, spans: readonly (Span | undefined)[]): void => {
          if (spans.every(span => span !== undefined))
            edits.push({ spans: disjoint([...declared, ...(spans as Span[])]), label: `${what} ${binding.name}` });
        };
        if (outside.length === 0) continue;
        together(
          'inline',
          outside.map(use => inlined(tree, binding, use)),
        );
        together(
          'default for',
          outside.map(use => toDefaultValue(tree, table, use)),
        );
        together(
          'delete statements with',
          outside.map(use => removalAround(tree, table, use, true)),
        );
        together(
          'delete',
          outside.map(use => removalAround(tree, table, use, false)),
        );
      }
      return edits;
    },
  };
}

/** A removable part together with the declarations that nothing else refers to. */
export function orphans(syntax: Syntax): TextPass {
  return {
    name: 'part with its declarations',
    async edits(text) {
      const tree = await syntax.tree(text);
      const table = removalTable(tree);
      const owned = new Map<number, Span[]>();
      for (const binding of await bindingsOf(syntax, tree)) {
        if (binding.uses.length === 0) continue;
        const user = commonRemoval(tree, table, binding.uses);
        const declared = declarationSpans(tree, table, binding);
        if (user === undefined || declared === undefined) continue;
        if (binding.definitions.some(leaf => leaf >= user && leaf < tree.past[user]!)) continue;
        owned.set(user, [...(owned.get(user) ?? []), ...declared]);
      }
      return [...owned]
        .sort((a, b) => a[0] - b[0])
        .map(([user, spans]) => {
          const own = table.get(user)!;
          return {
            spans: disjoint([cut(text, own.start, own.end), ...spans]),
            label: `delete ${kindOf(tree, user)} with ${spans.length} declarations`,
          };
        });
    },
  };
}

/** The smallest removable node that holds all these leaves. */
function commonRemoval(tree: FlatTree, table: RemovalTable, leaves: readonly number[]): number | undefined {
  const first = leastOf(leaves);
  const last = greatestOf(leaves);
  for (let node = first; node > 0; node = tree.parent[node]!)
    if (tree.past[node]! > last && table.has(node) && isListed(tree, node)) return node;
  return undefined;
}

/** The use becomes what its declaration gave it. */
function inlined(tree: FlatTree, binding: Binding, use: number): Span | undefined {
  if (binding.definitions.length !== 1) return undefined;
  const value = initialiser(tree, binding.definitions[0]!);
  return value === undefined ? undefined : put(tree.text, tree.start[use]!, tree.end[use]!, value);
}

/** What a declaration gives its name: an initialiser, or the type behind an alias. */
export function initialiser(tree: FlatTree, definition: number): string | undefined {
  let node = definition;
  for (let up = 0; up < 4 && node > 0; up++) {
    node = tree.parent[node]!;
    const isAlias = is(tree, node, 'alias');
    const value = childrenOf(tree, node).find(child => {
      const field = fieldOf(tree, child);
      return (
        isNamed(tree, child) &&
        (field === 'value' || field === 'right' || field === 'initializer' || (isAlias && field === 'type'))
      );
    });
    if (value === undefined) continue;
    if (sizeOf(tree, value) > 200) return undefined;
    const text = textOf(tree, value);
    const simple =
      /^[\w$.]+$/.test(text) || /^[([{"'`].*[)\]}"'`]$/s.test(text) || isAlias || is(tree, value, 'compactValue');
    return simple ? text : `(${text})`;
  }
  return undefined;
}
