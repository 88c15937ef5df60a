/** A type of C or C++ that is defined where it is first used. */
import type { Edit } from '../../edit.js';
import { childAt, type FlatTree, fieldOf, kindOf, textOf } from '../../flat-tree.js';

const specifier = /^(struct|union|enum|class)_specifier$/;

/** `struct a{int b;}; struct a c;` as `struct a{int b;} c;`. */
export function typesInUse(tree: FlatTree): readonly Edit[] {
  const edits: Edit[] = [];
  for (let node = 1; node < tree.count; node++) {
    const name = specifier.test(kindOf(tree, node)) ? childAt(tree, node, 'name') : undefined;
    if (name === undefined || childAt(tree, node, 'body') === undefined) continue;
    const end = /^\s*;\s*/.exec(tree.text.slice(tree.end[node], tree.end[node]! + 100));
    const use = end === null ? undefined : firstUse(tree, node, textOf(tree, name));
    if (use === undefined) continue;
    const definition = { start: tree.start[node]!, end: tree.end[node]! + end![0].length, text: '' };
    const inUse = { start: tree.start[use]!, end: tree.end[use]!, text: textOf(tree, node) };
    edits.push({ spans: [definition, inUse], label: `define ${textOf(tree, name)} in its use` });
  }
  return edits;
}

/** The first later use: `struct a`, or `a` in C++. */
function firstUse(tree: FlatTree, node: number, name: string): number | undefined {
  for (let one = tree.past[node]!; one < tree.count; one++) {
    if (specifier.test(kindOf(tree, one))) {
      const own = childAt(tree, one, 'name');
      if (own !== undefined && textOf(tree, own) === name) return one;
    } else if (kindOf(tree, one) === 'type_identifier' && fieldOf(tree, one) === 'type' && textOf(tree, one) === name)
      return one;
  }
  return undefined;
}
