import type { Binding } from './bindings.js';
import { childAt, type FlatTree, fieldOf, kindOf, textOf } from './flat-tree.js';
import { names } from './names.js';
import { bindingsOf } from './semantic.js';
import type { Syntax } from './syntax.js';

/** Who refers to what: bindings where there are some, spelling for members and for names that nothing declares. */
export interface Usage {
  readonly bindings: readonly Binding[];
  bindingOf(leaf: number): Binding | undefined;
  /** All leaves that carry the name which this leaf carries, itself included, in source order. */
  alike(leaf: number): readonly number[];
  /** All leaves of a spelling, whatever they stand for. */
  spelled(text: string): readonly number[];
}

export async function usageOf(syntax: Syntax, tree: FlatTree): Promise<Usage> {
  const bindings = await bindingsOf(syntax, tree);
  const index = new Map<number, Binding>();
  for (const binding of bindings)
    for (const leaf of [...binding.definitions, ...binding.uses]) index.set(leaf, binding);
  const bySpelling = new Map(names(tree).map(({ text, leaves }) => [text, leaves]));
  const spelled = (text: string): readonly number[] => bySpelling.get(text) ?? [];
  return {
    bindings,
    bindingOf: leaf => (isMember(tree, leaf) ? undefined : index.get(leaf)),
    spelled,
    alike(leaf) {
      const others = spelled(textOf(tree, leaf));
      if (isMember(tree, leaf)) return others.filter(one => isMember(tree, one));
      const binding = index.get(leaf);
      if (binding === undefined) return others.filter(one => !index.has(one) && !isMember(tree, one));
      return [...binding.definitions, ...binding.uses].sort((a, b) => a - b);
    },
  };
}

/** The name of a property, which belongs to no scope. */
export const isMember = (tree: FlatTree, leaf: number): boolean =>
  /^(private_)?property_identifier$/.test(kindOf(tree, leaf));

/** The place gets a value of its own here: it is assigned, counted up, or its address is taken. */
export function isWritten(tree: FlatTree, place: number): boolean {
  const above = tree.parent[place]!;
  if (above < 0) return false;
  const kind = kindOf(tree, above);
  if (/update|postfix|prefix|inc_|dec_|pointer_expression|reference_expression/.test(kind))
    return !isDereferenced(tree, above);
  return (
    (/assign|for_in|for_range|enhanced_for|short_var|operator_assignment/.test(kind) &&
      /^(left|pattern|name)$/.test(fieldOf(tree, place))) ||
    (/^(expression_list|variable_list|pattern_list|array_pattern|tuple_pattern)$/.test(kind) &&
      fieldOf(tree, above) === 'left')
  );
}

const isDereferenced = (tree: FlatTree, node: number): boolean => tree.text[tree.start[node]!] === '*';

/** `a = b` with nothing but an equals sign between; what is written to, and what. */
export function assignmentAt(tree: FlatTree, node: number): { left: number; right: number } | undefined {
  if (!/^(assignment(_expression)?|assignment_statement)$/.test(kindOf(tree, node))) return undefined;
  const left = childAt(tree, node, 'left');
  const right = childAt(tree, node, 'right');
  if (left === undefined || right === undefined) return undefined;
  const between = tree.text.slice(tree.end[left], tree.start[right]).trim();
  return between === '=' ? { left, right } : undefined;
}
