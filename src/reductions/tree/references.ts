import type { Edit, Span } from '../../syntax/edit.js';
import { kindOf, type Outline } from '../../syntax/flat-tree.js';
import { freshNames } from '../../syntax/names.js';
import { hasPointers, leafAt, linked } from '../../syntax/pointers.js';
import { removalAround, removalTable } from '../../syntax/repair.js';
import type { Syntax } from '../../syntax/syntax.js';
import { cut, disjoint } from '../../syntax/text-cut.js';
import type { TextPass } from './pass.js';

/** In HTML, SVG and XML an id goes together with what points at it; in Markdown a link's target with its links. */
export function references(syntax: Syntax): TextPass {
  return {
    name: 'id with references',
    async edits(text) {
      if (!hasPointers(syntax.language)) return [];
      const outline = await syntax.outline(text);
      const table = removalTable(outline);
      const edits: Edit[] = [];
      for (const { name, targets, pointers } of linked(syntax.language, outline)) {
        const uses = pointers.map(pointer => removalAround(outline, table, leafAt(outline, pointer), false));
        for (const each of targets) {
          // A heading that nothing points at is a part of the text like any other.
          if (each.by === 'heading' && pointers.length === 0) continue;
          const target = leafAt(outline, each);
          const own = removalAround(outline, table, target, false);
          const whole = elementAround(outline, target);
          if (own === undefined || uses.some(span => span === undefined)) continue;
          edits.push({ spans: disjoint([own, ...(uses as Span[])]), label: `delete ${name} and its references` });
          if (whole !== undefined)
            edits.push({
              spans: disjoint([cut(text, outline.start[whole]!, outline.end[whole]!), ...(uses as Span[])]),
              label: `delete ${kindOf(outline, whole)} ${name} and its references`,
            });
        }
      }
      return edits;
    },
  };
}

/** An id gets a short name together with all that points at it: where references must hold, letters alone can't do that. */
export function shortIds(syntax: Syntax): TextPass {
  return {
    name: 'short id',
    async edits(text) {
      if (!hasPointers(syntax.language)) return [];
      const outline = await syntax.outline(text);
      const fresh = freshNames(outline);
      const edits: Edit[] = [];
      for (const { name, targets, pointers } of linked(syntax.language, outline)) {
        if (pointers.length === 0 || pointers[0]!.end - pointers[0]!.start < 2) continue;
        const short = fresh.next().value;
        const spans = [...targets, ...pointers].map(({ start, end }) => ({ start, end, text: short }));
        edits.push({ spans: disjoint(spans), label: `${name} → ${short}` });
      }
      return edits;
    },
  };
}

function elementAround(outline: Outline, target: number): number | undefined {
  for (let node = target; node > 0; node = outline.parent[node]!)
    if (/element$/.test(kindOf(outline, node))) return node;
  return undefined;
}
