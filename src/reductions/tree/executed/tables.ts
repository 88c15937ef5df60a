/** Removes the items of large tables: of arrays, objects, dictionaries. */
import { addAll } from '../../../core/lists.js';
import { bracketed } from '../../../syntax/delimiters.js';
import type { Edit } from '../../../syntax/edit.js';
import { type FlatTree, is, isNamed, kindOf, sizeOf } from '../../../syntax/flat-tree.js';
import { type Removal, removals } from '../../../syntax/removals.js';
import type { Syntax } from '../../../syntax/syntax.js';
import { removal } from '../delete.js';
import type { TextPass } from '../pass.js';

/** With fewer items, it is no table. */
const fewItems = 8;
/** A table is at least one part in this many of everything. */
const smallestShare = 256;

/**
 * A program that is executed reads few items of its tables, and mentions none of them by name. `tables`: each of the
 * outermost tables as a whole, but for its first item: what looks for something in a table often fails if there is none. `items`: one by one.
 */
export const tables = (syntax: Syntax, what: 'tables' | 'items'): TextPass => ({
  name: what === 'tables' ? 'table' : 'item of a table',
  async edits(text, whole = text.length) {
    const tree = await syntax.tree(text);
    const known = new Map(removals(tree).map(one => [one.node, one]));
    const edits: Edit[] = [];
    for (let node = 1; node < tree.count; ) {
      const items = sizeOf(tree, node) * smallestShare < whole ? [] : itemsOf(tree, node, known);
      if (items.length < fewItems) {
        node++;
        continue;
      }
      const edited = items.map(one => removal(tree, one));
      if (what === 'items') addAll(edits, edited);
      else
        edits.push({ spans: edited.slice(1).flatMap(({ spans }) => spans), label: `first of ${kindOf(tree, node)}` });
      node = tree.past[node]!;
    }
    return edits;
  },
});

function itemsOf(tree: FlatTree, node: number, known: ReadonlyMap<number, Removal>): readonly Removal[] {
  if (!isNamed(tree, node) || !is(tree, node, 'collection')) return [];
  return bracketed(tree, node)?.inside.flatMap(inside => known.get(inside) ?? []) ?? [];
}
