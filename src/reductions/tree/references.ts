/** Removes or shortens an id together with what points at it. */
import type { Edit, Span } from '../../syntax/edit.js';
import { type FlatTree, is, kindOf } from '../../syntax/flat-tree.js';
import { leafAt, linked } from '../../syntax/names/ids-and-references.js';
import { freshNames } from '../../syntax/names/names.js';
import { removalAround, removalTable } from '../../syntax/names/repair.js';
import type { Syntax } from '../../syntax/syntax.js';
import { cut, disjoint } from '../../syntax/text-cut.js';
import type { TextPass } from './pass.js';

/** A pass for the languages in which one part of a text points at another. */
const overLinks = (name: string, syntax: Syntax, editsOf: (tree: FlatTree) => Edit[]): TextPass => ({
  name,
  edits: async text => (syntax.language.pointers === undefined ? [] : editsOf(await syntax.tree(text))),
});

/** In HTML, SVG and XML, removes an id together with what points at it; in Markdown, a link's target with its links. */
export const references = (syntax: Syntax): TextPass =>
  overLinks('id with references', syntax, tree => {
    const { text } = tree;
    const table = removalTable(tree);
    const edits: Edit[] = [];
    for (const { name, targets, pointers } of linked(syntax.language, tree)) {
      const uses = pointers.map(pointer => removalAround(tree, table, leafAt(tree, pointer), false));
      for (const each of targets) {
        // A heading that nothing points at is a part of the text like any other.
        if (each.by === 'heading' && pointers.length === 0) continue;
        const target = leafAt(tree, each);
        const own = removalAround(tree, table, target, false);
        const whole = elementAround(tree, target);
        if (own === undefined || uses.some(span => span === undefined)) continue;
        edits.push({ spans: disjoint([own, ...(uses as Span[])]), label: `delete ${name} and its references` });
        if (whole !== undefined)
          edits.push({
            spans: disjoint([cut(text, tree.start[whole]!, tree.end[whole]!), ...(uses as Span[])]),
            label: `delete ${kindOf(tree, whole)} ${name} and its references`,
          });
      }
    }
    return edits;
  });

/** Shortens an id together with all references to it. If references must hold, removing single letters can't do that. */
export const shortIds = (syntax: Syntax): TextPass =>
  overLinks('short id', syntax, tree => {
    const fresh = freshNames(tree);
    const edits: Edit[] = [];
    for (const { name, targets, pointers } of linked(syntax.language, tree)) {
      if (pointers.length === 0 || pointers[0]!.end - pointers[0]!.start < 2) continue;
      const short = fresh.next().value;
      const spans = [...targets, ...pointers].map(({ start, end }) => ({ start, end, text: short }));
      edits.push({ spans: disjoint(spans), label: `${name} → ${short}` });
    }
    return edits;
  });

function elementAround(tree: FlatTree, target: number): number | undefined {
  for (let node = target; node > 0; node = tree.parent[node]!) if (is(tree, node, 'element')) return node;
  return undefined;
}
