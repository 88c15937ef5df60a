/** Who refers to what, and which places are written to. */

import { childAt, type FlatTree, fieldOf, is, textOf } from '../flat-tree.js';
import type { Syntax } from '../syntax.js';
import type { Binding } from './bindings.js';
import { names } from './names.js';
import { bindingsOf } from './semantic.js';

/** Who refers to what: by bindings if there are any, by spelling for members and for names without a declaration. */
export interface Usage {
  readonly bindings: readonly Binding[];
  bindingOf(leaf: number): Binding | undefined;
  /** All leaves with the same name as this leaf, itself included, in source order. */
  alike(leaf: number): readonly number[];
  /** All leaves of a spelling, whatever they refer to. */
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
export const isMember = (tree: FlatTree, leaf: number): boolean => is(tree, leaf, 'member');

/** Whether the place gets a new value here: it is assigned, incremented, or its address is taken. */
export function isWritten(tree: FlatTree, place: number): boolean {
  const above = tree.parent[place]!;
  if (above < 0) return false;
  if (is(tree, above, 'counting')) return !isDereferenced(tree, above);
  return (
    (is(tree, above, 'assigning') && /^(left|pattern|name)$/.test(fieldOf(tree, place))) ||
    (is(tree, above, 'targets') && fieldOf(tree, above) === 'left')
  );
}

const isDereferenced = (tree: FlatTree, node: number): boolean => tree.text[tree.start[node]!] === '*';

/** `a = b`, with only an equals sign between the two: the target and the value. */
export function assignmentAt(tree: FlatTree, node: number): { left: number; right: number } | undefined {
  if (!is(tree, node, 'assignment')) return undefined;
  const left = childAt(tree, node, 'left');
  const right = childAt(tree, node, 'right');
  if (left === undefined || right === undefined) return undefined;
  const between = tree.text.slice(tree.end[left], tree.start[right]).trim();
  return between === '=' ? { left, right } : undefined;
}
